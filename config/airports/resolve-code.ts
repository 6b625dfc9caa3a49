import { dateWords } from '../date-words.ts'
import { AirportNotFoundError } from '../errors.ts'
import type { Airport, Directory } from './directory.ts'
import { type FormerCode, type FormerIcao, formerCodes } from './former-codes.ts'

interface ClosedCode {
  how: 'closed'
  airport: null
  successor: Airport | null
  code: string
  notice: string
}

/** The meaning of a code. `notice` says, in a sentence, that the code is a former one; otherwise null. */
export type ResolvedCode =
  | { how: 'current' | 'icao' | 'faa' | 'former'; airport: Airport; code: string; notice: string | null }
  | ClosedCode

/**
 * The airport that a code means, in any case: IATA, ICAO or FAA, of today or before. A code that an airport has today means that
 * airport, whoever had it before. A closed airport is no airport: its successor is named. Null for any other text.
 */
export function resolveCode(text: string, directory: Directory): ResolvedCode | null {
  const code = text.trim().toUpperCase()
  if (!/^[A-Z0-9]{3,4}$/.test(code)) return null
  const current = directory.byIata.get(code)
  if (current) return { how: 'current', airport: current, code, notice: null }
  const former = formerCodes().byCode.get(code)
  if (former) return resolveFormer(code, former, directory)
  const byIcao = directory.byIcao.get(code)
  if (byIcao) return { how: 'icao', airport: byIcao, code, notice: null }
  const formerIcao = formerCodes().byIcao.get(code)
  if (formerIcao) return resolveFormer(code, formerIcao, directory)
  const byFaa = directory.byFaaId.get(code) ?? (code.length === 4 ? directory.byFaaId.get(faaIdIn(code)) : undefined)
  return byFaa ? { how: 'faa', airport: byFaa, code, notice: null } : null
}

/** Error text for a text that is the code of no airport: it is unknown, or its airport is closed. */
export const codeFault = (text: string, resolved: ClosedCode | null): string =>
  resolved?.notice ?? `"${text}" is not the code of an airport, such as JFK`

/** The notice on the page of an airport that was renamed: "PBI is DJT since 18 August 2026."; empty for any other. */
export function formerCodeNotices({ iata }: Airport, directory: Directory): string[] {
  return formerCodes().codes.flatMap(({ code, airport }) => {
    if (airport !== iata) return []
    const resolved = resolveCode(code, directory)
    return resolved?.how === 'former' && resolved.notice !== null ? [resolved.notice] : []
  })
}

/** An airfield without an ICAO code is written with a K before its FAA id. */
const faaIdIn = (code: string) => (code.startsWith('K') ? code.slice(1) : '')

function resolveFormer(code: string, former: FormerCode | FormerIcao, directory: Directory): ResolvedCode | null {
  const airport = former.airport === null ? null : (directory.byIata.get(former.airport) ?? null)
  if ('kind' in former && former.kind !== 'renamed') {
    const notice = `${code} closed ${whenClosed(former.date)}; ${airport ? `${airport.iata} took its place` : 'no airport took its place'}`
    return { how: 'closed', airport: null, successor: airport, code, notice }
  }
  if (!airport) return null
  const since = former.date === null ? '' : ` since ${dateWords(former.date)}`
  // A former ICAO code was replaced by an ICAO code, the IATA code may be the same as ever.
  const present = 'kind' in former || airport.icao === null ? airport.iata : `${airport.icao} (${airport.iata})`
  return { how: 'former', airport, code, notice: `${code} is ${present}${since}.` }
}

/** The error for the code of a closed airport. */
export const closedAirport = ({ notice, successor }: Extract<ResolvedCode, { how: 'closed' }>) =>
  new AirportNotFoundError(notice, { successor: successor?.iata ?? null, airport_named: true })

const whenClosed = (date: string) => `${date.length === 10 ? 'on' : 'in'} ${dateWords(date)}`
