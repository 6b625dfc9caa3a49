import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import { poolScores, type Score } from '../../forecasting/skill/metrics.ts'
import { byContender, type Contender } from '../forecasters/contenders.ts'
import type { TrainedKind } from '../settings/kinds.ts'
import { type SeriesBacktest, scoreOf } from './results.ts'

/** The compared forecasts: the one that would have been served, and each contender. */
export type Compared = Contender | 'served'

/** Scores on the same hours. */
export type Comparison = Record<Compared, Score>

/** Scores of a backtest at airport level: the mean of all airports, and by airport and by horizon. */
export interface BacktestSummary {
  kind: TrainedKind
  /** Each airport counts alike, however many hours of it were observed. */
  overall: Comparison
  airports: ({ iata: string } & Comparison)[]
  horizons: ({ from_hours: number; to_hours: number } & Comparison)[]
  /** Terminals of airports with several; absent if there are none. */
  terminals?: Comparison
}

const comparison = (scoreOf: (compared: Compared) => Score): Comparison => ({
  ...byContender(scoreOf),
  served: scoreOf('served'),
})

/** The airport-level runs of a backtest: overall, by airport and by horizon. */
export function summariseBacktest(runs: readonly SeriesBacktest[], kind: TrainedKind = 'security'): BacktestSummary {
  const terminals = runs.filter(({ terminal }) => terminal !== '')
  const airports = runs.filter(({ terminal }) => terminal === '')
  const mean = (horizon?: readonly [number, number]) =>
    comparison((compared) => poolScores(airports.map((run) => scoreOf(run, compared, horizon))))
  const summary: BacktestSummary = {
    kind,
    overall: mean(),
    airports: airports.map((run) => ({ iata: run.iata, ...comparison((compared) => scoreOf(run, compared)) })),
    horizons: HORIZON_BUCKETS.map(([from_hours, to_hours]) => ({
      from_hours,
      to_hours,
      ...mean([from_hours, to_hours]),
    })),
  }
  if (terminals.length > 0)
    summary.terminals = comparison((compared) => poolScores(terminals.map((run) => scoreOf(run, compared))))
  return summary
}
