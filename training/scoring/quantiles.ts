/** Quantiles of a list of forecast hours in minutes, as parallel arrays. */
export interface Quantiles {
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
}

/** Quantiles of `rows` forecast hours, all zero. */
export function emptyQuantiles(rows: number): Quantiles {
  return { p10: new Float64Array(rows), p50: new Float64Array(rows), p90: new Float64Array(rows) }
}

/** Joins arrays in order. */
export function concatenate(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Joins quantiles in order. */
export function joinQuantiles(parts: readonly Quantiles[]): Quantiles {
  return {
    p10: concatenate(parts.map((part) => part.p10)),
    p50: concatenate(parts.map((part) => part.p50)),
    p90: concatenate(parts.map((part) => part.p90)),
  }
}
