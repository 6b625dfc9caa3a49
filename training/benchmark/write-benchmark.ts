import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { HORIZON_BUCKETS, HORIZON_HOURS, isoUtc } from '../../config/domain.ts'
import { UsageError } from '../../config/errors.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import type { CalibratedForecast } from '../../forecasting/quantiles/calibration.ts'
import { openExportFolder } from '../../warehouse/export/export-folder.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/backtest.ts'
import { CONTENDERS } from '../models/contenders.ts'
import type { TrainedKind } from '../settings/kinds.ts'
import { benchmarkReadme } from './benchmark-readme.ts'
import {
  type BenchmarkSource,
  type BenchmarkTask,
  benchmarkFiles,
  benchmarkPaths,
  type ReferenceName,
  RULES,
} from './benchmark-task.ts'
import { type BenchmarkScores, openScorer, SCORER_FILES, scorerFile } from './scorer.ts'

export interface BenchmarkContent {
  kind: TrainedKind
  /** Airports as a whole: the history that the forecasts were made from. */
  series: readonly HourlySeries[]
  /** Their backtest, in the same order. */
  runs: readonly SeriesBacktest[]
  from_ms: number
  to_ms: number
  every_hours: number
  simulated: boolean
  sources: readonly BenchmarkSource[]
  version: string
}

/**
 * Writes a benchmark into a folder: history, truth, issue times, reference forecasts with their scores, scorers and a README.
 * Returns the task and the scores. @throws UsageError when the folder holds files of somebody else in its places, or an export
 */
export async function writeBenchmark(folder: string, content: BenchmarkContent) {
  const target = await openExportFolder(folder)
  try {
    if (Object.keys(target.content.months).length > 0 || 'manifest.json' in target.content.documents)
      throw new UsageError(`folder: ${folder} holds an export; name another folder for the benchmark`)
    const written = await stageBenchmark(target.staging, content)
    const documents: Record<string, string> = {}
    for (const path of benchmarkPaths(written.task.files))
      documents[path] = createHash('sha256')
        .update(await readFile(join(target.staging, path)))
        .digest('hex')
    await target.commit({ months: {}, csvs: [], documents })
    return written
  } finally {
    await target.release()
  }
}

async function stageBenchmark(folder: string, content: BenchmarkContent) {
  const { runs, simulated } = content
  const task = taskOf(content)
  const { files } = task
  const rows = scoredRows(runs)
  await mkdir(join(folder, 'references'), { recursive: true })
  await writeFile(join(folder, files.history), gzipSync(historyCsv(content)))
  await writeFile(join(folder, files.truth), truthCsv(runs, rows, simulated))
  await writeFile(join(folder, files.issues), issuesCsv(runs, simulated))
  for (const [name, path] of Object.entries(files.references))
    await writeFile(join(folder, path), gzipSync(forecastsCsv(runs, rows, name as ReferenceName, simulated)))
  for (const name of SCORER_FILES) await copyFile(scorerFile(name), join(folder, name))
  await writeFile(join(folder, 'task.json'), `${JSON.stringify(task, null, 2)}\n`)
  const references = await scoresOf(folder, task)
  await writeFile(join(folder, 'scores.json'), `${JSON.stringify({ references }, null, 2)}\n`)
  await writeFile(join(folder, 'README.md'), benchmarkReadme(task, references))
  return { task, references }
}

/** The scores of the reference forecasts, by the scorer that lies in the benchmark and from the files in it. */
async function scoresOf(folder: string, { files }: BenchmarkTask): Promise<Record<ReferenceName, BenchmarkScores>> {
  const { scoreFile } = await openScorer()
  const entries = Object.entries(files.references).map(([name, path]) => {
    const { faults, overall, horizons, airports } = scoreFile(folder, join(folder, path))
    if (faults.length > 0 || overall === null) throw new Error(`the reference ${name} cannot be scored: ${faults[0]}`)
    return [name, { overall, horizons, airports }] as const
  })
  return Object.fromEntries(entries) as Record<ReferenceName, BenchmarkScores>
}

function taskOf({
  kind,
  series,
  from_ms,
  to_ms,
  every_hours,
  simulated,
  sources,
  version,
}: BenchmarkContent): BenchmarkTask {
  const first = Math.min(...series.map(({ hour_ms }) => hour_ms[0] ?? from_ms))
  return {
    format: 1,
    title: `${simulated ? 'SIMULATED: ' : ''}Forecasting airport ${kind} waits, hour by hour for a week`,
    kind,
    simulated,
    may_be_passed_on: simulated || sources.every(({ licence }) => licence !== null),
    made_by: `Holdshort ${version}`,
    train: { from: isoUtc(first), to: isoUtc(from_ms) },
    test: { first_issue: isoUtc(from_ms), last_issue: isoUtc(to_ms), every_hours },
    horizon_hours: HORIZON_HOURS,
    horizon_buckets: HORIZON_BUCKETS,
    quantiles: [0.1, 0.5, 0.9],
    measure:
      'Mean pinball loss over the three quantiles, in minutes, of each airport; then the mean of the airports, each counted alike. Lower is better.',
    rules: RULES,
    airports: series.map(({ iata }) => iata).sort(),
    sources,
    files: benchmarkFiles(simulated),
  }
}

/** The rows of each run that are scored: issued in the test span, and observed. */
const scoredRows = (runs: readonly SeriesBacktest[]): number[][] =>
  runs.map(({ scored, truth }) =>
    Array.from(truth.keys()).filter((row) => scored[row] === 1 && !Number.isNaN(truth[row]!)),
  )

/** Every observed hour that could be known at the last issue, with the instant from which on it could be. */
function historyCsv({ series, to_ms, simulated }: BenchmarkContent): string {
  const lines = ['airport,hour,available_at,wait_minutes,readings,simulated']
  for (const { iata, hour_ms, available_ms, mean, samples } of series)
    for (const [row, hour] of hour_ms.entries())
      if (available_ms[row]! <= to_ms)
        lines.push(`${iata},${isoUtc(hour)},${isoUtc(available_ms[row]!)},${mean[row]},${samples[row]},${simulated}`)
  return `${lines.join('\n')}\n`
}

/** Each observed hour that a forecast is wanted for, once. */
function truthCsv(runs: readonly SeriesBacktest[], rows: readonly number[][], simulated: boolean): string {
  const lines = ['airport,hour,wait_minutes,simulated']
  for (const [k, { iata, valid_ms, truth }] of runs.entries()) {
    const hours = new Map(rows[k]!.map((row) => [valid_ms[row]!, truth[row]!]))
    for (const [hour, wait] of [...hours].sort(([a], [b]) => a - b))
      lines.push(`${iata},${isoUtc(hour)},${wait},${simulated}`)
  }
  return `${lines.join('\n')}\n`
}

function issuesCsv(runs: readonly SeriesBacktest[], simulated: boolean): string {
  const lines = ['airport,issued_at,simulated']
  for (const { iata, issued_ms, scored } of runs)
    for (const issued of new Set(issued_ms.filter((_, row) => scored[row] === 1)))
      lines.push(`${iata},${isoUtc(issued)},${simulated}`)
  return `${lines.join('\n')}\n`
}

function forecastOf(run: SeriesBacktest, name: ReferenceName): CalibratedForecast {
  if (name === 'holdshort') return servedForecasts(run)
  return run.calibrated[name === 'same_hour' ? 'baseline' : CONTENDERS[name === 'model' ? 0 : 1]]
}

function forecastsCsv(
  runs: readonly SeriesBacktest[],
  rows: readonly number[][],
  name: ReferenceName,
  simulated: boolean,
): string {
  const lines = ['airport,issued_at,valid_at,p10,p50,p90,simulated']
  for (const [k, run] of runs.entries()) {
    const forecast = forecastOf(run, name)
    for (const row of rows[k]!) {
      // Rounding keeps the order, and a calibrated lower bound may lie below zero.
      const figures = [forecast.p10, forecast.p50, forecast.p90].map((column) => Math.max(0, column[row]!).toFixed(3))
      lines.push(
        `${run.iata},${isoUtc(run.issued_ms[row]!)},${isoUtc(run.valid_ms[row]!)},${figures.join(',')},${simulated}`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}
