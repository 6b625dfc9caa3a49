import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { instantOfMs } from '../../parsing/fields.ts'
import { closedToAirlines } from './closed-to.ts'
import { type Notam, parseNotam } from './notam.ts'
import { takeSchedule } from './schedule.ts'

/** What the text of a closure says. Most are partial: closed to some aircraft, or only at some hours. */
export interface ClosureText {
  notam: Notam
  closed_to_airlines: boolean | null
  closed_hours_utc: string | null
}

/**
 * Reads the text of a closure. Where its hours cannot be followed, it is not known to shut airlines out: null, but a
 * closure to others stays false.
 */
export function readClosure(text: string): ClosureText {
  const notam = parseNotam(text)
  const { closed_hours_utc, rest, readable } = takeSchedule(notam.body.toUpperCase())
  const closed = closedToAirlines(rest)
  return { notam, closed_to_airlines: !readable && closed ? null : closed, closed_hours_utc }
}

/** Start and end of the NOTAM's tail as instants; null where the text has no tail. */
export function notamPeriod(notam: Notam): Pick<ParsedDelay, 'start' | 'end'> | null {
  const instant = (ms: number | null) => (ms === null ? null : instantOfMs(ms))
  return notam.period && { start: instant(notam.period.start), end: instant(notam.period.end) }
}
