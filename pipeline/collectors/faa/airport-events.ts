import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { asList, type FieldReader } from '../../parsing/fields.ts'
import { notamPeriod, readClosure } from './closure.ts'
import { agreeingMinutes, airportOf, delayRow, type ReadRow, reasonOf } from './delay-row.ts'
import { eventCollector } from './event-list.ts'
import { durationMinutes, trendOf } from './values.ts'

type ReadEvent = (event: FieldReader) => Partial<ParsedDelay>

const period = (event: FieldReader) => ({ start: event.instant('startTime'), end: event.instant('endTime') })

/** The flights that a program affects, as published: `ALL CONTIGUOUS US DEP; within 1200 NM; with CYEG CYVR`. */
function scopeOf(event: FieldReader): string | null {
  const radius = event.number('departureScope')
  const facilities = asList(event.row.includedFacilities).filter((facility) => typeof facility === 'string')
  const parts = [
    event.text('includedFlights')?.replace(/^:\s*/, ''),
    radius === null ? null : `within ${radius} NM`,
    facilities.length > 0 ? `with ${facilities.join(' ')}` : null,
  ]
  return parts.filter(Boolean).join('; ') || null
}

const groundStop: ReadEvent = (event) => ({
  ...reasonOf(event, 'impactingCondition'),
  ...period(event),
  scope: scopeOf(event),
})

const groundDelay: ReadEvent = (event) => {
  const average = event.minutes('avgDelay')
  const longest = event.minutes('maxDelay')
  return { ...groundStop(event), ...agreeingMinutes(event, { average, longest }) }
}

/** A delay with or without a range; the average is minutes as text, the range is in words. */
const delay: ReadEvent = (event) => {
  const range = event.has('arrivalDeparture') ? event.within('arrivalDeparture') : null
  return {
    ...reasonOf(event, 'reason'),
    ...agreeingMinutes(event, {
      average: event.minutes('averageDelay'),
      shortest: range?.read('min', durationMinutes) ?? null,
      longest: range?.read('max', durationMinutes) ?? null,
    }),
    trend: event.read('trend', trendOf) ?? range?.read('trend', trendOf) ?? null,
  }
}

/** A closure in the FAA's words, or (freeForm) as a NOTAM. The NOTAM's period is used where a time is missing. */
const closure: ReadEvent = (event) => {
  const reason = event.text('simpleText') ?? event.text('text')
  const read = reason === null ? null : readClosure(reason)
  const notam = read && notamPeriod(read.notam)
  const { start, end } = period(event)
  const closed = read?.closed_to_airlines ?? null
  if (closed === null) {
    event.info('closure_unclear', 'The text does not say whether the airport is closed to airlines.', reason)
  }
  return {
    reason,
    reason_category: 'closure',
    start: start ?? notam?.start ?? null,
    end: end ?? notam?.end ?? null,
    closed_to_airlines: closed,
    closed_hours_utc: read?.closed_hours_utc ?? null,
  }
}

/** The events that a row of an airport may hold, by key. Its other keys (runways in use, deicing) are not delays. */
const AIRPORT_EVENTS: Record<string, { type: ParsedDelay['type']; read: ReadEvent }> = {
  groundStop: { type: 'ground_stop', read: groundStop },
  groundDelay: { type: 'ground_delay', read: groundDelay },
  arrivalDelay: { type: 'arrival_delay', read: delay },
  departureDelay: { type: 'departure_delay', read: delay },
  airportClosure: { type: 'closure', read: closure },
  freeForm: { type: 'closure', read: closure },
}

const airportRow: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'airportId', document)
  if (!airport) return []
  return Object.entries(AIRPORT_EVENTS).flatMap(([key, { type, read }]) => {
    const event = fields.has(key) ? fields.within(key) : null
    return event ? [{ ...delayRow(airport.faaId, type, document), iata: airport.iata, ...read(event) }] : []
  })
}

/** The NAS status as JSON: a row for each airport with an event, with dated times and scopes. */
export const faaAirportEvents = eventCollector(
  'faa-airport-events',
  (row) => 'airportId' in row && Object.keys(AIRPORT_EVENTS).some((key) => key in row),
  airportRow,
)
