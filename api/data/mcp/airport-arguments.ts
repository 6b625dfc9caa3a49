import type { Directory } from '../../../config/airports/directory.ts'
import { closedAirport, resolveCode } from '../../../config/airports/resolve-code.ts'
import { ParameterError } from '../../../config/errors.ts'
import { meantAirport } from '../search/find-airports.ts'
import { placeText } from '../search/place-text.ts'
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
export function withAirportCodes(tool: Tool, input: unknown, directory: Directory): AirportArguments {
  if (!isObject(input)) return { input, notice: null }
  const { iata, airports, destination } = input
  const fields = tool.query.input.shape
  const changed: Record<string, unknown> = {}
  const notices: string[] = []
  const read = (text: unknown, parameter: string) =>
    typeof text === 'string' ? codeFor(text, parameter, directory, notices) : text
  if (typeof iata === 'string' && 'iata' in fields) changed.iata = read(iata, 'iata')
  if (typeof destination === 'string' && 'destination' in fields) changed.destination = read(destination, 'destination')
  if (Array.isArray(airports) && 'airports' in fields)
    changed.airports = airports.map((name: unknown, index) => read(name, `airports.${index}`))
  return { input: Object.assign({}, input, changed), notice: notices.length > 0 ? notices.join(' ') : null }
}

interface AirportArguments {
  input: unknown
  /** What is to be said about a former code that was sent in a form which the query does not know. */
  notice: string | null
}

/** The code of the airport that a text means; the text itself where it is a code, or names none: then the schema says so. */
function codeFor(text: string, parameter: string, directory: Directory, notices: string[]): string {
  // The query knows former codes in capitals itself.
  if (CODE.test(text) || text.length > MAX_NAME_LENGTH) return text
  const resolved = resolveCode(text, directory)
  if (resolved?.how === 'closed') throw closedAirport(resolved)
  if (resolved) {
    if (resolved.notice) notices.push(resolved.notice)
    return resolved.airport.iata
  }
  const { airport, choices } = meantAirport(directory, text)
  if (airport) return airport.iata
  if (choices.length === 0) return text
  const named = choices
    .slice(0, MAX_CHOICES)
    .map((hit) => `${hit.airport.iata} (${hit.airport.name}, ${placeText(hit.airport)})`)
  const message =
    choices.length === 1
      ? `use the code if this is meant: ${named[0]}`
      : `use the code of one of these: ${named.join(', ')}`
  throw new ParameterError([{ parameter, message }])
}
