/** Three quantiles of a wait, in minutes. */
export interface WaitQuantiles {
  p10: number
  p50: number
  p90: number
}

/** The part of the distance from median to p10 that the shortest wait lies below p10. */
const BELOW_P10 = 1 / 4
/** An exponential tail from the median on falls to a tenth at p90: five times below the half. */
const FALL_TO_P90 = 5

/**
 * The quantile of a wait. Below the median it is linear, down to a quarter of the distance below p10; above it the tail is
 * exponential, as posted waits are: over 25 US airports p99 lies 2.4 times as far above the median as p90, and so does this.
 */
export function waitQuantile({ p10, p50, p90 }: WaitQuantiles, fraction: number): number {
  if (fraction > 0.5) return p50 + ((Math.max(p90, p50) - p50) * Math.log(0.5 / (1 - fraction))) / Math.log(FALL_TO_P90)
  const low = Math.max(0, Math.min(p10, p50))
  if (fraction >= 0.1) return low + ((p50 - low) * (fraction - 0.1)) / 0.4
  const lowest = Math.max(0, low - (p50 - low) * BELOW_P10)
  return lowest + ((low - lowest) * fraction) / 0.1
}

/** The probability that a wait is longer than some minutes: the inverse of `waitQuantile`. */
export function probabilityOver({ p10, p50, p90 }: WaitQuantiles, minutes: number): number {
  if (minutes >= p50) {
    const spread = Math.max(p90, p50) - p50
    return spread === 0 ? 0 : 0.5 * FALL_TO_P90 ** (-(minutes - p50) / spread)
  }
  const low = Math.max(0, Math.min(p10, p50))
  if (minutes >= low) return 0.9 - (0.4 * (minutes - low)) / (p50 - low)
  const lowest = Math.max(0, low - (p50 - low) * BELOW_P10)
  return minutes <= lowest ? 1 : 1 - (0.1 * (minutes - lowest)) / (low - lowest)
}
