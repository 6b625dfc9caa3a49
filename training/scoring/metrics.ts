import type { Quantiles } from './quantiles.ts'

/** How forecasts did against what was observed, minutes and fractions. */
export interface Score {
  /** Forecast hours compared with an observed hour. */
  samples: number
  /** Mean absolute error of the median. */
  mae_minutes: number
  /** Mean pinball loss over the quantiles 0.1, 0.5 and 0.9. */
  pinball_minutes: number
  /** Fraction inside p10–p90. */
  coverage_80: number
  /** Fraction within 5 minutes of the median. */
  within_5: number
}

const sides = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
] as const

/** Pinball loss of one predicted quantile: q·e above it, (q−1)·e below. */
export function pinball(quantile: number, truth: number, predicted: number): number {
  const error = truth - predicted
  return Math.max(quantile * error, (quantile - 1) * error)
}

/** Scores the rows that a test picks and that were observed (truth not NaN); every figure NaN when there is none. */
export function score(truth: Float64Array, predicted: Quantiles, keep: (row: number) => boolean = () => true): Score {
  const sum = { samples: 0, error: 0, loss: 0, inside: 0, near: 0 }
  for (let row = 0; row < truth.length; row++) {
    const seen = truth[row]!
    if (Number.isNaN(seen) || !keep(row)) continue
    const error = Math.abs(seen - predicted.p50[row]!)
    sum.samples++
    sum.error += error
    if (error <= 5) sum.near++
    if (seen >= predicted.p10[row]! && seen <= predicted.p90[row]!) sum.inside++
    for (const [name, quantile] of sides) sum.loss += pinball(quantile, seen, predicted[name][row]!) / sides.length
  }
  return {
    samples: sum.samples,
    mae_minutes: sum.error / sum.samples,
    pinball_minutes: sum.loss / sum.samples,
    coverage_80: sum.inside / sum.samples,
    within_5: sum.near / sum.samples,
  }
}

/** One score of several, weighted by their samples. */
export function poolScores(scores: readonly Score[]): Score {
  const observed = scores.filter((one) => one.samples > 0)
  const samples = observed.reduce((sum, one) => sum + one.samples, 0)
  const weighted = (name: keyof Score) => observed.reduce((sum, one) => sum + one[name] * one.samples, 0) / samples
  return {
    samples,
    mae_minutes: weighted('mae_minutes'),
    pinball_minutes: weighted('pinball_minutes'),
    coverage_80: weighted('coverage_80'),
    within_5: weighted('within_5'),
  }
}

/** 1 − loss ÷ baseline's loss: positive is better than the baseline, 0 the same. */
export function skill(loss: number, baselineLoss: number): number {
  return 1 - loss / baselineLoss
}
