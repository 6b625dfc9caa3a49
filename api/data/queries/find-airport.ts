import type { Airport } from '../../../config/airports/directory.ts'
import { HoldshortError } from '../../../config/errors.ts'
import type { QueryContext } from './define.ts'
import { metroOf } from './metro-of.ts'

/**
 * The airport of a well-formed code.
 * @throws HoldshortError AIRPORT_NOT_FOUND
 */
export function findAirport(code: string, { directory }: Pick<QueryContext, 'directory'>): Airport {
  const airport = directory.byIata.get(code)
  if (!airport) throw new HoldshortError('AIRPORT_NOT_FOUND', `no airport has the IATA code ${code}${ofMetro(code)}`)
  return airport
}

/** Where a code is that of a city: its airports, the ones to ask for. */
function ofMetro(code: string): string {
  const metro = metroOf(code)
  return metro
    ? `; it stands for all airports of ${metro.name}: ${metro.airports.map(({ iata }) => iata).join(', ')}`
    : ''
}
