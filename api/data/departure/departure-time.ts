import { DateTime } from 'luxon'
import { DAY_MS } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'

/** Departures further ahead are refused: the holidays of the reference end, and nothing is known of them. */
const MAX_DAYS = 366

export interface DepartureTime {
  /** Epoch milliseconds. */
  departure_ms: number
  /** What to know about a clock time that occurs twice; null for any other. */
  note: string | null
}

/** A `+` that is not encoded arrives as a space. */
const OFFSET_WITH_SPACE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?) (\d{2}:?\d{2})$/
const HAS_OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i

/**
 * The instant of a departure that is given in the airport's local time, or with an offset. A clock time that occurs twice, when
 * the clocks go back, is taken as the first of the two.
 * @throws ParameterError for a time that does not exist, is in the past or too far ahead
 */
export function departureTime(text: string, timezone: string, now: number): DepartureTime {
  const error = (message: string) => new ParameterError([{ parameter: 'departure', message }])
  const iso = text.trim().replace(OFFSET_WITH_SPACE, '$1+$2').replace(' ', 'T')
  const parsed = DateTime.fromISO(iso, { zone: zoneOf(timezone) })
  if (!parsed.isValid) throw error('must be a date and time that exist, like 2026-11-25T17:30')
  const isLocal = !HAS_OFFSET.test(iso.slice(11))
  if (isLocal && parsed.toFormat("yyyy-MM-dd'T'HH:mm") !== iso.slice(0, 16))
    throw error(`does not exist in ${timezone}: the clocks go forward over it`)
  const possible = isLocal ? parsed.getPossibleOffsets() : [parsed]
  const departure_ms = Math.min(...possible.map((one) => one.toMillis()))
  const local = DateTime.fromMillis(departure_ms, { zone: zoneOf(timezone) }).toFormat('yyyy-MM-dd HH:mm')
  if (departure_ms <= now)
    throw error(
      `must be in the future: it is ${DateTime.fromMillis(now, { zone: zoneOf(timezone) }).toFormat('yyyy-MM-dd HH:mm')} at the airport, and ${local} has passed`,
    )
  if (departure_ms > now + MAX_DAYS * DAY_MS) throw error(`must be within the next ${MAX_DAYS} days`)
  const note =
    possible.length > 1
      ? 'the clocks go back that night, so this time occurs twice: the first of the two is taken; give an offset for the second'
      : null
  return { departure_ms, note }
}
