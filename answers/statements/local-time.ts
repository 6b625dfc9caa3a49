import { DateTime } from 'luxon'
import { offsetFinder, zoneOf } from '../../config/time-zones/local-time.ts'
import { isoUtc, MINUTE_MS } from '../../config/vocabulary.ts'

/** The local calendar day (YYYY-MM-DD) of an instant (epoch ms) in a time zone. */
export function localDayAt(instant: number, timezone: string): string {
  return DateTime.fromMillis(instant, { zone: zoneOf(timezone) }).toISODate()!
}

/** An instant (epoch ms) as local time with its offset: 2026-11-21T05:00:00-05:00. An answer may have hundreds; Luxon would take a millisecond for them. */
export function localTime(instant: number, timezone: string): string {
  const offset = offsetFinder(timezone)(instant)
  const local = isoUtc(instant + offset).slice(0, -1)
  if (offset === 0 && UTC.has(timezone.toLowerCase())) return `${local}Z`
  const minutes = Math.abs(offset) / MINUTE_MS
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`
}

/** Zones whose offset is written Z. */
const UTC = new Set(['utc', 'gmt'])

/** The clock of a local time with offset: 05:00. */
export const clockOf = (local: string) => local.slice(11, 16)

/**
 * Epoch milliseconds at which a local day begins, or the day `plusDays` after it; days may have 23 or 25 hours. A day with two
 * midnights, as in Havana in autumn, begins with the first.
 */
export function startOfDay(date: string, timezone: string, plusDays = 0): number {
  const midnight = DateTime.fromISO(date, { zone: zoneOf(timezone) })
    .plus({ days: plusDays })
    .startOf('day')
  const hourBefore = midnight.minus({ hours: 1 })
  return (hourBefore.toISODate() === midnight.toISODate() ? hourBefore : midnight).toMillis()
}
