/** Quantiles of some forecast hours, minutes, parallel arrays. */
export interface Quantiles {
  p10: Float64Array
  p50: Float64Array
  p90: Float64Array
}

export function emptyQuantiles(rows: number): Quantiles {
  return { p10: new Float64Array(rows), p50: new Float64Array(rows), p90: new Float64Array(rows) }
}
