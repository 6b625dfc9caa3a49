import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { ParameterError } from '../../../config/errors.ts'
import { searchAirports } from '../../data/queries/airport-search.ts'

/** How many candidates the error lists. */
const MAX_CANDIDATES = 6

/**
 * The airport that a person names by its IATA code or its name.
 * @throws ParameterError on `iata` when no airport matches, or several match and not exactly one has scheduled service
 */
export function airportFromText(directory: Directory, text: string): Airport {
  const byCode = directory.byIata.get(text.trim().toUpperCase())
  if (byCode) return byCode
  const found = text.trim() === '' ? [] : searchAirports(directory, text)
  const served = found.filter(({ scheduled_service }) => scheduled_service)
  const [first, ...others] = served.length > 0 ? served : found
  if (!first) throw fault('no airport has this code or name')
  if (others.length === 0) return first
  const candidates = [first, ...others].slice(0, MAX_CANDIDATES).map(({ iata, name }) => `${iata} (${name})`)
  throw fault(`several airports have this name; use a code: ${candidates.join(', ')}`)
}

const fault = (message: string) => new ParameterError([{ parameter: 'iata', message }])
