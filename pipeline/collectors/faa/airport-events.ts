import type { Collector } from '../../parsing/collector.ts'
import { airportOf, delayRow, type ReadRow } from './delay-row.ts'
import { readEvents } from './event-list.ts'
import { AIRPORT_EVENTS } from './event-rows.ts'

const airportRow: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'airportId', document)
  if (!airport) return []
  return Object.entries(AIRPORT_EVENTS).flatMap(([key, { type, read }]) => {
    const event = fields.has(key) ? fields.within(key) : null
    return event ? [{ ...delayRow(airport.faaId, type, document), iata: airport.iata, ...read(event) }] : []
  })
}

/** The JSON sibling of the NAS status: a row for each airport that has an event, with dated times and scopes. */
export const faaAirportEvents: Collector<'delays'> = {
  id: 'faa-airport-events',
  lands: 'delays',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'application/json' }, body: null, iata: null },
  ],
  parse: (body, context) =>
    readEvents(
      body,
      context,
      (row) => 'airportId' in row && Object.keys(AIRPORT_EVENTS).some((key) => key in row),
      airportRow,
    ),
}
