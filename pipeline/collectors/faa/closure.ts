import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import { type Notam, parseNotam, takeSchedule } from './notam.ts'

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

/** A closure of the aerodrome (not of a runway), as NOTAMs and the FAA's own words put it. */
const CLOSED = /(?:^|\b(?:AD|AP|ARPT|AIRPORT)\s+)(?:IS\s+)?(?:CLSD|CLOSED)\b\s*/
const NOT_SCHEDULED = /\b(?:NON|UN)[- ]?S(?:KED|CHEDULED)(?:\s+(?:ACR|AIR CARRIERS?|ACFT|OPS))?/g
const AIRLINES = /\b(?:SKED|SCHEDULED|ACR|AIR ?CARRIERS?|AIRLINES?|PART 121)\b/
const EVERYONE = /^(?:ALL\b|FIXED[- ]WING)/
/** Groups of aircraft that are not the scheduled airlines, or only the odd large type among them. */
const OTHERS =
  /\b(?:(?:NON|UN)[- ]?S(?:KED|CHEDULED)|TRANSIENT|GA|GENERAL AVIATION|VTOL|F-?\d+|MIL|MILITARY|HEL|HELICOPTERS?|WINGSPAN|TAIL HGT|GLIDERS?|ULTRALIGHTS?|BALLOONS?|TRAINING|TOUCH AND GO|TGL|STUDENT|SOLO|PJE|UAS|PVT|PRIVATE|CHARTERS?|PART (?:91|135)|VFR|EXPERIMENTAL)\b/
/** Those whom even a full closure lets in. */
const RESCUE = new Set(
  'HEL HELS HELO HELICOPTER HELICOPTERS EMERG EMERGENCY SAR LIFE LIFEFLT LIFEGUARD MEDEVAC AMBULANCE HOSP MIL MILITARY FIREFIGHTING FIRE POLICE LAW ENFORCEMENT USCG'.split(
    ' ',
  ),
)
const CONNECTORS = new Set('ACFT AND OR OPS FLT FLTS FLIGHTS AIR FOR ONLY ARR DEP PPR MIN MINS HR HRS'.split(' '))
const CONTACT = /\bCTC\b.*|\b(?:\d{3}-)?\d{3}-\d{4}\b/g

/** Whether a closure that lets in only `exceptions` shuts airlines out; null when a word of them is not understood. */
function despite(exceptions: string): boolean | null {
  if (AIRLINES.test(exceptions.replace(NOT_SCHEDULED, ''))) return false
  const words = exceptions.replace(CONTACT, '').match(/[A-Z]+/g) ?? []
  const rescued = words.some((word) => RESCUE.has(word))
  return rescued && words.every((word) => RESCUE.has(word) || CONNECTORS.has(word)) ? true : null
}

/**
 * Whether a closure, told by the body of its NOTAM without hours, shuts scheduled airlines out. A bare `AD AP CLSD`
 * does, also when rescue, emergency or military flights are excepted; a closure to some other group does not. Null
 * when the text is not understood: an unclear closure is never called a closure.
 */
export function closedToAirlines(body: string): boolean | null {
  const text = body.toUpperCase().replace(/\s+/g, ' ').replace(/\.$/, '').trim()
  const closed = CLOSED.exec(text)
  const condition = closed ? text.slice(closed.index + closed[0].length) : text
  if (!closed && !/^(?:TO|EXC) /.test(condition)) return null
  const [audience = '', ...exceptions] = condition.split(/\bEXC(?:EPT)?\b/).map((part) => part.trim())
  if (/^TO /.test(audience)) {
    const group = audience.slice(3)
    const everyone = EVERYONE.test(group) || AIRLINES.test(group.replace(NOT_SCHEDULED, ''))
    if (!everyone) return OTHERS.test(group) ? false : null
  } else if (audience !== '' && !/^DUE\b/.test(audience)) {
    return null
  }
  return exceptions.length === 0 ? true : despite(exceptions.join(' '))
}
