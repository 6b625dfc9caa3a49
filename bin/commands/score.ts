import type { Command } from 'commander'
import { UsageError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { Score } from '../../forecasting/skill/metrics.ts'
import { readForecastFile } from '../../training/scoring/forecast-file.ts'
import { type ForecastScores, type ObservedForecast, scoreForecasts } from '../../training/scoring/score-forecasts.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { addCommand, type DataFlags } from '../runtime/help.ts'
import { print, textTable } from '../runtime/output.ts'
import { trainedKindsFlag } from '../runtime/training-flags.ts'

interface Flags extends DataFlags {
  kind?: string
}

/** `holdshort score`: checks and scores a CSV of forecasts, whoever made them. */
export function register(program: Command): void {
  addCommand(program, 'score')
    .argument('<predictions>', 'CSV, plain or .gz')
    .option('--kind <kind>', 'the queue', 'security')
    .option('--data-dir <folder>', 'the data folder with what came true (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the figures as JSON')
    .action(async (path: string, flags: Flags) => {
      const kind = trainedKindsFlag(flags.kind ?? 'security')[0]!
      const settings = settingsOfInstallation(flags)
      const forecasts = readForecastFile(path)
      const waits = await observedWaits(settings, kind)
      const rows: ObservedForecast[] = []
      for (const forecast of forecasts) {
        const observed = waits.get(`${forecast.airport} ${forecast.valid_ms}`)
        if (observed !== undefined) rows.push({ forecast, observed })
      }
      if (rows.length === 0) throw new UsageError(`predictions: no forecast of ${path} is of an hour that was observed`)
      const scores = scoreForecasts(rows)
      const counts = { forecasts: forecasts.length, scored: rows.length, not_scored: forecasts.length - rows.length }
      print({ ...counts, ...scores }, flags.json, () => [
        scoreTable(scores),
        '',
        `${counts.scored} forecasts scored; ${counts.not_scored} are of hours that were not observed`,
      ])
    })
}

async function observedWaits(settings: Settings, kind: string): Promise<Map<string, number>> {
  await using warehouse = await openCommandWarehouse(settings)
  const columns = await warehouse.columns(
    "SELECT iata, hour, mean FROM rollups WHERE kind = $kind AND level = 'airport'",
    { kind },
  )
  const { iata, hour, mean } = columns as { iata: string[]; hour: Float64Array; mean: Float64Array }
  return new Map(iata.map((airport, row) => [`${airport} ${hour[row]}`, mean[row]!]))
}

function scoreTable({ overall, horizons, airports }: ForecastScores): string {
  const row = (name: string, { samples, mae_minutes, pinball_minutes, coverage_80, within_5 }: Score) => {
    const figure = (value: number, digits: number, unit = '') =>
      samples === 0 ? null : `${value.toFixed(digits)}${unit}`
    return [
      name,
      samples,
      figure(mae_minutes, 3),
      figure(pinball_minutes, 4),
      figure(100 * coverage_80, 1, ' %'),
      figure(100 * within_5, 1, ' %'),
    ]
  }
  return textTable(
    ['forecasts', 'hours', 'MAE', 'pinball', 'coverage 80 %', 'within 5 min'],
    [
      row('all airports', overall),
      ...horizons.map((bucket) => row(`${bucket.from_hours} to ${bucket.to_hours - 1} h ahead`, bucket)),
      ...airports.map((airport) => row(airport.airport, airport)),
    ],
  )
}
