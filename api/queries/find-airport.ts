import type { Airport } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { QueryContext } from './define.ts'

/**
 * The airport of a well-formed code.
 * @throws HoldshortError AIRPORT_NOT_FOUND
 */
export function findAirport(code: string, { directory }: Pick<QueryContext, 'directory'>): Airport {
  const airport = directory.byIata.get(code)
  if (!airport) throw new HoldshortError('AIRPORT_NOT_FOUND', `no airport has the IATA code ${code}`)
  return airport
}
