import { HOUR_MS } from '../../../config/domain.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'
import { minutesFromTenths, quantilesAt } from '../queries/forecast-hour.ts'

/** When to join a security queue so as to clear it before a deadline, from the quantiles of the forecast. */

export const MINUTE_MS = 60_000

/** The standard normal quantile of 0.9: the distance of p10 and p90 from the median, in standard deviations. */
const Z90 = 1.2815515594457374

/** The highest probability that is ever stated: three quantiles say nothing about the last hundredth. */
export const MAX_PROBABILITY = 0.99

/** Distribution function of the standard normal (Abramowitz and Stegun 7.1.26, error below 1.5e-7). */
function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const erf = 1 - poly * Math.exp(-x * x)
  return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2
}

/**
 * The probability, at most 0.99, that a wait from the forecast of an hour is at most `minutes`. The wait is assumed to be
 * normal on each side of the median, with the spread that p10 and p90 (tenths of a minute) give.
 */
export function probabilityWithin(minutes: number, p10: number, p50: number, p90: number): number {
  const low = p10 / 10
  const median = p50 / 10
  const high = p90 / 10
  if (minutes < 0) return 0
  const spread = minutes >= median ? high - median : median - low
  if (spread <= 0) return minutes >= median ? MAX_PROBABILITY : 0
  return Math.min(MAX_PROBABILITY, normalCdf(((minutes - median) / spread) * Z90))
}

/** What is expected of joining the queue at an instant. */
export interface Clearing {
  /** Epoch milliseconds. */
  join_ms: number
  /** Probability of clearing security by the deadline. */
  probability: number
  wait: { wait_minutes: number; low: number; high: number }
}

/** The clearing of a queue that is joined at `join_ms`; null outside the forecast. */
export function clearingAt(series: ForecastSeries, join_ms: number, deadline_ms: number): Clearing | null {
  const quantiles = quantilesAt(series, join_ms)
  if (!quantiles) return null
  const { p10, p50, p90 } = quantiles
  return {
    join_ms,
    probability: probabilityWithin((deadline_ms - join_ms) / MINUTE_MS, p10, p50, p90),
    wait: { wait_minutes: minutesFromTenths(p50), low: minutesFromTenths(p10), high: minutesFromTenths(p90) },
  }
}

/** The limits of a search, epoch milliseconds: clear security by the deadline, join between earliest and latest. */
export interface ClearingSearch {
  deadline_ms: number
  earliest_ms: number
  latest_ms: number
}

/**
 * The latest whole minute at which joining the queue clears it by the deadline with at least `probability`; null when
 * there is none within the search and the forecast.
 */
export function latestClearing(
  series: ForecastSeries,
  { deadline_ms, earliest_ms, latest_ms }: ClearingSearch,
  probability: number,
): Clearing | null {
  const first = Math.ceil(earliest_ms / MINUTE_MS) * MINUTE_MS
  const last = Math.floor(Math.min(latest_ms, deadline_ms) / MINUTE_MS) * MINUTE_MS
  for (let join = last; join >= first; join -= MINUTE_MS) {
    const clearing = clearingAt(series, join, deadline_ms)
    if (clearing && clearing.probability >= probability) return clearing
  }
  return null
}

/** Travellers do not go earlier than this for a shorter queue, and bag drops open about this long before departure. */
const CALMEST_SEARCH_MS = 3 * HOUR_MS

/**
 * The clearing with the shortest expected wait in the three hours before the latest one, in hours in which security is
 * open: at the last minute of its hour, or the latest clearing itself.
 */
export function calmestClearing(
  series: ForecastSeries,
  latest: Clearing,
  { deadline_ms, earliest_ms }: ClearingSearch,
  isOpen: (instant: number) => boolean,
): Clearing {
  let calmest = latest
  const first = Math.max(earliest_ms, latest.join_ms - CALMEST_SEARCH_MS)
  for (let end = Math.floor(latest.join_ms / HOUR_MS) * HOUR_MS - MINUTE_MS; end >= first; end -= HOUR_MS) {
    const clearing = isOpen(end) ? clearingAt(series, end, deadline_ms) : null
    if (clearing && clearing.wait.wait_minutes < calmest.wait.wait_minutes) calmest = clearing
  }
  return calmest
}
