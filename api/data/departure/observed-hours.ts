import { DateTime } from 'luxon'
import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import type { HistorySeries } from '../../../warehouse/serving/published/history.ts'

const DAYS = 14
/** Fewer observed hours do not show when security is open. */
const MIN_OBSERVED_HOURS = 72

/** The local hours (0 to 23) with a security reading in the last two weeks; null with too few readings. */
export function observedHours(history: HistorySeries | null, timezone: string, now: number): Set<number> | null {
  const first = (now - DAYS * DAY_MS) / HOUR_MS
  const hours = [...(history?.hour ?? [])].filter((hour) => hour >= first)
  if (hours.length < MIN_OBSERVED_HOURS) return null
  return new Set(hours.map((hour) => DateTime.fromMillis(hour * HOUR_MS, { zone: timezone }).hour))
}
