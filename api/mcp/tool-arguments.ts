import { z } from 'zod'
import { knownTerminal, type NamedTerminal, unknownTerminalText } from '../../answers/questions/airport-terminals.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { findAirport, metroOf } from '../../answers/questions/find-airport.ts'
import { airlineFault } from '../../answers/search/find-airline.ts'
import { meantAirport } from '../../answers/search/find-airports.ts'
import type { AirportHit } from '../../answers/search/hits.ts'
import { isAboutAirports, isFillWord, isInCapitals, wordsOf } from '../../answers/search/query-words.ts'
import { choiceText, readAsText } from '../../answers/search/read-as.ts'
import { onlyTerminal } from '../../answers/statements/spread.ts'
import { sentenceOf, terminalName, widerAnswerText } from '../../answers/statements/text.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { ParameterError } from '../../config/errors.ts'
import { isObject, type JsonObject } from '../../config/json-object.ts'
import { customsProgramme, laneMeant } from '../../config/lanes.ts'
import { memoizeByObject, once } from '../../config/once.ts'
import { withArticle } from '../../config/reference/countries.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { readBoolean, readInteger, readNumber } from '../rest/query-string.ts'
import { toolInput } from '../tools/answer-size.ts'
import type { Tool } from '../tools/define.ts'
import { inlineRefs, type JsonObject as Schema, withoutNull } from './listed-schema.ts'

type Reader = (value: unknown) => unknown

const readerOfTool = memoizeByObject((tool: Tool) =>
  readerOf(inlineRefs(z.toJSONSchema(toolInput(tool), { io: 'input' }))),
)

/**
 * The arguments of a call with the types of the tool's schema. Models write `"terminal": 5`, `"days": "7"`, lists and objects as
 * JSON text, and null or "None" for what they leave out; each has only one meaning. Every other wrong type is left for the
 * schema, which names it.
 */
export const readArguments = (tool: Tool, input: unknown): unknown => readerOfTool(tool)(input)

const unchanged: Reader = (value) => value

/** A function that converts a value to the type of its schema. */
function readerOf(nullable: JsonObject): Reader {
  const schema = withoutNull(nullable as Schema)
  const read = readerOfValue(schema)
  return schema.type === 'array' || schema.type === 'object' ? (value) => read(fromJson(value)) : read
}

/** The list or object that a text is as JSON, also where it was written as text twice; every other value as it is. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    const inner = typeof parsed === 'string' ? fromJson(parsed) : parsed
    return Array.isArray(inner) || isObject(inner) ? inner : value
  } catch {
    return value
  }
}

function readerOfValue(schema: JsonObject): Reader {
  const { type, properties, items, anyOf } = schema
  if (Array.isArray(schema.enum)) return enumReader(schema.enum)
  if (type === 'string') return (value) => (typeof value === 'number' ? String(value) : value)
  if (type === 'integer') return ifText(readInteger)
  if (type === 'number') return ifText(readNumber)
  if (type === 'boolean') return ifText(readBoolean)
  if (type === 'array' && isObject(items)) {
    const readItem = readerOf(items)
    // Models write a list of words as one text: "EWR, JFK".
    const listOf = (value: unknown) =>
      typeof value === 'string' && items.type === 'string'
        ? value
            .split(/[,;]|\band\b/)
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : value
    return (value) => {
      const list = listOf(value)
      return Array.isArray(list) ? list.filter((part) => !ABSENT.has(part)).map(readItem) : list
    }
  }
  if (Array.isArray(anyOf)) return unionReader(anyOf.filter(isObject))
  return type === 'object' && isObject(properties) ? objectReader(schema, properties) : unchanged
}

/** That a programme of US customs is read as the lane of PreCheck; null where the arguments, as they were sent, name none. */
export function programmeNotice(tool: Tool, sent: unknown): string | null {
  if (!isObject(sent) || typeof sent['lane'] !== 'string' || !('lane' in tool.query.input.shape)) return null
  const programme = customsProgramme(sent['lane'])
  return programme && `${programme} is read as the PreCheck lane of security, which its members may use.`
}

/** The value of an enumeration that is meant by "PreCheck", "TSA PreCheck lane" or "Global Entry": `precheck`. */
function enumReader(values: readonly unknown[]): Reader {
  const plain = (text: string) => text.toLowerCase().replace(/^tsa\b|\blanes?$|[^a-z0-9]/g, '')
  const byName = new Map(values.flatMap((value) => (typeof value === 'string' ? [[plain(value), value] as const] : [])))
  const laneIn = (text: string) => {
    const lane = laneMeant(text)
    return values.includes(lane) ? lane : null
  }
  return (value) => (typeof value === 'string' ? (byName.get(plain(value)) ?? laneIn(value) ?? value) : value)
}

/** A text that one of several types can read, as `"2"` for a number or a truth value; texts stay where the schema allows one. */
function unionReader(schemas: readonly JsonObject[]): Reader {
  if (schemas.some(({ type }) => type === 'string')) return unchanged
  const readers = schemas.map(readerOf)
  return (value) => {
    if (typeof value !== 'string') return value
    const read = readers.map((reader) => reader(value)).find((result) => typeof result !== 'string')
    return read ?? value
  }
}

const ifText =
  (read: (text: string) => unknown): Reader =>
  (value) =>
    typeof value === 'string' ? read(value.trim()) : value

/** What models write for an argument or an entry of a list that they leave out. */
const ABSENT: ReadonlySet<unknown> = new Set([null, 'null', 'None', 'none', 'N/A', 'n/a', 'undefined'])

function objectReader({ required = [] }: JsonObject, properties: JsonObject): Reader {
  const readers = new Map(
    Object.entries(properties).map(([name, property]) => [name, isObject(property) ? readerOf(property) : unchanged]),
  )
  const isOptional = (name: string) => readers.has(name) && !(required as string[]).includes(name)
  return (value) => {
    if (!isObject(value)) return value
    const isLeftOut = (name: string, part: unknown) =>
      ABSENT.has(part) && (part === null ? readers.has(name) : isOptional(name))
    const present = Object.entries(value).filter(([name, part]) => !isLeftOut(name, part))
    return Object.fromEntries(present.map(([name, part]) => [name, (readers.get(name) ?? unchanged)(part)]))
  }
}

/** Whether a code is that of a city alone: LON. */
const isMetroCode = (code: string, { byIata }: Directory) => !byIata.has(code) && metroOf(code)?.metro === code

/** How many airports the error names. */
const MAX_CHOICES = 5
const MAX_NAME_LENGTH = 100
const CODE = /^[A-Z]{3}$/

/**
 * The arguments of a call with the code of an airport where its name was given: LHR for "Heathrow" or "lhr". A model that calls
 * a tool with the traveller's words means that airport.
 * @throws ParameterError that names the choices when several airports may be meant
 */
export function withAirportCodes(
  tool: Tool,
  input: unknown,
  { directory, snapshot }: Pick<QueryContext, 'directory' | 'snapshot'>,
): AirportArguments {
  if (!isObject(input)) return { input, notice: null }
  const { iata, airports, destination } = input
  const fields = tool.query.input.shape
  const changed: Record<string, unknown> = {}
  const notices: string[] = []
  const codeOf = (text: unknown) => resolveCode(String(text), directory)?.airport?.iata ?? String(text)
  const read = (text: unknown, parameter: string) => {
    const hit = typeof text === 'string' ? meantBy(text, parameter, tool, directory) : null
    const reading = hit && readAsText(hit)
    if (reading !== null) notices.push(reading)
    return hit ? hit.airport.iata : text
  }
  const noteWiderAnswer = (code: unknown, part: string, terminal: string | null) => {
    const unknown = terminal === null ? null : unknownTerminalText(codeOf(code), terminal, snapshot)
    const only = onlyTerminal(snapshot.queue(codeOf(code), 'security').terminals)
    if (unknown !== null) notices.push(sentenceOf(unknown))
    else notices.push(widerAnswerText(codeOf(code), part, only))
  }
  if (typeof iata === 'string' && 'iata' in fields) {
    const { place, terminal, part } = placeOf(iata, directory, snapshot)
    changed.iata = read(place, 'iata')
    if (terminal !== null && 'terminal' in fields) changed.terminal = input.terminal ?? terminal
    else if (part !== null) noteWiderAnswer(changed.iata, part, terminal)
  }
  if (typeof destination === 'string' && 'destination' in fields) changed.destination = read(destination, 'destination')
  if (Array.isArray(airports) && 'airports' in fields) {
    const [only, ...others] = airports as unknown[]
    // The airports of a city are what may be compared.
    if (typeof only === 'string' && others.length === 0 && CODE.test(only) && isMetroCode(only, directory))
      findAirport(only, { directory })
    changed.airports = airports.map((name: unknown, index) => {
      const { place, part, terminal } =
        typeof name === 'string' ? placeOf(name, directory, snapshot) : { place: name, part: null, terminal: null }
      const code = read(place, `airports[${index}]`)
      if (part !== null) noteWiderAnswer(code, part, terminal)
      return code
    })
  }
  return { input: { ...input, ...changed }, notice: notices.length > 0 ? notices.join(' ') : null }
}

interface AirportArguments {
  input: unknown
  /** Says if the answer covers more than requested, and how a name was read if the airport's own name does not show it; null: neither. */
  notice: string | null
}

const TERMINAL = /^(?<place>.*?[^\s,])[\s,]+(?<word>terminal|term\.?|t)?\s*(?<terminal>\d[a-z]?|[a-z])$/i

/** A terminal written together with the code of its airport: `LHR5`, `MUC-T2`. */
const GLUED_TERMINAL = /^(?<place>[A-Z]{3})-?T?(?<terminal>\d[A-Z]?)$/i

/** A code and what is written behind it. */
const BEHIND_CODE = /^(?<place>[A-Z]{3,4})[\s,]+(?<part>\S.*)$/
/** Words that name a part of an airport, never a place: behind a code they leave no doubt that the code is meant. */
const NAMED_PART =
  /\b(terminal|concourse|checkpoint|security|gates?|pier|satellite|hall|building|wing|domestic|pre-?check|fast[ -]?track|clear|priority|family|global[ -]?entry|nexus|sentri)\b/i
/** Lanes for some, whose wait is not that of everybody. */
const LANE_FOR_SOME = /\b(pre-?check|fast[ -]?track|clear|priority|family|global[ -]?entry|nexus|sentri)\b/i
/** A side of an airport, which is also a part of the names of places: "KEY WEST". */
const SIDE = /^(north|south|east|west|central|main|international|intl)$/i
/** In small letters it is no part of the airport's name. */
const INTERNATIONAL = /^(international|intl)$/

const isAboutWaits = (word: string) =>
  isAboutAirports(word) ||
  isFillWord(word) ||
  /^(waits?|times?|lines?|lanes?|standard|regular|waiting|now|live|today|current)$/.test(word)

/** Whether words behind an airport name no part of it: "security wait time". */
const namesNoPart = (part: string) => !LANE_FOR_SOME.test(part) && wordsOf(part).every(isAboutWaits)

interface NamedPlace {
  place: string
  /** The terminal as tools with a parameter of that name take it; null if none or another part is named. */
  terminal: string | null
  /** `terminal 4`, `West Security`, `Tom Bradley`; null: the whole airport. */
  part: string | null
}

/** An airport with the part that is written behind it: `JFK 4`, `JFK T4`, `Heathrow terminal 5`, `DEN West Security`. A part without such a word must follow a code. */
function placeOf(text: string, directory: Directory, snapshot: Snapshot): NamedPlace {
  const glued = GLUED_TERMINAL.exec(text.trim())?.groups
  // For a smaller airport it is rather a flight number: BAW1.
  const isLarge = glued && directory.byIata.get(glued['place']!.toUpperCase())?.size === 'large'
  const { place, word, terminal } = (isLarge ? glued : TERMINAL.exec(text.trim())?.groups) ?? {}
  // Of "TSA PreCheck Orlando" the first word is the agency, and no code of Taipei.
  const isCode = (code: string) => !isAboutAirports(code.toLowerCase()) && resolveCode(code, directory) !== null
  if (place !== undefined && terminal !== undefined && (word !== undefined || isCode(place)))
    return { place, terminal: terminal.toUpperCase(), part: `terminal ${terminal.toUpperCase()}` }
  const { place: code, part } = BEHIND_CODE.exec(text.trim())?.groups ?? {}
  // "SAN JOSE TERMINAL" is a city in capitals.
  if (code !== undefined && part !== undefined && !isNameInCapitals(text) && isCode(code)) {
    const known = knownTerminal(resolveCode(code, directory)?.airport?.iata ?? code, part, snapshot)
    if (known === null && !INTERNATIONAL.test(part) && namesNoPart(part))
      return { place: code, terminal: null, part: null }
    if (known !== null || NAMED_PART.test(part) || (SIDE.test(part) && !isInCapitals(text)))
      return { place: code, terminal: known === null ? null : part, part: partName(part, known) }
  }
  return terminalBehindName(text, directory, snapshot) ?? { place: text, terminal: null, part: null }
}

/** A part of an airport as answers name it; a side by the name of its terminal, if one is known: `North Terminal` for "North". */
const partName = (part: string, known: NamedTerminal | null) => {
  if (SHORT_PART.test(part)) return `terminal ${part.toUpperCase()}`
  return withoutMarkup(known !== null && SIDE.test(part) ? terminalName(known.terminal) : part)
}

/** Each further word is one more search. */
const MAX_WORDS_OF_PLACE = 8

/** `4`, `2E`, `B`. */
const SHORT_PART = /^[a-z0-9]{1,2}$/i
/** Few airports have more terminals. */
const LOW_NUMBER = /^[1-5]$/
/** "international" is a part of the names of airports. */
const OF_AIRPORTS = /^(international|intl|airport)\b/i

/** Whether a number behind a place is one of a terminal that is not known: "Narita 1". A city has more places with numbers, and a small airport one terminal. */
const mayBeNumber = (part: string, place: string, { iata, name, size }: Airport, snapshot: Snapshot) =>
  LOW_NUMBER.test(part) &&
  size === 'large' &&
  wordsOf(place).every((word) => wordsOf(name).includes(word)) &&
  unknownTerminalText(iata, part, snapshot) === null

/** An airport by its name with a known terminal or a named part behind it: "Gatwick North Terminal", "Dulles Concourse C"; null for any other text. */
function terminalBehindName(text: string, directory: Directory, snapshot: Snapshot): NamedPlace | null {
  const words = text.trim().split(/[\s,]+/)
  if (words.length > MAX_WORDS_OF_PLACE) return null
  const airportOf = (place: string) => {
    const { airport, choices } = meantAirport(directory, place)
    const [first] = choices
    return first === undefined || first.corrected || CODES.has(first.matched_by) ? null : airport
  }
  const divided = words.slice(1).map((_, index) => {
    const place = words.slice(0, index + 1).join(' ')
    return { place, part: words.slice(index + 1).join(' '), airport: once(() => airportOf(place)) }
  })
  for (const { place, part, airport } of divided) {
    if (OF_AIRPORTS.test(part)) continue
    const found = airport()
    if (found === null) continue
    const known = knownTerminal(found.iata, part, snapshot)
    if (known !== null || mayBeNumber(part, place, found, snapshot))
      return { place, terminal: part, part: partName(part, known) }
  }
  // Of the longest name: the hall of "Charles de Gaulle Hall K" is none of Charles.
  const named = divided.findLast(
    ({ part, airport }) => NAMED_PART.test(part) && !namesNoPart(part) && airport() !== null,
  )
  return named === undefined ? null : { place: named.place, terminal: null, part: withoutMarkup(named.part) }
}

/** A code that is written like a name is rather one where a place is called so: Goa is not Genoa. */
const LIKE_A_NAME = /^[A-Z][a-z]{2}$/
const CODES: ReadonlySet<AirportHit['matched_by']> = new Set([
  'IATA code',
  'FAA id',
  'former code',
  'closed airport',
  'metropolitan area code',
])

/** Whether three words or more are all in capitals: the first of them may be a part of a name. */
const isNameInCapitals = (text: string) => isInCapitals(text) && text.trim().split(/\s+/).length > 2

/** The airport that a text means by its name; null if it is a code of any kind, or names none: the query reads those. */
function meantBy(text: string, parameter: string, tool: Tool, directory: Directory): AirportHit | null {
  if (CODE.test(text) || text.length > MAX_NAME_LENGTH) return null
  const isCode = resolveCode(text, directory) !== null
  if (isCode && !LIKE_A_NAME.test(text)) return null
  const { airport, choices } = meantAirport(directory, text)
  const [first] = choices
  if (isCode && (first === undefined || CODES.has(first.matched_by))) return null
  // A guess stores nothing.
  if (airport && first && !(first.corrected && !tool.annotations.readOnlyHint)) return first
  // "AA" is also the beginning of names, and "Ryanair" is near to one.
  const fault = first?.exact ? null : airlineFault(text)
  if (fault !== null) throw ParameterError.of(parameter, fault)
  if (first === undefined) return null
  // Waits interest people who fly: fields without flights are named only if there are no others, except a field of that name where flights ended.
  const isEnded = first.exact && noFlightsText(first.airport.iata) !== null
  const served = choices.filter(
    (choice) =>
      (choice.airport.scheduled_service && choice.corrected === first.corrected) || (choice === first && isEnded),
  )
  // For a city, keeps the airports that serve it, not others of its name: Syracuse is in New York too.
  const members = new Set(metroOf(text)?.airports.map(({ iata }) => iata))
  const cityChoices = served.filter((choice) => members.has(choice.airport.iata))
  const withFlights = cityChoices.length > 1 ? cityChoices : served
  const meant = withFlights.length > 0 ? withFlights : choices
  const named = (airport ? [first] : meant.slice(0, MAX_CHOICES)).map(choiceText)
  const lacks =
    first.missing === undefined ? '' : `no airport of "${first.missing}" is known in ${withArticle(first.matched)}; `
  const message =
    named.length === 1
      ? `${lacks}use the code if this is meant: ${named[0]}`
      : `${lacks}use the code of one of these: ${named.join(', ')}`
  throw ParameterError.ofNamedAirport(parameter, message)
}
