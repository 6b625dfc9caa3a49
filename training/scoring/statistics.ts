/** Quantile of ascending numbers, linear between neighbours (type 7, as DuckDB's quantile_cont); NaN of none. */
export function sortedQuantile(ascending: ArrayLike<number>, quantile: number): number {
  if (ascending.length === 0) return Number.NaN
  const place = (ascending.length - 1) * quantile
  const below = Math.floor(place)
  const low = ascending[below]!
  const high = ascending[Math.min(below + 1, ascending.length - 1)]!
  return low + (high - low) * (place - below)
}

/** Ascending copy as a typed array. */
export function ascending(numbers: ArrayLike<number>): Float64Array {
  return new Float64Array(numbers).sort()
}

export function mean(numbers: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < numbers.length; k++) sum += numbers[k]!
  return sum / numbers.length
}

/** `value` held between two bounds. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** A seeded generator of uniform numbers in [0, 1) (mulberry32): the same seed always gives the same fit. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** First index whose value is not below `value`, in ascending numbers. */
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
