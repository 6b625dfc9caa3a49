import { distance } from 'fastest-levenshtein'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { closedAirport, resolveCode } from '../../config/airports/resolve-code.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { AirportNotFoundError, ParameterError, type ParameterFault } from '../../config/errors.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import { METRO_CODES, type MetroCode, metroByCode } from '../../config/reference/metro-codes.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { meantText, similarCodes } from '../search/similar-codes.ts'
import { unservedText } from '../statements/unserved.ts'
import type { QueryContext } from './define.ts'

/**
 * The airport with a code: see `resolveCode`.
 * @throws AirportNotFoundError, which names the airport in place of a closed one, or the airports of a metropolitan area code
 */
export function findAirport(code: string, { directory }: Pick<QueryContext, 'directory'>): Airport {
  const resolved = resolveCode(code, directory)
  if (resolved?.airport) return resolved.airport
  if (resolved?.how === 'closed') throw closedAirport(resolved)
  // The code of a city with one airport means that one: EAP is BSL.
  const [only, ...others] = metroByCode(code.trim().toUpperCase())?.airports ?? []
  const airport = only && others.length === 0 ? directory.byIata.get(only.iata) : undefined
  if (airport) return airport
  const { message, airport_named = false } = unknownCode(code, directory)
  throw new AirportNotFoundError(message, { airport_named })
}

/**
 * The airport with a code, if passengers may queue there: flights are scheduled, or a source other than travellers knows its waits.
 * @throws AirportNotFoundError; ParameterError on `iata` for an airport without passenger flights, with what took its place
 */
export function findServedAirport(
  code: string,
  { directory, snapshot }: { directory: Directory; snapshot: Snapshot | null },
): Airport {
  const airport = findAirport(code, { directory })
  const { source } = snapshot?.queue(airport.iata, 'security') ?? { source: null }
  const isObserved = source !== null && source !== CROWD_SOURCE
  const ended = noFlightsText(airport.iata) ?? (isObserved ? null : unservedText(airport.iata))
  if (ended !== null) throw ParameterError.ofNamedAirport('iata', ended)
  return airport
}

/** The fault of a code that no airport has: with the airports of a metropolitan area code, or those that a typing error may mean. */
export function unknownCode(code: string, directory: Directory): Omit<ParameterFault, 'parameter'> {
  const unknown = `no airport has the IATA code ${withoutMarkup(code)}`
  const metro = metroOf(code)
  if (metro === null) return { message: `${unknown}${meantText(similarCodes(code, directory))}` }
  const codes = metro.airports.map(({ iata }) => iata).join(', ')
  return { message: `${unknown}; it stands for all airports of ${metro.name}: ${codes}`, airport_named: true }
}

/** Shorter names are one typing error away from too many other names. */
const MIN_LENGTH_FOR_TYPOS = 4

/**
 * The metropolitan area with a code (LON) or a city name, with its busiest airport first; a name may have one typing error
 * ("Tokio"). Null if there is none.
 */
export function metroOf(query: string): MetroCode | null {
  const code = query.trim().toUpperCase()
  const name = query.trim().toLowerCase()
  const all = METRO_CODES.rows()
  const metro =
    metroByCode(code) ??
    all.find((candidate) => candidate.name.toLowerCase() === name) ??
    (name.length < MIN_LENGTH_FOR_TYPOS
      ? undefined
      : all.find(
          (other) => Math.abs(other.name.length - name.length) <= 1 && distance(other.name.toLowerCase(), name) === 1,
        ))
  if (!metro) return null
  const airports = metro.airports.toSorted((a, b) => (b.traffic_rank ?? 0) - (a.traffic_rank ?? 0))
  return { ...metro, airports }
}
