import type { Directory } from '../../config/airports/directory.ts'
import { closedAirport, resolveCode } from '../../config/airports/resolve-code.ts'
import { ParameterError, type ParameterFault } from '../../config/errors.ts'

/** The parameters that hold one code of an airport, or a list of them. */
const CODE = ['iata', 'destination'] as const
const CODES = ['airports', 'codes'] as const

/**
 * An input with the IATA code of today wherever an airport is named by another code (`jfk`, `KJFK`, a former one), and a sentence
 * about the former ones; null: none was former.
 * @throws AirportNotFoundError for the code of a closed airport, ParameterError where it is that of a destination
 */
export function presentCodes(input: unknown, directory: Directory): { data: unknown; notice: string | null } {
  if (!isRecord(input)) return { data: input, notice: null }
  const changed: Record<string, unknown> = {}
  const notices = new Set<string>()
  const present = (code: string, parameter: string): string => {
    const resolved = resolveCode(code, directory)
    if (resolved === null) return code
    // A list of many airports names its unknown codes itself.
    if (resolved.how === 'closed' && parameter === 'codes') return code
    if (resolved.how === 'closed' && parameter === 'destination') throw ParameterError.of(parameter, resolved.notice)
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
  return { data: { ...input, ...changed }, notice: notices.size > 0 ? [...notices].join(' ') : null }
}

/** Faults of a list of codes with what became of a closed airport: a list of many names its closed ones itself, by IATA codes alone. */
export function withClosedAirports(faults: ParameterFault[], input: unknown, directory: Directory): ParameterFault[] {
  return faults.map(({ parameter, message }) => {
    const index = /^codes\[(\d+)\]$/.exec(parameter)?.[1]
    const codes = isRecord(input) ? input.codes : null
    const text: unknown = index !== undefined && Array.isArray(codes) ? codes[Number(index)] : null
    const resolved = typeof text === 'string' ? resolveCode(text, directory) : null
    return { parameter, message: resolved?.how === 'closed' ? `${message}; ${resolved.notice}` : message }
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
