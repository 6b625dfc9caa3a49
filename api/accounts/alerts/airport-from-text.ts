import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { resolveCode } from '../../../config/airports/resolve-code.ts'
import { ParameterError } from '../../../config/errors.ts'
import { meantAirport } from '../../data/search/find-airports.ts'
import { placeText } from '../../data/search/place-text.ts'

/** How many candidates the error lists. */
const MAX_CANDIDATES = 6

/**
 * The airport that a person names by a code (of today or before, in any case) or its name.
 * @throws ParameterError on `iata` when no airport matches, or several match and none is meant without doubt
 */
export function airportFromText(directory: Directory, text: string): Airport {
  const resolved = resolveCode(text, directory)
  if (resolved?.airport) return resolved.airport
  if (resolved) throw fault(`${resolved.notice}${resolved.successor ? '; name that airport instead' : ''}`)
  const { airport, choices } = meantAirport(directory, text)
  if (airport) return airport
  if (choices.length === 0) throw fault('no airport has this code or name')
  const candidates = choices
    .slice(0, MAX_CANDIDATES)
    .map((hit) => `${hit.airport.iata} (${hit.airport.name}, ${placeText(hit.airport)})`)
  throw fault(`several airports may be meant; use a code: ${candidates.join(', ')}`)
}

const fault = (message: string) => new ParameterError([{ parameter: 'iata', message }])
