import { distance } from 'fastest-levenshtein'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { AIRLINE_CODES } from '../../config/reference/airline-codes.ts'
import { AIRLINE_NAMES } from '../../config/reference/airline-names.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../config/reference/bags.ts'

/** An airline of the baggage facts. */
export interface KnownAirline {
  iata: string | null
  airline: string
  cabin_id: string
}

export interface MeantAirline extends KnownAirline {
  /** Whether the text had to be read with typing errors. */
  corrected: boolean
}

/**
 * The airline that a text means: its IATA or ICAO code, a flight number, its name, the part of it by which it is known ("Delta"), or a name with typing errors
 * ("Spirt").
 * @throws ParameterError when several match; HoldshortError NOT_FOUND when none is known
 */
export function findAirline(query: string): MeantAirline {
  const { airlines, corrected } = airlinesNamed(query)
  const [first, ...others] = airlines
  if (!first)
    throw new HoldshortError(
      'NOT_FOUND',
      `airline: no airline is known here as "${query}"; give its name, its IATA code of two characters or a flight number, or ask the airline`,
    )
  if (others.length > 0) throw severalMatch(airlines)
  return { ...first, corrected }
}

/** An airline by its code, as a text names it. `name` is null where the text is a code that is not known here. */
export interface AirlineByCode {
  code: string
  name: string | null
  corrected: boolean
}

/** A flight number: the code of its airline, up to four digits, and a letter at times. */
const FLIGHT_NUMBER = /^(?<iata>(?=.?[A-Z])[A-Z0-9]{2}|[A-Z]{3})[ -]?\d{1,4}[A-Z]?$/

/** The code of an airline that a text is, or begins with as a flight number: `UA` of `UA1234`, `U2` of `EZY` and of `EZY 12`; null otherwise. */
function codeIn(text: string): string | null {
  const plain = text.trim().toUpperCase()
  const code = FLIGHT_NUMBER.exec(plain)?.groups?.['iata'] ?? plain
  if (code.length === 3) return AIRLINE_CODES.where('icao', code)[0]?.iata ?? null
  return IATA_CODE.test(code) ? code : null
}

const IATA_CODE = /^(?=.*[A-Z])[A-Z0-9]{2}$/

/** The airline with a code, of a flight number too, or the one that a text means. @throws ParameterError for any other text */
export function airlineByCode(text: string): AirlineByCode {
  const code = codeIn(text) ?? ''
  const { airlines, corrected } = airlinesNamed(text)
  if (code !== '') return { code, name: airlines[0]?.airline ?? null, corrected: false }
  if (airlines.length > 1) throw severalMatch(airlines)
  const [meant] = airlines
  if (meant?.iata) return { code: meant.iata, name: meant.airline, corrected }
  const message =
    'must be an IATA airline code of two letters or digits, like DL, a flight number, like DL 123, or the name of a known airline'
  throw new ParameterError([{ parameter: 'airline', message }])
}

const MAX_LISTED = 8

function severalMatch(airlines: readonly KnownAirline[]): ParameterError {
  const names = airlines.slice(0, MAX_LISTED).map(({ airline, iata }) => (iata ? `${airline} (${iata})` : airline))
  return new ParameterError([{ parameter: 'airline', message: `matches several: ${names.join(', ')}` }])
}

interface NamedAirline extends KnownAirline {
  /** Its names, as they are compared. */
  names: readonly string[]
}

let known: readonly NamedAirline[] | null = null

function knownAirlines(): readonly NamedAirline[] {
  known ??= baggageAirlines().map((airline) => {
    const other = AIRLINE_NAMES.rows().find((row) => row.airline === airline.airline)
    const names = [airline.airline, ...(other?.names ?? [])].map(fold)
    return { ...airline, iata: airline.iata ?? other?.iata ?? null, names }
  })
  return known
}

function baggageAirlines(): KnownAirline[] {
  const airlines = CABIN_BAGS.rows().map(({ iata, airline, id }): KnownAirline => ({ iata, airline, cabin_id: id }))
  for (const { iata, airline, cabin_id } of CHECKED_BAGS.rows())
    if (!airlines.some((row) => row.cabin_id === cabin_id)) airlines.push({ iata, airline, cabin_id })
  return airlines
}

/** The airlines that a text may mean, by the surest way that finds any: code, name, part of a name, typing errors. */
function airlinesNamed(query: string): { airlines: readonly KnownAirline[]; corrected: boolean } {
  const text = fold(query)
  const code = codeIn(query)
  const core = coreOf(text)
  const anyName = (isMeant: (name: string) => boolean) => knownAirlines().filter(({ names }) => names.some(isMeant))
  const ways = [
    () => (code === null ? [] : knownAirlines().filter(({ iata }) => iata === code)),
    () => anyName((name) => compact(name) === compact(text)),
    () => (core === '' ? [] : anyName((name) => compact(coreOf(name)) === compact(core))),
    () => (core === '' ? [] : anyName((name) => name.startsWith(`${text} `))),
    () => (text.length < MIN_LETTERS ? [] : anyName((name) => compact(name).includes(compact(core || text)))),
  ]
  for (const way of ways) {
    const airlines = way()
    if (airlines.length > 0) return { airlines, corrected: false }
  }
  return { airlines: core.length <= MIN_LETTERS ? [] : nearest(compact(core)), corrected: true }
}

const MIN_LETTERS = 3
/** A shorter name is two typing errors away from too many others. */
const MIN_LETTERS_FOR_TWO_ERRORS = 7

/** The airlines whose name has the fewest typing errors, if it has at most two. */
function nearest(core: string): KnownAirline[] {
  const max = core.length < MIN_LETTERS_FOR_TWO_ERRORS ? 1 : 2
  const rated = knownAirlines().map((airline) => ({
    airline,
    errors: Math.min(...airline.names.map((name) => typingErrors(core, compact(coreOf(name) || name)))),
  }))
  const least = Math.min(...rated.map(({ errors }) => errors))
  return least > max ? [] : rated.filter(({ errors }) => errors === least).map(({ airline }) => airline)
}

/** Two exchanged letters are one error: "Untied". */
function typingErrors(text: string, name: string): number {
  const errors = distance(text, name)
  return errors === 2 && text.length === name.length && [...text].sort().join('') === [...name].sort().join('')
    ? 1
    : errors
}

/** Words that do not tell one airline from another. */
const GENERIC = new Set(['air', 'airline', 'airlines', 'airways', 'lines', 'the', 'group'])

/** The words of a name that tell it from others; all of them where it has no others. */
const coreOf = (text: string) =>
  text
    .split(' ')
    .filter((word) => !GENERIC.has(word))
    .join(' ')

const compact = (text: string) => text.replaceAll(' ', '')

/** Lower case letters and digits only, without accents, words separated by one space. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
