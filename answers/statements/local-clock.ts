import { airportDirectory } from '../../config/airports/directory.ts'
import { localTime } from './local-time.ts'

/**
 * An instant on the clock of an airport: `18:30`, or `18:30 on Fri 27 Nov` where its local day is not that of `now`. In UTC where the
 * directory does not have the airport.
 */
export function clockText(instant: string, iata: string, now: string): string {
  const timezone = timezoneOf(iata)
  const local = localTime(Date.parse(instant), timezone)
  const today = localTime(Date.parse(now), timezone).slice(0, 10)
  const clock = `${local.slice(11, 16)}${timezone === 'UTC' ? ' UTC' : ''}`
  return local.slice(0, 10) === today ? clock : `${clock} on ${dayText(local)}`
}

/** The time zone of an airport; UTC where the directory does not have it. */
export const timezoneOf = (iata: string): string => airportDirectory().byIata.get(iata)?.timezone ?? 'UTC'

/** The weekday and date of a local time or day: `Fri 27 Nov`. */
export function dayText(local: string): string {
  // Fri, 27 Nov 2026 00:00:00 GMT
  const text = new Date(`${local.slice(0, 10)}T00:00:00Z`).toUTCString()
  return `${text.slice(0, 3)} ${Number(text.slice(5, 7))} ${text.slice(8, 11)}`
}

/** Two clocks with what lies between them: `22:00 to 05:00 on Sat 28 Nov`. A day that both have is said once, first: `Sat 28 Nov 05:00 to 08:00`. */
export function spanText(from: string, to: string): string {
  const [day] = / on .*$/.exec(to) ?? []
  if (day === undefined || !from.endsWith(day)) return `${from} to ${to}`
  return `${day.slice(' on '.length)} ${from.slice(0, -day.length)} to ${to.slice(0, -day.length)}`
}
