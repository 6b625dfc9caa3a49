import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { ParameterError } from '../../../config/errors.ts'
import { searchAirports } from '../../data/queries/airport-search.ts'

/** How many candidates a person is shown. */
const SHOWN = 6

/**
 * The airport that a person means by an IATA code or a name.
 * @throws ParameterError on `iata` when there is none, or several and none is served by airlines alone.
 */
export function namedAirport(directory: Directory, text: string): Airport {
  const byCode = directory.byIata.get(text.trim().toUpperCase())
  if (byCode) return byCode
  const found = text.trim() === '' ? [] : searchAirports(directory, text)
  const served = found.filter(({ scheduled_service }) => scheduled_service)
  const [first, ...others] = served.length > 0 ? served : found
  if (!first) throw fault('no airport has this code or name')
  if (others.length === 0) return first
  const candidates = [first, ...others].slice(0, SHOWN).map(({ iata, name }) => `${iata} (${name})`)
  throw fault(`several airports are called so; give the code: ${candidates.join(', ')}`)
}

const fault = (message: string) => new ParameterError([{ parameter: 'iata', message }])
