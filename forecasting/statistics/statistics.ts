/** A seeded generator of uniform numbers in [0, 1) (mulberry32): the same seed always gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** First index whose value is not below `value`, in ascending numbers or texts; their count when all are below. */
export function lowerBound<T extends number | string>(ascending: ArrayLike<T>, value: T): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The quantile of ascending numbers, linearly interpolated (like DuckDB's quantile_cont); NaN for an empty list. */
export function quantile(ascending: ArrayLike<number>, fraction: number): number {
  const position = (ascending.length - 1) * fraction
  const low = ascending[Math.floor(position)] ?? Number.NaN
  const high = ascending[Math.ceil(position)] ?? Number.NaN
  return low + (high - low) * (position - Math.floor(position))
}

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

/** The slope of the line through some points with the smallest squared error; 0 where all have one position. */
export function slopeOf(positions: readonly number[], values: readonly number[]): number {
  const centre = mean(positions)
  const height = mean(values)
  const covariance = mean(positions.map((x, k) => (x - centre) * (values[k]! - height)))
  const variance = mean(positions.map((x) => (x - centre) ** 2))
  return variance > 0 ? covariance / variance : 0
}

/** The nearest number to `value` between `low` and `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** A number with so many decimal places. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** The probability of log-odds. */
export const logistic = (odds: number): number => 1 / (1 + Math.exp(-odds))

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
  for (const [position, k] of order.entries()) {
    middles[position] = before + weights[k]! / 2
    before += weights[k]!
  }
  return fractions.map((fraction) => {
    const position = lowerBound(middles, fraction * total)
    if (position === 0) return values[order[0]!]!
    if (position === order.length) return values[order.at(-1)!]!
    const [low, high] = [values[order[position - 1]!]!, values[order[position]!]!]
    const gap = middles[position]! - middles[position - 1]!
    return gap > 0 ? low + ((fraction * total - middles[position - 1]!) / gap) * (high - low) : high
  })
}

/** The median of some numbers; NaN of none. */
export function median(numbers: ArrayLike<number>): number {
  return quantile(ascending(numbers), 0.5)
}
