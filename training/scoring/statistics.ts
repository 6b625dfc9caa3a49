import { quantile } from '../../config/quantile.ts'

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

/** First index whose number is not below `value`, in ascending numbers; their count when all are below. */
export function lowerBound(ascending: ArrayLike<number>, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The finite-sample conformal quantile of n ascending numbers: the ⌈(n+1)·q⌉-th smallest. */
export function conformalQuantile(sorted: Float64Array, fraction: number): number {
  return quantile(sorted, Math.min(1, (fraction * (sorted.length + 1)) / sorted.length))
}

/** The median of some numbers; NaN of none. */
export function median(numbers: ArrayLike<number>): number {
  return quantile(ascending(numbers), 0.5)
}
