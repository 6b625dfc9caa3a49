import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import { type Notam, parseNotam, splitSchedule } from './notam.ts'

/** Reads the text of a closure. If its hours cannot be read, `closed_to_airlines` is null instead of true; false stays false. */
export function readClosure(text: string) {
  const notam = parseNotam(text)
  const { closed_hours_utc, rest, readable } = splitSchedule(notam.body.toUpperCase())
  const closed = closedToAirlines(rest)
  return { notam, closed_to_airlines: !readable && closed ? null : closed, closed_hours_utc }
}

/** Start and end of the NOTAM as instants; null if its text has no period. */
export function notamPeriod(notam: Notam): Pick<ParsedDelay, 'start' | 'end'> | null {
  const instant = (ms: number | null) => (ms === null ? null : instantOfMs(ms))
  return notam.period && { start: instant(notam.period.start), end: instant(notam.period.end) }
}

/** A closure of the aerodrome (not of a runway), in the words of NOTAMs and of the FAA. */
const CLOSED = /(?:^|\b(?:AD|AP|ARPT|AIRPORT)\s+)(?:IS\s+)?(?:CLSD|CLOSED)\b\s*/
const NOT_SCHEDULED = /\b(?:NON|UN)[- ]?S(?:KED|CHEDULED)(?:\s+(?:ACR|AIR CARRIERS?|ACFT|OPS))?/g
const AIRLINES = /\b(?:SKED|SCHEDULED|ACR|AIR ?CARRIERS?|AIRLINES?|PART 121)\b/
const EVERYONE = /^(?:ALL\b|FIXED[- ]WING)/
/** Groups of aircraft without scheduled airlines, or with a rare large type only. */
const OTHERS =
  /\b(?:(?:NON|UN)[- ]?S(?:KED|CHEDULED)|TRANSIENT|GA|GENERAL AVIATION|VTOL|F-?\d+|MIL|MILITARY|HEL|HELICOPTERS?|WINGSPAN|TAIL HGT|GLIDERS?|ULTRALIGHTS?|BALLOONS?|TRAINING|TOUCH AND GO|TGL|STUDENT|SOLO|PJE|UAS|PVT|PRIVATE|CHARTERS?|PART (?:91|135)|VFR|EXPERIMENTAL)\b/
/** Flights that may land in spite of a full closure. */
const EMERGENCY_FLIGHTS = new Set(
  'HEL HELS HELO HELICOPTER HELICOPTERS EMERG EMERGENCY SAR LIFE LIFEFLT LIFEGUARD MEDEVAC AMBULANCE HOSP MIL MILITARY FIREFIGHTING FIRE POLICE LAW ENFORCEMENT USCG'.split(
    ' ',
  ),
)
const CONNECTORS = new Set('ACFT AND OR OPS FLT FLTS FLIGHTS AIR FOR ONLY ARR DEP PPR MIN MINS HR HRS'.split(' '))
const CONTACT = /\bCTC\b.*|\b(?:\d{3}-)?\d{3}-\d{4}\b/g

/** Whether a closure with these exceptions is closed to airlines; null when a word of the exceptions is unknown. */
function closedWithExceptions(exceptions: string): boolean | null {
  if (AIRLINES.test(exceptions.replace(NOT_SCHEDULED, ''))) return false
  const words = exceptions.replace(CONTACT, '').match(/[A-Z]+/g) ?? []
  const namesEmergencies = words.some((word) => EMERGENCY_FLIGHTS.has(word))
  return namesEmergencies && words.every((word) => EMERGENCY_FLIGHTS.has(word) || CONNECTORS.has(word)) ? true : null
}

/**
 * Whether the body of a NOTAM, without its hours, closes the airport to scheduled airlines. A bare `AD AP CLSD` does,
 * also when rescue, emergency or military flights are excepted; a closure to another group does not. Null when the text
 * is not understood: an unclear closure never counts as one.
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
  return exceptions.length === 0 ? true : closedWithExceptions(exceptions.join(' '))
}
