import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { UsageError } from '../../config/errors.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { backtest } from '../../training/backtest/backtest.ts'
import type { BenchmarkSource } from '../../training/benchmark/benchmark-task.ts'
import { writeBenchmark } from '../../training/benchmark/write-benchmark.ts'
import { readSeries, withoutSoleTerminals } from '../../training/border/border-history.ts'
import { readHistory, readLaneHistory } from '../../training/history/hourly-series.ts'
import { settingsOfKind, type TrainedKind } from '../../training/settings/kinds.ts'
import type { RunSettings } from '../../training/settings/run-settings.ts'
import { sourcesInCell, type TermsContext, termsOf } from '../../warehouse/export/terms.ts'
import { LAG_HOURS } from '../../warehouse/storage/import-sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { progress } from './output.ts'
import { VERSION } from './version.ts'

export interface BenchmarkOptions {
  kind: TrainedKind
  /** First and last issue, epoch ms; by default the last four weeks that leave a week of truth. */
  from_ms: number | undefined
  to_ms: number | undefined
  airports: readonly string[]
  settings: RunSettings
  terms: TermsContext
}

const isAirport = ({ terminal }: HourlySeries) => terminal === ''

async function historyOf(warehouse: Warehouse, kind: TrainedKind): Promise<HourlySeries[]> {
  if (kind === 'security') return readHistory(warehouse, { kind })
  const ever = { from: '1970-01-01T00:00:00Z', cutoff: '2999-01-01T00:00:00Z' }
  return withoutSoleTerminals(await readSeries(warehouse, { kind, from: ever.from, cutoff: ever.cutoff }))
}

/** Makes a forecasting benchmark of the history in a warehouse. @throws UsageError when there is too little of it */
export async function makeBenchmark(warehouse: Warehouse, folder: string, options: BenchmarkOptions) {
  const { kind, airports, terms } = options
  const history = await historyOf(warehouse, kind)
  const selected = history.filter((each) => isAirport(each) && (airports.length === 0 || airports.includes(each.iata)))
  if (selected.length === 0)
    throw new UsageError(
      'the warehouse has no hourly history of these airports; import some, then run `holdshort rollup`',
    )
  const settings = settingsOfKind(kind, options.settings)
  const last = Math.max(...selected.map(({ hour_ms }) => hour_ms.at(-1)!))
  const first = Math.min(...selected.map(({ hour_ms }) => hour_ms[0]!))
  const to_ms = options.to_ms ?? last - HORIZON_HOURS * HOUR_MS
  const from_ms = options.from_ms ?? Math.max(to_ms - settings.backtest.hold_out_days * DAY_MS, halfOf(first, to_ms))
  if (from_ms > to_ms) throw new UsageError('--to: must not be before --from')
  if (from_ms <= first)
    throw new UsageError(
      `the history begins at ${isoUtc(first)} and ends at ${isoUtc(last)}: too short for a benchmark, which needs hours before the first issue and a week after the last`,
    )
  const bar = progress('Backtesting')
  const prepared = selected.map(prepareSeries)
  const taught = history.filter((each) => !selected.includes(each))
  const lanes = kind === 'security' ? [...taught, ...(await readLaneHistory(warehouse, { kind }))] : taught
  const runs = await backtest(prepared, {
    kind,
    from_ms,
    to_ms,
    lanes: lanes.map(prepareSeries),
    settings,
    truth_cutoff_ms: to_ms + (HORIZON_HOURS + LAG_HOURS[kind]) * HOUR_MS,
    onProgress: (done, total) => bar.update(done, total, 'refits'),
  })
  bar.end()
  const isScored = runs.map(({ truth, scored }) => truth.some((wait, row) => scored[row] === 1 && !Number.isNaN(wait)))
  if (!isScored.includes(true)) throw new UsageError('no hour after an issue was observed; choose an earlier --to')
  return writeBenchmark(folder, {
    kind,
    series: selected.filter((_, k) => isScored[k]),
    runs: runs.filter((_, k) => isScored[k]),
    from_ms,
    to_ms,
    every_hours: settings.backtest.every_hours,
    simulated: terms.simulated,
    sources: await sourcesOf(warehouse, kind, terms),
    version: VERSION,
  })
}

/** Of a short history the test span is the later half, from a whole hour on. */
const halfOf = (first: number, last: number) => Math.ceil((first + last) / 2 / HOUR_MS) * HOUR_MS

/** The sources of the waits, with what is known about their terms. */
async function sourcesOf(warehouse: Warehouse, kind: TrainedKind, terms: TermsContext): Promise<BenchmarkSource[]> {
  const cells = await warehouse.query<{ source: string | null }>(
    "SELECT DISTINCT source FROM rollups WHERE kind = $kind AND level = 'airport' ORDER BY source",
    { kind },
  )
  const ids = new Set(cells.flatMap(({ source }) => (source === null ? ['unknown'] : sourcesInCell(source))))
  return [...ids].sort().map((id) => {
    const { credit, licence, terms: text } = termsOf(id, terms)
    return { id, credit, licence, terms: text }
  })
}
