import { lowerBound } from './lower-bound.ts'
import { quantile } from './quantile.ts'

/** Ascending copy as a typed array. */
export function ascending(numbers: ArrayLike<number>): Float64Array {
  return new Float64Array(numbers).sort()
}

/** Arithmetic mean; NaN of no numbers. */
export function mean(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < numbers.length; k++) sum += numbers[k]!
  return sum / numbers.length
}

/** The nearest number to `value` between `low` and `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** The finite-sample conformal quantile of n ascending numbers: the ⌈(n+1)·q⌉-th smallest. */
export function conformalQuantile(sorted: Float64Array, fraction: number): number {
  return quantile(sorted, Math.min(1, (fraction * (sorted.length + 1)) / sorted.length))
}

/**
 * Quantiles of values that have weights, for ascending fractions: linear between the values, each of which lies at the middle of its
 * weight. NaN without any weight.
 */
export function weightedQuantiles(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  fractions: readonly number[],
): number[] {
  const order = Array.from({ length: values.length }, (_, k) => k).sort((a, b) => values[a]! - values[b]!)
  const total = order.reduce((sum, k) => sum + weights[k]!, 0)
  if (!(total > 0)) return fractions.map(() => Number.NaN)
  const middles = new Float64Array(order.length)
  let before = 0
  for (const [at, k] of order.entries()) {
    middles[at] = before + weights[k]! / 2
    before += weights[k]!
  }
  return fractions.map((fraction) => {
    const at = lowerBound(middles, fraction * total)
    if (at === 0) return values[order[0]!]!
    if (at === order.length) return values[order.at(-1)!]!
    const [low, high] = [values[order[at - 1]!]!, values[order[at]!]!]
    const gap = middles[at]! - middles[at - 1]!
    return gap > 0 ? low + ((fraction * total - middles[at - 1]!) / gap) * (high - low) : high
  })
}

/** The median of some numbers; NaN of none. */
export function median(numbers: ArrayLike<number>): number {
  return quantile(ascending(numbers), 0.5)
}
