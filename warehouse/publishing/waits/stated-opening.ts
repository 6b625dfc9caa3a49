import { DateTime } from 'luxon'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'

const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))? ?([ap])?(?:\.?m\.?)?`
/** "Opens 4am", "Closed, opens at 3:30 a.m. tomorrow", "Closed until 04:00". */
const OPENING = new RegExp(
  `^(?:closed[,.;:]? ?(?:- ?)?)?(?:(?:re)?opens?(?: again)?|until)(?: at)? ${CLOCK}(?: local time)?( tomorrow)?(?: local time)?[.!]?$`,
)
/** "Open 3:30 AM - 8:00 PM", "Closed. Hours: 04:00 to 22:00", "open 04:00-24:00". */
const HOURS = new RegExp(
  `^(?:closed[,.;:]? ?(?:- ?)?)?(?:open|hours|opening hours|open hours|open daily|daily):? ${CLOCK} ?(?:-|–|—|to) ?${CLOCK}[.]?$`,
)

interface Clock {
  hour: number
  minute: number
}

/** A clock as people write it; null if it is not plain: "4" may be the morning or the afternoon. */
function clockOf(hours: string | undefined, minutes: string | undefined, half: string | undefined): Clock | null {
  const hour = Number(hours)
  const minute = Number(minutes ?? 0)
  if (minute > 59 || (half === undefined && minutes === undefined)) return null
  if (half === undefined) return hour <= 23 || (hour === 24 && minute === 0) ? { hour: hour % 24, minute } : null
  return hour < 1 || hour > 12 ? null : { hour: (hour % 12) + (half === 'p' ? 12 : 0), minute }
}

const minuteOf = ({ hour, minute }: Clock) => hour * 60 + minute

/** The hours that words like "Opens 4am" or "Open 3:30 AM - 8:00 PM" state; null if they state none. */
export function statedHours(text: string | null) {
  if (text === null) return null
  const words = text.toLowerCase().replace(/\s+/g, ' ').trim()
  const [, hour, minute, half, tomorrow] = OPENING.exec(words) ?? []
  const opens = clockOf(hour, minute, half)
  if (opens) return { opens: minuteOf(opens), closes: null, is_tomorrow: tomorrow !== undefined }
  const [, fromHour, fromMinute, fromHalf, toHour, toMinute, toHalf] = HOURS.exec(words) ?? []
  const from = clockOf(fromHour, fromMinute, fromHalf)
  const to = clockOf(toHour, toMinute, toHalf)
  return from && to ? { opens: minuteOf(from), closes: minuteOf(to), is_tomorrow: false } : null
}

/**
 * When a closed queue opens by the words of its source: the next such time on the airport's clock after the observation, in
 * epoch ms. Null if the words name none, or contradict the closure.
 */
export function publishedOpening(text: string | null, iata: string, observed_at: string): number | null {
  const stated = statedHours(text)
  const timezone = airportDirectory().byIata.get(iata)?.timezone
  if (stated === null || timezone === undefined) return null
  const { opens, closes, is_tomorrow } = stated
  const observed = DateTime.fromISO(observed_at, { zone: zoneOf(timezone) })
  const now = observed.hour * 60 + observed.minute
  const shouldBeOpen = closes !== null && (opens < closes ? now >= opens && now < closes : now >= opens || now < closes)
  return shouldBeOpen ? null : nextAt(observed, opens, is_tomorrow)
}

function nextAt(observed: DateTime, minute: number, isTomorrow: boolean): number {
  const today = observed.set({ hour: Math.floor(minute / 60), minute: minute % 60, second: 0, millisecond: 0 })
  return (isTomorrow || today <= observed ? today.plus({ days: 1 }) : today).toMillis()
}
