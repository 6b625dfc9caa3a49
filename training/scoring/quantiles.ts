/** Quantiles of some forecast hours, minutes, parallel arrays. */
export interface Quantiles {
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
}

export function emptyQuantiles(rows: number): Quantiles {
  return { p10: new Float64Array(rows), p50: new Float64Array(rows), p90: new Float64Array(rows) }
}

/** Arrays one after the other. */
export function concatenate(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Quantiles one after the other. */
export function joinQuantiles(parts: readonly Quantiles[]): Quantiles {
  return {
    p10: concatenate(parts.map((part) => part.p10)),
    p50: concatenate(parts.map((part) => part.p50)),
    p90: concatenate(parts.map((part) => part.p90)),
  }
}
