import type { Command } from 'commander'
import { HORIZON_BUCKETS } from '../../config/domain.ts'
import { UsageError } from '../../config/errors.ts'
import { openScorer, type ScoredFile, type ScoredRow } from '../../training/benchmark/scorer.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { trainedKindsFlag } from '../runtime/flags.ts'
import { print, textTable } from '../runtime/output.ts'

interface Flags {
  benchmark?: string
  partial?: boolean
  kind?: string
  dataDir?: string
  json?: boolean
}

/** `holdshort score`: checks and scores a CSV of forecasts, whoever made them. */
export function scoreCommand(program: Command): void {
  program
    .command('score')
    .description(
      'Check and score a CSV of forecasts (airport,issued_at,valid_at,p10,p50,p90), such as `backtest` writes: against a benchmark that `export --benchmark` made, or against the hours that this installation observed.',
    )
    .argument('<predictions>', 'CSV, plain or .gz')
    .option('--benchmark <folder>', 'score against this benchmark; every wanted row must be there')
    .option('--partial', 'with --benchmark: score the rows that are there')
    .option('--kind <kind>', 'without --benchmark: the queue', 'security')
    .option('--data-dir <folder>', 'without --benchmark: the data folder with what came true (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the figures as JSON')
    .action(async (path: string, flags: Flags) => {
      if (flags.partial && flags.benchmark === undefined) throw new UsageError('--partial: needs --benchmark <folder>')
      const result =
        flags.benchmark === undefined ? await scoreOwn(path, flags) : await scoreAgainst(path, flags.benchmark, flags)
      requireSound(path, result)
      const { faults: _, ...figures } = result
      const { scoreTable, readScores } = await openScorer()
      print(figures, flags.json, () =>
        flags.benchmark === undefined ? ownTable(result) : scoreTable(result, readScores(flags.benchmark)),
      )
    })
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const { code, path: named, message } = cause as NodeJS.ErrnoException
    throw new UsageError(`predictions: ${named ?? path} cannot be read (${code ?? message})`)
  }
}

async function scoreAgainst(path: string, folder: string, { partial = false }: Flags): Promise<ScoredFile> {
  const { scoreFile } = await openScorer()
  return readable(path, () => scoreFile(folder, path, { partial }))
}

/** Scores against the rollups of an installation: each forecast of an hour that it observed. */
async function scoreOwn(path: string, flags: Flags): Promise<ScoredFile> {
  const kind = trainedKindsFlag(flags.kind ?? 'security')[0]!
  const settings = settingsOfInstallation(flags)
  const { readForecasts, scoreRows } = await openScorer()
  const { forecasts, faults } = readable(path, () => readForecasts(path))
  const warehouse = await openCommandWarehouse(settings)
  try {
    const columns = await warehouse.columns(
      "SELECT iata, hour, mean FROM rollups WHERE kind = $kind AND level = 'airport'",
      { kind },
    )
    const { iata, hour, mean } = columns as { iata: string[]; hour: Float64Array; mean: Float64Array }
    const observed = new Map(iata.map((airport, row) => [`${airport} ${hour[row]}`, mean[row]!]))
    const rows: ScoredRow[] = []
    for (const forecast of forecasts.values()) {
      const wait = observed.get(`${forecast.airport} ${forecast.valid}`)
      if (wait !== undefined) rows.push({ airport: forecast.airport, ahead: forecast.ahead, observed: wait, forecast })
    }
    rows.sort((a, b) => a.airport.localeCompare(b.airport, 'en'))
    const not_scored = forecasts.size - rows.length
    return {
      forecasts: forecasts.size,
      scored: rows.length,
      missing: 0,
      not_scored,
      faults,
      ...scoreRows(rows, HORIZON_BUCKETS),
    }
  } finally {
    await warehouse.close()
  }
}

function requireSound(path: string, { faults, overall }: ScoredFile): void {
  if (faults.length > 0) throw new UsageError(`predictions: ${path} cannot be scored: ${faults.join('; ')}`)
  if (overall === null) throw new UsageError(`predictions: no forecast of ${path} is of an hour that was observed`)
}

const figure = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? null
const percent = (share: number | undefined) => (share === undefined ? null : `${(100 * share).toFixed(1)} %`)

function ownTable({ overall, horizons, airports, scored, not_scored }: ScoredFile): string {
  const row = (name: string, score: Partial<NonNullable<ScoredFile['overall']>>) => [
    name,
    score.samples ?? 0,
    figure(score.mae_minutes, 3),
    figure(score.pinball_minutes, 4),
    percent(score.coverage_80),
    percent(score.within_5),
  ]
  const table = textTable(
    ['forecasts', 'hours', 'MAE', 'pinball', 'coverage 80 %', 'within 5 min'],
    [
      row('all airports', overall ?? {}),
      ...horizons.map((bucket) => row(`${bucket.from_hours} to ${bucket.to_hours - 1} h ahead`, bucket)),
      ...airports.map((airport) => row(airport.airport, airport)),
    ],
  )
  return `${table}\n\n${scored} forecasts scored; ${not_scored} are of hours that were not observed`
}
