import type { Directory } from '../../../config/airports/directory.ts'
import { ParameterError } from '../../../config/errors.ts'
import { meantAirport } from '../search/find-airports.ts'
import type { Tool } from '../tools/define.ts'
import { isObject } from './json-object.ts'

/** How many airports the error names. */
const MAX_CHOICES = 5
const MAX_NAME_LENGTH = 100
const CODE = /^[A-Z]{3}$/

/**
 * The arguments of a call with the code of an airport where its name was given: LHR for "Heathrow" or "lhr". A model that calls
 * a tool with the traveller's words means that airport.
 * @throws ParameterError that names the choices when several airports may be meant
 */
export function withAirportCodes(tool: Tool, input: unknown, directory: Directory): unknown {
  if (!isObject(input)) return input
  const { iata, airports } = input
  const fields = tool.query.input.shape
  const changed: Record<string, unknown> = {}
  if (typeof iata === 'string' && 'iata' in fields) changed.iata = codeFor(iata, 'iata', directory)
  if (Array.isArray(airports) && 'airports' in fields)
    changed.airports = airports.map((name: unknown, index) =>
      typeof name === 'string' ? codeFor(name, `airports.${index}`, directory) : name,
    )
  return Object.assign({}, input, changed)
}

/** The code of the airport that a text means; the text itself where it is a code, or names none: then the schema says so. */
function codeFor(text: string, parameter: string, directory: Directory): string {
  if (CODE.test(text) || text.length > MAX_NAME_LENGTH) return text
  const { airport, choices } = meantAirport(directory, text)
  if (airport) return airport.iata
  if (choices.length === 0) return text
  const named = choices.slice(0, MAX_CHOICES).map((hit) => `${hit.airport.iata} (${hit.airport.name})`)
  const message =
    choices.length === 1
      ? `use the code if this is meant: ${named[0]}`
      : `use the code of one of these: ${named.join(', ')}`
  throw new ParameterError([{ parameter, message }])
}
