import { concatenate } from '../../config/concatenate.ts'

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

/** Joins quantiles in order. */
export function joinQuantiles(parts: readonly Quantiles[]): Quantiles {
  return {
    p10: concatenate(parts.map((part) => part.p10)),
    p50: concatenate(parts.map((part) => part.p50)),
    p90: concatenate(parts.map((part) => part.p90)),
  }
}
