export const QUANTILE_NAMES = ['p10', 'p50', 'p90'] as const

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

/** A forecast is close when its median is at most this many minutes from the wait. */
export const NEAR_MINUTES = 5

/** Whether an observed wait is within 5 minutes of the forecast median. */
export function isWithin5(observed: number, p50: number): boolean {
  return Math.abs(observed - p50) <= NEAR_MINUTES
}
