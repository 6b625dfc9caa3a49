import { DateTime } from 'luxon'
import { timezoneOf } from '../../config/airports/directory.ts'
import { instantsOfLocalTime, offsetFinder, zoneOf } from '../../config/time-zones/local-time.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { localTime } from './local-time.ts'

/**
 * A clock with its day where it is another than that of `now` (epoch ms): `04:00`, `04:00 on Mon 23 Nov`. A time that occurs twice
 * says which one is meant: `01:30 EDT`; that of a place whose zone is not known is in UTC, and says so.
 */
export function clockOn(instant: string, timezone: string, now: number): string {
  const instant_ms = Date.parse(instant)
  const local = localTime(instant_ms, timezone)
  const isTwice = instantsOfLocalTime(timezone, instant_ms + offsetFinder(timezone)(instant_ms)).length > 1
  const zone = isTwice
    ? ` ${DateTime.fromMillis(instant_ms, { zone: zoneOf(timezone), locale: 'en' }).offsetNameShort}`
    : ''
  const clock = `${local.slice(11, 16)}${timezone === 'UTC' ? ' UTC' : zone}`
  return local.slice(0, 10) === localTime(now, timezone).slice(0, 10) ? clock : `${clock} on ${dayText(local)}`
}

/** An instant on the clock of an airport, as `clockOn`. */
export const clockText = (instant: string, iata: string, now: string): string =>
  clockOn(instant, timezoneOf(iata), Date.parse(now))

/** The weekday and date of a local time or day: `Fri 27 Nov`. */
export function dayText(local: string): string {
  // Fri, 27 Nov 2026 00:00:00 GMT
  const text = new Date(`${local.slice(0, 10)}T00:00:00Z`).toUTCString()
  return `${text.slice(0, 3)} ${Number(text.slice(5, 7))} ${text.slice(8, 11)}`
}

/** Further ahead than this, a weekday and date without a year may be taken for those of this year. */
const MAX_WITHOUT_YEAR_MS = 183 * DAY_MS

/** The same of a day that may be far ahead of an instant: `Sun 28 Nov 2027`. */
export const dayTextFrom = (local: string, now: string): string =>
  Date.parse(local) - Date.parse(now) > MAX_WITHOUT_YEAR_MS ? `${dayText(local)} ${local.slice(0, 4)}` : dayText(local)

/**
 * The clocks of two instants: `22:00 to 05:00 on Sat 28 Nov`. A span of more than a day has both days, because it would read as one of
 * hours: `13:00 today to 19:00 on Sat 28 Nov`. A common day stands once, first: `Sat 28 Nov 05:00 to 08:00`.
 */
export function spanText(from: string, to: string, timezone: string, now: number): string {
  const [begin, end] = [from, to].map((instant) => clockOn(instant, timezone, now))
  const isLong = Date.parse(to) - Date.parse(from) >= DAY_MS
  const [first, last] = [begin!, end!].map((clock) => (isLong && !clock.includes(' on ') ? `${clock} today` : clock))
  const [day] = / on .*$/.exec(last!) ?? []
  if (day === undefined || !first!.endsWith(day)) return `${first} to ${last}`
  return `${day.slice(' on '.length)} ${first!.slice(0, -day.length)} to ${last!.slice(0, -day.length)}`
}

/** The same on the clock of an airport, as `clockText`. */
export const spanTextAt = (from: string, to: string, iata: string, now: string): string =>
  spanText(from, to, timezoneOf(iata), Date.parse(now))
