import { HOUR_MS } from '../../../config/domain.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'

/** Standard normal quantile of 0.9: what the forecast's outer quantiles lie at on either side. */
const Z90 = 1.2815515594457374
const MINUTE_MS = 60_000

/** Distribution function of the standard normal (Abramowitz and Stegun 7.1.26, error below 1.5e-7). */
function normal(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const erf = 1 - poly * Math.exp(-x * x)
  return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2
}

/** Three quantiles tell nothing of the last hundredth: no wait is said to be surer than this. */
export const SUREST = 0.99

/**
 * Probability, 0.99 at most, that a wait drawn from the forecast of an hour is at most `minutes`. Between and beyond its three quantiles
 * (tenths of a minute) the wait is taken for normal on each side of the median: a reading of the quantiles, no more.
 */
export function probabilityWithin(minutes: number, p10: number, p50: number, p90: number): number {
  const [low, middle, high] = [p10 / 10, p50 / 10, p90 / 10]
  if (minutes < 0) return 0
  const side = minutes >= middle ? high - middle : middle - low
  if (side <= 0) return minutes >= middle ? SUREST : 0
  return Math.min(SUREST, normal(((minutes - middle) / side) * Z90))
}

export interface Clearing {
  /** Epoch milliseconds: latest instant to be in the queue. */
  join_ms: number
  /** Probability of being through by the deadline when joining then. */
  probability: number
  wait: { wait_minutes: number; low: number; high: number }
}

/** The forecast hour in which an instant lies; null outside the forecast. */
export function hourOf(series: ForecastSeries, instant: number): { p10: number; p50: number; p90: number } | null {
  const index = Math.floor((instant - series.start_ms) / HOUR_MS)
  const p50 = series.p50[index]
  return p50 === undefined ? null : { p10: series.p10[index]!, p50, p90: series.p90[index]! }
}

/** Joining the queue at an instant: how likely one is through by the deadline. Null outside the forecast. */
export function clearingAt(series: ForecastSeries, join_ms: number, deadline_ms: number): Clearing | null {
  const hour = hourOf(series, join_ms)
  if (!hour) return null
  const { p10, p50, p90 } = hour
  const whole = (tenths: number) => Math.max(0, Math.round(tenths / 10))
  return {
    join_ms,
    probability: probabilityWithin((deadline_ms - join_ms) / MINUTE_MS, p10, p50, p90),
    wait: { wait_minutes: whole(p50), low: whole(p10), high: whole(p90) },
  }
}

/** Instants of one search: to be through by the deadline, joining within the two others (epoch milliseconds). */
export interface Search {
  deadline_ms: number
  earliest_ms: number
  latest_ms: number
}

/**
 * The latest whole minute within the search at which joining the queue clears it by the deadline with at least
 * `probability`; null when there is none, or none that the forecast reaches.
 */
export function latestClearing(
  series: ForecastSeries,
  { deadline_ms, earliest_ms, latest_ms }: Search,
  probability: number,
): Clearing | null {
  const first = Math.ceil(earliest_ms / MINUTE_MS) * MINUTE_MS
  for (
    let join = Math.floor(Math.min(latest_ms, deadline_ms) / MINUTE_MS) * MINUTE_MS;
    join >= first;
    join -= MINUTE_MS
  ) {
    const clearing = clearingAt(series, join, deadline_ms)
    if (clearing && clearing.probability >= probability) return clearing
  }
  return null
}
