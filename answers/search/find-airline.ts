import { distance } from 'fastest-levenshtein'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { once } from '../../config/once.ts'
import { AIRLINE_CHANGES, type AirlineChange, changeText } from '../../config/reference/airline-changes.ts'
import { AIRLINE_CODES } from '../../config/reference/airline-codes.ts'
import { AIRLINES } from '../../config/reference/airlines.ts'
import { CABIN_BAGS, CHECKED_BAGS } from '../../config/reference/bags.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'

interface KnownAirline {
  iata: string | null
  airline: string
  /** Its row of the cabin bags; null if the baggage facts do not have it. */
  cabin_id: string | null
}

export interface MeantAirline extends KnownAirline {
  cabin_id: string
  /** Whether the text had to be read with typing errors. */
  corrected: boolean
  /** The change of the named airline, as a sentence; null if the text names this one. */
  change: string | null
  /** The fare or the thing that the text names behind the airline; null: none. */
  fare: string | null
}

/**
 * The airline that a text means: its IATA or ICAO code, a flight number, with its name too ("Lufthansa 400"), its name, the part
 * of it by which it is known ("Delta"), its name with that of a fare ("United Basic Economy"), or a name with typing errors
 * ("Spirt"). An airline that merged or was renamed gives its successor.
 * @throws ParameterError when several match; HoldshortError NOT_FOUND when none is known
 */
export function findAirline(query: string): MeantAirline {
  const name = withoutFlightNumber(query)
  const changed = changedAirline(name)
  const change = changed && changeText(changed)
  const {
    airlines,
    corrected,
    fare = null,
  } = changed ? { airlines: successorsOf(changed), corrected: false } : airlinesNamed(name)
  const [first, ...others] = airlines
  if (!first && change !== null)
    throw new HoldshortError('NOT_FOUND', `airline: ${change}; nothing is known here of its bags`)
  if (!first)
    throw new HoldshortError(
      'NOT_FOUND',
      `airline: no airline is known here as "${withoutMarkup(query)}"; give its name, not that of an alliance or a callsign, its IATA code of two characters or a flight number, or ask the airline`,
    )
  if (others.length > 0) throw severalMatch(airlines)
  const { cabin_id } = first
  if (cabin_id === null)
    throw new HoldshortError(
      'NOT_FOUND',
      `airline: ${corrected ? `if ${first.airline} was meant: ` : ''}nothing is known here of the bags of ${namedWithCode(first)}: ask the airline`,
    )
  const ended = endOf(first)
  return { ...first, cabin_id, corrected, change: change ?? (ended && changeText(ended)), fare }
}

/** An airline by its code, as a text names it. `name` is null if the text is a code that is not known here. */
export interface AirlineByCode {
  code: string
  name: string | null
  corrected: boolean
  /** The change of the named airline, as a sentence; null if the text names this one. */
  change: string | null
}

/** A flight number: the code of its airline, up to four digits, and a letter at times: `LH 400 D`. */
const FLIGHT_NUMBER = /^(?<iata>(?=.?[A-Z])[A-Z0-9]{2}|[A-Z]{3})[ -]?\d{1,4} ?[A-Z]?$/

/** Trains whose letters are also the ICAO code of an airline: `ICE 593` is rather one of them than a flight of Icelandair, which `ICE593` is. */
const isTrain = (text: string) => /^\s*ICE[ -]\d{1,4}( [A-Z])?\s*$/i.test(text)

/** The code of an airline that a text is, or begins with as a flight number: `UA` of `UA1234`, `U2` of `EZY` and of `EZY 12`; null otherwise. */
function codeIn(text: string): string | null {
  const plain = text.trim().toUpperCase()
  if (isTrain(text)) return null
  const code = FLIGHT_NUMBER.exec(plain)?.groups?.['iata'] ?? plain
  if (code === plain && isName(text)) return null
  if (code.length === 3) return AIRLINE_CODES.where('icao', code)[0]?.iata ?? null
  return IATA_CODE.test(code) ? code : null
}

/** The airline whose whole name a text is: "Sky" is not Skymark, whose ICAO code is SKY. */
const airlineNamed = (text: string) => {
  const name = fold(text)
  return knownAirlines().find(({ names }) => names.includes(name))
}

const isName = (text: string) => airlineNamed(text) !== undefined

const allNames = once(() => new Set(knownAirlines().flatMap(({ names }) => names)))

/** Whether a text is the whole name of an airline, as it is looked for among many words. */
export const isAirlineName = (text: string): boolean => allNames().has(fold(text))

const NAME_AIRPORT = 'name the airport instead'

/** Error text for a flight number or an airline in place of an airport, without a full stop; null if no known airline has it. */
export function airlineFault(text: string): string | null {
  const plain = withoutWordFlight(text)
  const known = knownAirlines()
  if (FLIGHT_NUMBER.test(plain.toUpperCase())) {
    const code = codeIn(plain)
    const airline = code === null ? undefined : known.find(({ iata }) => iata === code)
    return airline ? `${plain.toUpperCase()} is a flight of ${airline.airline}: ${NAME_AIRPORT}` : null
  }
  const coded = IATA_CODE.test(plain) ? known.find(({ iata }) => iata === plain) : undefined
  if (coded) return `${plain} is the code of ${coded.airline}: ${NAME_AIRPORT}`
  const named = airlineNamed(plain)
  return named ? `${named.airline} is an airline: ${NAME_AIRPORT}` : null
}

/** A number of a flight behind the name of its airline, with the airline's code too: `Lufthansa 400`, `Condor DE1234`. */
const NUMBER_BEHIND_NAME = /^(?<name>.*?\p{L}{3}.*?)(?: +flight)?[ -]+(?:(?=.?[A-Z])[A-Z0-9]{2} ?)?\d{1,4} ?[A-Z]?$/iu

/** A text without the word flight, beside which `ICE 593` is no train. */
function withoutWordFlight(text: string): string {
  const plain = text.replace(/(?:^|\s)flight(?=\s)/i, '').trim()
  return plain !== text.trim() && isTrain(plain) ? plain.replace(/[ -]/, '') : plain
}

const OPERATED = /^(?<seller>.*?)[\s,(]*\boperated by (?<operator>[^)]+)\)?$/i
/** The airline that flies behind the number of a flight: `AA 3456 Envoy`. */
const NAME_BEHIND_NUMBER = /^(?<flight>(?=.?[A-Z])[A-Z0-9]{2} ?\d{1,4}) \(?(?<behind>\p{L}[^)]+)\)?$/iu
const BRAND = /\b(?:dba|doing business as) (?<brand>.+)$/i

/** The airline that sells a flight, whose rules hold, as tickets name it: of `UA 5678 operated by SkyWest DBA United Express` the flight of United. Any other text as it is. */
function sellerOf(text: string): string {
  const { flight, behind } = NAME_BEHIND_NUMBER.exec(text.trim())?.groups ?? {}
  if (flight !== undefined && isAirlineName(behind!)) return flight
  const { seller, operator } = OPERATED.exec(text.trim())?.groups ?? {}
  return seller || (BRAND.exec(operator ?? text)?.groups?.['brand'] ?? operator ?? text)
}

/** A text without the number of a flight behind a name; a code with its number, and a name that has a number itself, are as they were. */
function withoutFlightNumber(written: string): string {
  const text = withoutWordFlight(sellerOf(written))
  const name = NUMBER_BEHIND_NAME.exec(text.trim())?.groups?.['name']
  if (name === undefined || codeIn(text) !== null || isTrain(text)) return text
  const whole = compact(fold(text))
  return knownAirlines().some(({ names }) => names.some((known) => compact(known) === whole)) ? text : name
}

const IATA_CODE = /^(?=.*[A-Z])[A-Z0-9]{2}$/

/**
 * The airline with a code, of a flight number too, or the one that a text means; of one that merged or was renamed, the airline of today.
 * @throws ParameterError for an airline that flies no more, and any other text
 */
export function airlineByCode(query: string): AirlineByCode {
  const text = withoutFlightNumber(query)
  const changed = changedAirline(text)
  if (changed) {
    const change = changeText(changed)
    if (changed.into === null) throw endedAirline(changed)
    return { code: changed.into.iata, name: changed.into.airline, corrected: false, change }
  }
  const code = codeIn(text) ?? ''
  const { airlines, corrected } = airlinesNamed(text)
  if (code !== '') return { code, name: airlines[0]?.airline ?? null, corrected: false, change: null }
  if (airlines.length > 1) throw severalMatch(airlines)
  const [meant] = airlines
  const ended = meant && endOf(meant)
  if (ended) throw endedAirline(ended)
  if (meant?.iata) return { code: meant.iata, name: meant.airline, corrected, change: null }
  const message =
    'must be an IATA airline code of two letters or digits, like DL, a flight number, like DL 123, or the name of a known airline, not that of an alliance or a callsign'
  throw new ParameterError([{ parameter: 'airline', message }])
}

/** The airline that a text names and that flies no more under its name; null for any other. */
function changedAirline(query: string): AirlineChange | null {
  const wanted = compact(fold(query))
  const plain = query.trim().toUpperCase()
  const code = FLIGHT_NUMBER.exec(plain)?.groups?.['iata'] ?? plain
  const isNamed = ({ airline, names }: AirlineChange) =>
    [airline, ...names].some((name) => compact(fold(name)) === wanted)
  const isCoded = ({ iata, icao, code_retired }: AirlineChange) =>
    (code_retired && iata === code) || (icao === code && AIRLINE_CODES.where('icao', code).length === 0)
  const rows = AIRLINE_CHANGES.rows()
  const found = rows.find(isNamed) ?? rows.find(isCoded) ?? null
  // If another airline uses the name today, the name means that airline.
  const isOfToday =
    found !== null &&
    knownAirlines().some(({ iata, names }) => iata !== found.iata && names.some((name) => compact(name) === wanted))
  return isOfToday ? null : found
}

/** The change that ended a known airline; null for others. */
const endOf = ({ iata }: KnownAirline): AirlineChange | null =>
  AIRLINE_CHANGES.where('iata', iata ?? '').find(({ code_retired, into }) => code_retired && into === null) ?? null

const endedAirline = (ended: AirlineChange) =>
  ParameterError.of('airline', `${changeText(ended)}: name the airline that you fly with`)

/** The airline of today that another became; of one that ceased, itself, unless its code has another holder. */
function successorsOf({ iata, into, code_retired }: AirlineChange): readonly KnownAirline[] {
  if (into === null && !code_retired) return []
  return knownAirlines().filter((airline) => airline.iata === (into?.iata ?? iata))
}

const MAX_LISTED = 8

function severalMatch(airlines: readonly KnownAirline[]): ParameterError {
  const names = airlines.slice(0, MAX_LISTED).map(namedWithCode)
  return new ParameterError([{ parameter: 'airline', message: `matches several: ${names.join(', ')}` }])
}

const namedWithCode = ({ airline, iata }: KnownAirline) => (iata ? `${airline} (${iata})` : airline)

interface NamedAirline extends KnownAirline {
  /** Its names, as they are compared. */
  names: readonly string[]
}

let known: readonly NamedAirline[] | null = null

function knownAirlines(): readonly NamedAirline[] {
  if (known !== null) return known
  const withBaggageRules = baggageAirlines()
  const others = AIRLINES.rows()
    .filter(({ airline }) => !withBaggageRules.some((row) => row.airline === airline))
    .map(({ iata, airline }) => ({ iata, airline, cabin_id: null }))
  known = [...withBaggageRules, ...others].map((airline) => {
    const row = AIRLINES.rows().find((row) => row.airline === airline.airline)
    const names = [airline.airline, ...(row?.names ?? [])].map(fold)
    return { ...airline, iata: airline.iata ?? row?.iata ?? null, names }
  })
  return known
}

/** The airlines of the baggage facts. */
function baggageAirlines(): KnownAirline[] {
  const airlines = CABIN_BAGS.rows().map(({ iata, airline, id }): KnownAirline => ({ iata, airline, cabin_id: id }))
  for (const { iata, airline, cabin_id } of CHECKED_BAGS.rows())
    if (!airlines.some((row) => row.cabin_id === cabin_id)) airlines.push({ iata, airline, cabin_id })
  return airlines
}

interface NamedAirlines {
  airlines: readonly KnownAirline[]
  corrected: boolean
  /** The fare behind the name; absent: none. */
  fare?: string
}

/** The airlines that a text may mean, by the surest way that finds any: code, name, part of a name, typing errors. */
function airlinesNamed(query: string): NamedAirlines {
  const text = fold(query)
  const code = codeIn(query)
  const core = coreOf(text)
  const anyName = (isMeant: (name: string) => boolean) => knownAirlines().filter(({ names }) => names.some(isMeant))
  const ways = [
    () => (code === null ? [] : knownAirlines().filter(({ iata }) => iata === code)),
    () => anyName((name) => name === text),
    () => anyName((name) => compact(name) === compact(text)),
    () => (core === '' ? [] : anyName((name) => compact(coreOf(name)) === compact(core))),
    () => (core === '' ? [] : anyName((name) => name.startsWith(`${text} `))),
    () => (text.length < MIN_LETTERS ? [] : anyName((name) => ` ${name}`.includes(` ${core || text}`))),
    () => (text.length < MIN_LETTERS_WITHIN ? [] : anyName((name) => compact(name).includes(compact(core || text)))),
    () => knownAirlines().filter(({ names }) => isOfNames(text, names)),
  ]
  for (const way of ways) {
    const airlines = way()
    if (airlines.length > 0) return { airlines, corrected: false }
  }
  const shorter = withoutBags(text) ?? withoutFare(text)
  if (shorter !== null) return shorter
  const distinct = compact(withoutMistypedGeneric(core))
  return { airlines: distinct.length <= MIN_LETTERS ? [] : nearest(distinct), corrected: true }
}

/** Whether each word of a text is one of some name of an airline, and the first one of its own name: "Alaska Horizon". */
function isOfNames(text: string, names: readonly string[]): boolean {
  const [first = '', ...others] = text.split(' ')
  const words = new Set(names.flatMap((name) => coreOf(name).split(' ')))
  return others.length > 0 && names[0]!.startsWith(`${first} `) && others.every((word) => words.has(word))
}

/** Words of fares: an airline is often named with the one that was booked. */
const FARE_WORDS = new Set(
  'away basic blue bundle business cabin choice class classic comfort comfy convenience deluxe discount eco econo econoflex economy essential even extra family fare fares first flex flexi fly full get go green latitude light lite lowfare main max middle mint more nice nicer nicest no one optima plus polaris preferred premium priority regular saver select semi simple smart special standard starter super superlight time top ultra ultrabasic ultralight value wanna zero'.split(
    ' ',
  ),
)

/** Words of things that have rules of their own: "Korean Air skis". */
const EQUIPMENT_WORDS = new Set(
  'bank batteries battery bicycle bicycles bike bikes board buggy cat cello clubs dog duty equipment golf guitar instrument instruments musical pet pets power pram pushchair seat ski skis snowboard sports stroller strollers surfboard violin wheelchair'.split(
    ' ',
  ),
)

/** The airlines of a text that ends with a fare or a thing, like "united basic economy" and "united golf clubs"; null for every other text. */
function withoutFare(text: string): NamedAirlines | null {
  const words = text.split(' ')
  let end = words.length
  while (end > 1 && (FARE_WORDS.has(words[end - 1]!) || EQUIPMENT_WORDS.has(words[end - 1]!))) end -= 1
  if (end === words.length) return null
  const { airlines, corrected } = airlinesNamed(words.slice(0, end).join(' '))
  // What is left must name an airline: "Air" of "Air Dog" names many.
  const isNamed =
    !corrected && airlines.length > 0 && (airlines.length === 1 || coreOf(words.slice(0, end).join(' ')) !== '')
  return isNamed ? { airlines, corrected, fare: words.slice(end).join(' ') } : null
}

/** Words about bags, which are asked for beside the name of an airline. */
const BAG_WORDS =
  /\b(?:free|bags?|baggage|luggage|suitcases?|carry ?ons?|cabin|hand|hold|checked|personal|items?|fees?|prices?|costs?|policy|rules?|allowance|size|weight|limits?|(?:hand)?gepack|(?:hand)?bagages?|equipajes?|bagagl(?:io|i)|bagagem|(?:a|de) ma(?:no|o))\b/g

/** The airlines of a text with words about bags, like "delta baggage fees" and "carry on united economy"; null for every other text. */
function withoutBags(text: string): NamedAirlines | null {
  const name = fold(text.replace(BAG_WORDS, ' '))
  if (name === text || name === '') return null
  const named = airlinesNamed(name)
  return named.corrected || named.airlines.length === 0 ? null : named
}

const MIN_LETTERS = 3
/** Fewer letters within a word are rather a code that is not known: OAS is not Pacific Coastal. */
const MIN_LETTERS_WITHIN = 5
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

/** The same without a word that is nearly "airlines" or "airways": "delta airlnes". */
function withoutMistypedGeneric(core: string): string {
  const words = core.split(' ')
  const others = words.filter((word) => ['airlines', 'airways'].every((generic) => typingErrors(word, generic) > 1))
  return (others.length > 0 ? others : words).join(' ')
}

const compact = (text: string) => text.replaceAll(' ', '')

/** Lower case letters and digits only, of any script, without accents, words separated by one space. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
