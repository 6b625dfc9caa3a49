import type { Directory } from '../../config/airports/directory.ts'
import { closedAirport, resolveCode } from '../../config/airports/resolve-code.ts'
import { ParameterError, type ParameterFault } from '../../config/errors.ts'

/** The parameters that hold one code of an airport, or a list of them. */
const CODE = ['iata', 'destination'] as const
const CODES = ['airports', 'codes'] as const

/**
 * A parsed input with every former code replaced by the present one, and a sentence that says so; null: none was former.
 * @throws AirportNotFoundError for the code of a closed airport, ParameterError where it is that of a destination
 */
export function presentCodes(
  input: Record<string, unknown>,
  directory: Directory,
): { data: Record<string, unknown>; notice: string | null } {
  const changed: Record<string, unknown> = {}
  const notices = new Set<string>()
  const present = (code: string, parameter: string): string => {
    const resolved = resolveCode(code, directory)
    if (resolved === null || resolved.how === 'current') return code
    // A list of many airports names its unknown codes itself.
    if (resolved.how === 'closed' && parameter === 'codes') return code
    if (resolved.how === 'closed' && parameter === 'destination') throw ParameterError.of(parameter, resolved.notice)
    if (resolved.how === 'closed') throw closedAirport(resolved)
    if (resolved.how !== 'former') return code
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
  return { data: { ...input, ...changed }, notice: notices.size > 0 ? [...notices].join(' ') : null }
}

/** Faults of codes that are written otherwise, `jfk` or `KJFK`, with the code to use. */
export function withCodeHints(faults: ParameterFault[], input: unknown, directory: Directory): ParameterFault[] {
  return faults.map(({ parameter, message }) => {
    const text = valueAt(input, parameter)
    const resolved = typeof text === 'string' ? resolveCode(text, directory) : null
    if (resolved === null) return { parameter, message }
    const hint = resolved.airport ? `use ${resolved.airport.iata}` : resolved.notice
    return { parameter, message: `${message}; ${hint}` }
  })
}

/** The value of a parameter that holds codes: `iata`, `codes[3]`. */
function valueAt(input: unknown, parameter: string): unknown {
  const [, name, index] = /^(iata|destination|airports|codes)(?:\[(\d+)\])?$/.exec(parameter) ?? []
  if (name === undefined || typeof input !== 'object' || input === null) return undefined
  const value = (input as Record<string, unknown>)[name]
  return index === undefined ? value : Array.isArray(value) ? (value as unknown[])[Number(index)] : undefined
}
