import type { Airport, Directory } from '../../config/airports/directory.ts'
import { closedAirport, resolveCode } from '../../config/airports/resolve-code.ts'
import { ParameterError, type ParameterFault } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import { meantAirport } from '../search/find-airports.ts'
import { meantText } from '../search/similar-codes.ts'
import { terminalInFigures } from './terminal-in-figures.ts'

/** The parameters that hold one code of an airport, or a list of them. */
const CODE = ['iata', 'destination'] as const
const CODES = ['airports', 'codes'] as const

/**
 * An input with the IATA code of today wherever an airport is named by another code (`jfk`, `KJFK`, a former one), its
 * terminal in figures, and a sentence about former codes; null: none was former.
 * @throws AirportNotFoundError for the code of a closed airport, ParameterError where it is that of a destination
 */
export function presentCodes(input: unknown, directory: Directory): { data: unknown; notice: string | null } {
  if (!isObject(input)) return { data: input, notice: null }
  const changed: Record<string, unknown> = {}
  const notices = new Set<string>()
  const present = (code: string, parameter: string): string => {
    const resolved = resolveCode(code, directory)
    if (resolved === null) return code
    // A list of many airports names its unknown codes itself.
    if (resolved.how === 'closed' && parameter === 'codes') return code
    if (resolved.how === 'closed' && parameter === 'destination')
      throw ParameterError.ofNamedAirport(parameter, resolved.notice)
    if (resolved.how === 'closed') throw closedAirport(resolved)
    if (resolved.notice) notices.add(resolved.notice)
    return resolved.airport.iata
  }
  for (const parameter of CODE) {
    const code = input[parameter]
    if (typeof code === 'string') changed[parameter] = present(code, parameter)
  }
  for (const parameter of CODES) {
    const codes = input[parameter]
    if (Array.isArray(codes))
      changed[parameter] = codes.map((code: unknown) => (typeof code === 'string' ? present(code, parameter) : code))
  }
  if (typeof input['terminal'] === 'string') changed['terminal'] = terminalInFigures(input['terminal'])
  return { data: { ...input, ...changed }, notice: notices.size > 0 ? [...notices].join(' ') : null }
}

/** The names that an error gives. */
const MAX_CHOICES = 3
const MAX_NAME_LENGTH = 100
/** The names that are looked for: each costs as much as a search, and a list may have fifty. */
const MAX_NAMES = 5

/** Faults of codes with what became of a closed airport, or the airports that a name in place of a code means. */
export function withMeantAirports(faults: ParameterFault[], input: unknown, directory: Directory): ParameterFault[] {
  let names = 0
  return faults.map((fault) => {
    const text = textAt(input, fault.parameter)
    if (text === null || text.length > MAX_NAME_LENGTH) return fault
    const resolved = resolveCode(text, directory)
    if (resolved?.how === 'closed') return { ...fault, message: `${fault.message}; ${resolved.notice}` }
    names += 1
    return names > MAX_NAMES
      ? fault
      : { ...fault, message: `${fault.message}${meantText(airportsNamed(text, directory))}` }
  })
}

/** The text in place of a code that a fault is about; null if it is about another parameter or no text. */
function textAt(input: unknown, parameter: string): string | null {
  const [, name = '', index] = /^(iata|destination|airports|codes)(?:\[(\d+)\])?$/.exec(parameter) ?? []
  const value = isObject(input) ? input[name] : null
  const text: unknown = index !== undefined && Array.isArray(value) ? value[Number(index)] : value
  return typeof text === 'string' ? text : null
}

function airportsNamed(text: string, directory: Directory): Airport[] {
  const { airport, choices } = meantAirport(directory, text)
  if (airport) return [airport]
  return choices
    .filter(({ exact, airport: choice }) => exact && choice.scheduled_service)
    .slice(0, MAX_CHOICES)
    .map(({ airport: choice }) => choice)
}
