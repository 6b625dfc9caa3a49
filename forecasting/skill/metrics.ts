import { isWithin5, type Quantiles } from '../quantiles/quantiles.ts'

/** Scores of forecasts against observed waits, in minutes and fractions. */
export interface Score {
  /** Forecast hours that were observed. */
  samples: number
  /** Mean absolute error of the median. */
  mae_minutes: number
  /** Mean pinball loss over the quantiles 0.1, 0.5 and 0.9. */
  pinball_minutes: number
  /** Fraction of hours between p10 and p90. */
  coverage_80: number
  /** Fraction of hours within 5 minutes of the median. */
  within_5: number
}

const QUANTILE_COLUMNS = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
] as const

/** Pinball loss of one predicted quantile q with error e = truth − predicted: q·e when e is positive, else (q−1)·e. */
export function pinball(quantile: number, truth: number, predicted: number): number {
  const error = truth - predicted
  return Math.max(quantile * error, (quantile - 1) * error)
}

/** Mean pinball loss of one row over the quantiles 0.1, 0.5 and 0.9. */
export function pinballOf(truth: number, predicted: Quantiles, row: number): number {
  let loss = 0
  for (const [column, quantile] of QUANTILE_COLUMNS) loss += pinball(quantile, truth, predicted[column][row]!)
  return loss / QUANTILE_COLUMNS.length
}

/**
 * Scores the rows that `selects` accepts and that were observed (`truth` is not NaN). Without such a row `samples` is 0
 * and every score is NaN.
 */
export function score(
  truth: Float64Array,
  predicted: Quantiles,
  selects: (row: number) => boolean = () => true,
): Score {
  const sum = { samples: 0, error: 0, loss: 0, inside: 0, near: 0 }
  for (let row = 0; row < truth.length; row++) {
    const observed = truth[row]!
    if (Number.isNaN(observed) || !selects(row)) continue
    const p50 = predicted.p50[row]!
    sum.samples++
    sum.error += Math.abs(observed - p50)
    if (isWithin5(observed, p50)) sum.near++
    if (observed >= predicted.p10[row]! && observed <= predicted.p90[row]!) sum.inside++
    sum.loss += pinballOf(observed, predicted, row)
  }
  return {
    samples: sum.samples,
    mae_minutes: sum.error / sum.samples,
    pinball_minutes: sum.loss / sum.samples,
    coverage_80: sum.inside / sum.samples,
    within_5: sum.near / sum.samples,
  }
}

/** Mean of the scores of several airports, each counted alike; airports without an observed hour do not count. */
export function poolScores(scores: readonly Score[]): Score {
  const observed = scores.filter(({ samples }) => samples > 0)
  const mean = (name: keyof Score) => observed.reduce((sum, score) => sum + score[name], 0) / observed.length
  return {
    samples: observed.reduce((sum, score) => sum + score.samples, 0),
    mae_minutes: mean('mae_minutes'),
    pinball_minutes: mean('pinball_minutes'),
    coverage_80: mean('coverage_80'),
    within_5: mean('within_5'),
  }
}

/** Skill: 1 − loss ÷ loss of the baseline. Positive is better than the baseline, 0 equal to it. */
export function skill(loss: number, baselineLoss: number): number {
  return 1 - loss / baselineLoss
}
