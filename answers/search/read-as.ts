import type { Directory } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { meantAirport } from './find-airports.ts'
import type { AirportHit } from './hits.ts'
import { matchReason } from './match-reason.ts'
import { placeText } from './place-text.ts'

/** `FRA (Frankfurt Airport, Frankfurt am Main, Hesse, Germany)`; behind an airport without flights that it has none. */
export function choiceText({ airport }: AirportHit): string {
  const ended = noFlightsText(airport.iata) === null ? null : '; no passenger flights'
  const flights = ended ?? (airport.scheduled_service ? '' : '; no scheduled flights')
  return `${airport.iata} (${airport.name}, ${placeText(airport)}${flights})`
}

const CODES: ReadonlySet<AirportHit['matched_by']> = new Set(['IATA code', 'ICAO code', 'FAA id'])

/**
 * A remark about the airport of a text, if its own name does not show the match: `Read as FRA (Frankfurt Airport, …): its city
 * is also called "Frankfort".` Null if it does.
 */
export function readAsText(hit: AirportHit): string | null {
  const reason = CODES.has(hit.matched_by) ? null : matchReason(hit)
  return reason === null ? null : `Read as ${choiceText(hit)}: ${reason}.`
}

const MAX_LETTERS = 100

/** The same of an airport and the text that led to it; null if that text does not mean it. */
export function readingOf(directory: Directory, text: unknown, iata: string): string | null {
  if (typeof text !== 'string' || text === '' || text.length > MAX_LETTERS) return null
  const { airport, choices } = meantAirport(directory, text)
  const [first] = choices
  return first && airport?.iata === iata ? readAsText(first) : null
}
