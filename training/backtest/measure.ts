import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { prepareSeries } from '../features/profile.ts'
import { type LocaleOf, readHistoryFolder } from '../history/history-files.ts'
import { persistence } from '../models/baseline.ts'
import { poolScores, type Score } from '../scoring/metrics.ts'
import { backtest, type SeriesBacktest, scoreOf } from './backtest.ts'
import type { Contender } from './backtest-block.ts'

/** Horizons that are scored apart: hours ahead, from ≤ h < to. */
export const HORIZON_BUCKETS: readonly (readonly [from: number, to: number])[] = [
  [0, 1],
  [1, 6],
  [6, 24],
  [24, 72],
  [72, 168],
]

/** Scores of model and baseline on the same hours. */
export type Comparison = Record<Contender, Score>

/** Scores of a backtest at airport level: pooled over all hours, by airport and by horizon. */
export interface HistoryMeasure {
  overall: Comparison
  airports: ({ iata: string } & Comparison)[]
  horizons: ({ from_hours: number; to_hours: number } & Comparison)[]
}

export interface MeasureOptions {
  /** First and last origin, epoch ms; default: the last 28 days that leave a whole horizon of truths. */
  from_ms?: number
  to_ms?: number
  against?: 'same_hour' | 'persistence'
  localeOf?: LocaleOf
  onProgress?: (done: number, total: number) => void
}

/** Backtests a folder of historical security readings (see `readHistoryFolder`) at airport level. */
export async function measureHistory(folder: string, options: MeasureOptions = {}): Promise<HistoryMeasure> {
  const series = readHistoryFolder(folder, options.localeOf)
    .filter(({ terminal }) => terminal === '')
    .map(prepareSeries)
  const last = Math.max(...series.map(({ hour_ms }) => hour_ms.at(-1)!))
  const to_ms = options.to_ms ?? last - HORIZON_HOURS * HOUR_MS
  const runs = await backtest(series, {
    from_ms: options.from_ms ?? to_ms - 28 * DAY_MS,
    to_ms,
    ...(options.against === 'persistence' ? { baseline: persistence } : {}),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  return summariseBacktest(runs)
}

/** Pools the airport-level runs of a backtest: overall, by airport and by horizon. */
export function summariseBacktest(runs: readonly SeriesBacktest[]): HistoryMeasure {
  const airports = runs.filter(({ terminal }) => terminal === '')
  const compare = (of: readonly SeriesBacktest[], horizon?: readonly [number, number]): Comparison => ({
    model: poolScores(of.map((run) => scoreOf(run, 'model', horizon))),
    baseline: poolScores(of.map((run) => scoreOf(run, 'baseline', horizon))),
  })
  return {
    overall: compare(airports),
    airports: airports.map((run) => ({ iata: run.iata, ...compare([run]) })),
    horizons: HORIZON_BUCKETS.map(([from_hours, to_hours]) => ({
      from_hours,
      to_hours,
      ...compare(airports, [from_hours, to_hours]),
    })),
  }
}
