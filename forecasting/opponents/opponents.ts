import { localClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { HOUR_MS, MINUTE_MS, WEEK_HOURS } from '../../config/vocabulary.ts'
import { knownRows } from '../features/hourly-series.ts'
import type { PreparedSeries } from '../features/profile.ts'
import { mean, slopeOf } from '../statistics/statistics.ts'

/** Simple rules from elsewhere that the record compares with: the newest wait, and the rule of an open project of this field. */
export const OPPONENTS = ['persistence', 'trend'] as const
export type Opponent = (typeof OPPONENTS)[number]

/** Older hours do not count. */
export const TREND_DAYS = 21
const TREND_HOURS = 3
/** The trend has no weight from this lead on. */
const TREND_MINUTES = 150

/**
 * The forecasts of the rules for some hours (epoch ms), in minutes, from readings available at an instant. Persistence is the
 * newest wait. The trend rule is the mean of the hour of the week in 21 days, and up to 150 minutes ahead, the less the further,
 * the newest level with the slope of the last three hours. Levels are those of whole hours. Null if nothing of 21 days was
 * known.
 */
export function opponentsAt(
  series: PreparedSeries,
  issued_ms: number,
  valid_ms: Float64Array,
): Record<Opponent, Float64Array> | null {
  const { hour_ms, mean: waits, clock, timezone } = series
  const known = Array.from(knownRows(series, issued_ms, TREND_DAYS))
  const newest = known.at(-1)
  if (newest === undefined) return null
  const sums = new Float64Array(WEEK_HOURS)
  const hours = new Float64Array(WEEK_HOURS)
  for (const row of known) {
    const weekHour = weekHourAt(clock, row)
    sums[weekHour]! += waits[row]!
    hours[weekHour]!++
  }
  const overall = mean(known.map((row) => waits[row]!))
  const recent = known.filter((row) => hour_ms[row]! >= issued_ms - TREND_HOURS * HOUR_MS)
  const slope = slopeOf(
    recent.map((row) => hour_ms[row]! / MINUTE_MS),
    recent.map((row) => waits[row]!),
  )
  const horizonClock = localClock(timezone, valid_ms)
  const trend = valid_ms.map((valid, k) => {
    const weekHour = weekHourAt(horizonClock, k)
    const usual = hours[weekHour] === 0 ? overall : sums[weekHour]! / hours[weekHour]!
    // The lead to the middle of the hour.
    const lead = (valid - issued_ms) / MINUTE_MS + 30
    const weight = recent.length === 0 ? 0 : Math.max(0, 1 - lead / TREND_MINUTES)
    const level = waits[newest]! + (slope * (valid - hour_ms[newest]!)) / MINUTE_MS
    return Math.max(0, weight * level + (1 - weight) * usual)
  })
  return { persistence: new Float64Array(valid_ms.length).fill(waits[newest]!), trend }
}
