import { DAY_MS } from '../../config/domain.ts'
import { prepare } from '../features/profile.ts'
import { type Place, readHistoryFolder } from '../history/history-files.ts'
import { persistence } from '../models/baseline.ts'
import { poolScores, type Score } from '../scoring/metrics.ts'
import { backtest, type SeriesBacktest, scoreOf } from './backtest.ts'
import { CONTENDERS, type Contender } from './backtest-block.ts'

/** Hours ahead, from ≤ h < to. */
export const HORIZON_BUCKETS: readonly [number, number][] = [
  [0, 1],
  [1, 6],
  [6, 24],
  [24, 72],
  [72, 168],
]

export type Comparison = Record<Contender, Score>

/** What a backtest of real history measured, pooled over all its hours, by airport and by hours ahead. */
export interface HistoryMeasure {
  overall: Comparison
  airports: ({ iata: string } & Comparison)[]
  horizons: ({ from_hours: number; to_hours: number } & Comparison)[]
}

export interface MeasureOptions {
  /** First and last origin; the last 28 days that leave a whole horizon of truths, unless given. */
  from_ms?: number
  to_ms?: number
  against?: 'same_hour' | 'persistence'
  placeOf?: (iata: string) => Place | null
  onProgress?: (done: number, total: number) => void
}

/** Backtests a folder of historical security readings (see `readHistoryFolder`) at airport level. */
export async function measureHistory(folder: string, options: MeasureOptions = {}): Promise<HistoryMeasure> {
  const series = readHistoryFolder(folder, options.placeOf)
    .filter((one) => one.terminal === '')
    .map(prepare)
  const last = Math.max(...series.map((one) => one.hour_ms.at(-1)!))
  const to_ms = options.to_ms ?? last - 7 * DAY_MS
  const runs = await backtest(series, {
    from_ms: options.from_ms ?? to_ms - 28 * DAY_MS,
    to_ms,
    ...(options.against === 'persistence' ? { rule: persistence } : {}),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  return summarise(runs)
}

/** Pools the runs of a backtest: overall, by airport (its airport-level series), by hours ahead. */
export function summarise(runs: readonly SeriesBacktest[]): HistoryMeasure {
  const airports = runs.filter((run) => run.terminal === '')
  const compare = (of: readonly SeriesBacktest[], horizon?: [number, number]) =>
    Object.fromEntries(
      CONTENDERS.map((contender) => [contender, poolScores(of.map((run) => scoreOf(run, contender, horizon)))]),
    ) as Comparison
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
