import { DAY_MS, HORIZON_BUCKETS, HORIZON_HOURS } from '../../config/domain.ts'
import { type PreparedSeries, prepareSeries } from '../features/profile.ts'
import { type LocaleOf, readHistoryFolder, readLaneFolder } from '../history/history-files.ts'
import { CONTENDERS, type Contender } from '../models/contenders.ts'
import { poolScores, type Score } from '../scoring/metrics.ts'
import { DEFAULT_RUN_SETTINGS, type RunSettings } from '../settings/run-settings.ts'
import { backtest, type SeriesBacktest, scoreOf } from './backtest.ts'

/** What is compared: what would have been served, and each contender. */
export const COMPARED = ['served', ...CONTENDERS] as const
export type Compared = Contender | 'served'

/** Scores on the same hours. */
export type Comparison = Record<Compared, Score>

/** Scores of a backtest at airport level: the mean of all airports, and by airport and by horizon. */
export interface HistoryMeasure {
  /** Each airport counts alike, however many hours of it were observed. */
  overall: Comparison
  airports: ({ iata: string } & Comparison)[]
  horizons: ({ from_hours: number; to_hours: number } & Comparison)[]
}

export interface MeasureOptions {
  /** First and last origin, epoch ms; default: the last 28 days that leave a whole horizon of truths. */
  from_ms?: number
  to_ms?: number
  settings?: RunSettings
  localeOf?: LocaleOf
  onProgress?: (done: number, total: number) => void
}

/** A backtest with what it was made of. */
export interface HistoryBacktest {
  measure: HistoryMeasure
  runs: SeriesBacktest[]
  series: PreparedSeries[]
  /** Series that the nets also learned from. */
  lanes: PreparedSeries[]
  from_ms: number
  to_ms: number
}

/** Backtests a folder of historical security readings (see `readHistoryFolder`) at airport level. */
export async function measureHistory(folder: string, options: MeasureOptions = {}): Promise<HistoryBacktest> {
  const series = readHistoryFolder(folder, options.localeOf)
    .filter(({ terminal }) => terminal === '')
    .map(prepareSeries)
  const last = Math.max(...series.map(({ hour_ms }) => hour_ms.at(-1)!))
  const to_ms = options.to_ms ?? last - HORIZON_HOURS * 3_600_000
  const { settings = DEFAULT_RUN_SETTINGS } = options
  const from_ms = options.from_ms ?? to_ms - settings.backtest.hold_out_days * DAY_MS
  const lanes = readLaneFolder(folder, options.localeOf).map(prepareSeries)
  const runs = await backtest(series, {
    from_ms,
    to_ms,
    settings,
    lanes,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  return { measure: summariseBacktest(runs), runs, series, lanes, from_ms, to_ms }
}

const comparison = (of: (compared: Compared) => Score): Comparison => ({
  served: of('served'),
  model: of('model'),
  rule: of('rule'),
  baseline: of('baseline'),
})

/** The airport-level runs of a backtest: overall, by airport and by horizon. */
export function summariseBacktest(runs: readonly SeriesBacktest[]): HistoryMeasure {
  const airports = runs.filter(({ terminal }) => terminal === '')
  const mean = (horizon?: readonly [number, number]) =>
    comparison((compared) => poolScores(airports.map((run) => scoreOf(run, compared, horizon))))
  return {
    overall: mean(),
    airports: airports.map((run) => ({ iata: run.iata, ...comparison((compared) => scoreOf(run, compared)) })),
    horizons: HORIZON_BUCKETS.map(([from_hours, to_hours]) => ({
      from_hours,
      to_hours,
      ...mean([from_hours, to_hours]),
    })),
  }
}
