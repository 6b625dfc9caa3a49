import { mapKeys } from '../../config/map-keys.ts'
import { OPPONENTS } from '../../forecasting/opponents/opponents.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import { AHEAD } from './long-waits.ts'
import { type MeanErrors, meanErrors } from './mean-errors.ts'

/** What is compared: the forecasts of the backtest, and the opponents on the same hours. */
const COMPARED = ['served', 'rule', 'baseline', ...OPPONENTS] as const
type Compared = (typeof COMPARED)[number]

/** Mean absolute errors by hours ahead. */
export interface OpponentScores extends MeanErrors<Compared> {
  from_hours: number
  to_hours: number
}

/** Scores the scored hours of a backtest in which the opponents had a forecast. */
export function opponentScores(runs: readonly SeriesBacktest[]): OpponentScores[] {
  const all = runs.map(errorsOf)
  return AHEAD.map(([from_hours, to_hours], bucket) => {
    const scores = all.flatMap((buckets) => (buckets[bucket]!.samples > 0 ? [buckets[bucket]!] : []))
    return { from_hours, to_hours, ...meanErrors(COMPARED, scores) }
  })
}

/** Sums of absolute errors of an airport by hours ahead. */
function errorsOf(run: SeriesBacktest) {
  const buckets = AHEAD.map(() => ({ samples: 0, errors: mapKeys(COMPARED, () => 0) }))
  const served = servedForecasts(run).p50
  for (const [row, truth] of run.truth.entries()) {
    if (run.scored[row] !== 1 || Number.isNaN(truth) || Number.isNaN(run.opponents.persistence[row]!)) continue
    const bucket = buckets[AHEAD.findIndex(([from, to]) => run.horizon[row]! >= from && run.horizon[row]! < to)]!
    bucket.samples++
    bucket.errors.served += Math.abs(truth - served[row]!)
    bucket.errors.rule += Math.abs(truth - run.calibrated.rule.p50[row]!)
    bucket.errors.baseline += Math.abs(truth - run.calibrated.baseline.p50[row]!)
    for (const opponent of OPPONENTS) bucket.errors[opponent] += Math.abs(truth - run.opponents[opponent][row]!)
  }
  return buckets
}
