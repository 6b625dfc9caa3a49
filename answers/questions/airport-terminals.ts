import { z } from 'zod'
import { dateWords } from '../../config/date-words.ts'
import { ParameterError } from '../../config/errors.ts'
import { CLOSED_TERMINALS, otherNamesOf, pageTerminals } from '../../config/reference/terminals.ts'
import { sourceById } from '../../config/sources.ts'
import { compareNames, normalizeTerminalName, terminalWords, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { terminalName } from '../statements/text.ts'

const TerminalSource = z.enum(['facts', 'feed', 'map'])

export const NamedTerminal = z.strictObject({
  terminal: z.string(),
  sources: z
    .array(TerminalSource)
    .describe('facts: a dated page; feed: wait sources or their forecast; map: OpenStreetMap, not checked.'),
  as_of: z.string().nullable().describe('Date of the page; null: not from a page, or without a date.'),
  caution: z.string().nullable(),
})
export type NamedTerminal = z.input<typeof NamedTerminal>

/** A terminal as one source names it. */
interface TerminalMention {
  source: z.output<typeof TerminalSource>
  terminal: string
  /** Other names of the same terminal, such as its number on the map. */
  otherNames?: (string | null)[]
  as_of?: string | null
  caution?: string | null
}

/**
 * The known terminals of an airport with the sources that name them, each once ("T4", "Terminal 04" and "4" are the same).
 * The list is never complete.
 */
export function airportTerminals(iata: string, snapshot: Snapshot): NamedTerminal[] {
  return [...new Set(terminalsByName(iata, snapshot).values())].sort((a, b) => compareNames(a.terminal, b.terminal))
}

/**
 * Checks that an airport may have a terminal of this name.
 * @throws ParameterError with the known terminals
 */
export function checkTerminal(iata: string, terminal: string, snapshot: Snapshot): void {
  const unknown = unknownTerminalText(iata, terminal, snapshot)
  if (unknown !== null) throw ParameterError.of('terminal', unknown)
}

/**
 * Refuses a terminal that closed for good, of any name that no present terminal has.
 * @throws ParameterError with the known terminals
 */
export function refuseClosedTerminal(iata: string, terminal: string, snapshot: Snapshot): void {
  if (closedTerminal(iata, normalizeTerminalName(terminal)) !== undefined) checkTerminal(iata, terminal, snapshot)
}

/** The terminal that a name means: by one of its names, or as the only one with the words of the name in one of them. Null if there is none. */
export function knownTerminal(iata: string, terminal: string, snapshot: Snapshot): NamedTerminal | null {
  const byName = terminalsByName(iata, snapshot)
  const exact = byName.get(normalizeTerminalName(terminal))
  if (exact) return exact
  const words = terminalWords(terminal)
  if (words === '') return null
  const having = [...byName].filter(([name]) => ` ${terminalWords(name)} `.includes(` ${words} `))
  const [named, ...others] = new Set(having.map(([, named]) => named))
  if (named !== undefined) return others.length === 0 ? named : null
  const whole = terminalOfPlace(terminal)
  return whole === terminal ? null : knownTerminal(iata, whole, snapshot)
}

/** The terminal of a place within it, as boards name it: `D` of "D gates", `T2` of "T2 Satellite" and "T2 Pier B", `T5` of "T5 B gates", `2E` of "2E hall L"; any other text as it is. */
const terminalOfPlace = (text: string): string =>
  text
    .trim()
    .replace(
      /^((?:t(?:erminal)?[\s-]*)?\d{1,2}[a-z]?)[\s,]+(?:satellite|pier|concourse|hall|(?:[a-z]\s+)?gates?)\b.*$/i,
      '$1',
    )
    .replace(/\s+gates?$|^gates?\s+(?=[a-z]$)/i, '')

/** The name of the terminal that a text means, or the text as the name of one: `North Terminal` for "North", `Terminal 8` for "8". */
export const meantTerminalName = (iata: string, text: string, snapshot: Snapshot): string =>
  withoutMarkup(terminalName(knownTerminal(iata, text, snapshot)?.terminal ?? text))

/** Text for a terminal name that is unknown or of a closed terminal, with the known ones; null if the airport has it or may have it. */
export function unknownTerminalText(iata: string, terminal: string, snapshot: Snapshot): string | null {
  const name = normalizeTerminalName(terminal)
  if (name === '' || knownTerminal(iata, terminal, snapshot) !== null) return null
  const known = airportTerminals(iata, snapshot)
  const list = known.length === 0 ? '' : `; known are: ${listOf(known)}`
  const closed = closedTerminal(iata, name)
  if (closed) return `${iata} ${closed.terminal} closed ${closedWhen(closed.closed)}${list}`
  if (known.length === 0 || mayExist(name, known)) return null
  return `${iata} has no terminal "${withoutMarkup(terminal)}"${list}`
}

const closedTerminal = (iata: string, name: string) =>
  CLOSED_TERMINALS.where('iata', iata).find((row) => normalizeTerminalName(row.terminal) === name)

const closedWhen = (day: string | null) =>
  day === null ? 'for good' : `${day.length === 10 ? 'on' : 'in'} ${dateWords(day)}`

/** Text for a terminal that may exist and is none of the known ones; null if it is one of them, or none is known. */
export function notListedText(iata: string, terminal: string, snapshot: Snapshot): string | null {
  const known = airportTerminals(iata, snapshot)
  if (known.length === 0 || knownTerminal(iata, terminal, snapshot) !== null) return null
  return `terminal ${withoutMarkup(terminal)} is not among those known of ${iata} (${listOf(known)}): check the boarding pass`
}

const listOf = (known: readonly NamedTerminal[]) => known.map(({ terminal }) => terminal).join(', ')

/**
 * Whether a terminal may exist that is none of the known ones by its whole name: it is a word of one ("Terminals 1, 2, 3"), or a number
 * or letter up to the last one of the dated pages, which leave out some. Feeds and the map have only those that they measure or draw.
 */
function mayExist(name: string, known: readonly NamedTerminal[]): boolean {
  if (known.some(({ terminal }) => wordsOf(terminal).includes(name))) return true
  const kind = [/^\d+[a-z]?$/, /^[a-z]$/].find((pattern) => pattern.test(name))
  if (kind === undefined) return false
  const alike = known
    .filter(({ sources }) => sources.includes('facts'))
    .flatMap(({ terminal }) => wordsOf(terminal).filter((word) => kind.test(word)))
  return alike.length === 0 || alike.some((word) => compareNames(name, word) < 0)
}

/** The words of a name by which its terminal may be called, without the dates behind it. */
const wordsOf = (terminal: string) =>
  terminal
    .toLowerCase()
    .replace(/\d{4}(-\d{2})*/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map(normalizeTerminalName)

/** The terminals by each of their normalised names. */
function terminalsByName(iata: string, snapshot: Snapshot): Map<string, NamedTerminal> {
  const byName = new Map<string, NamedTerminal>()
  for (const mention of terminalMentions(iata, snapshot)) {
    const { source, terminal, otherNames = [], as_of = null, caution = null } = mention
    const names = [terminal, ...otherNames].map((name) => normalizeTerminalName(name ?? '')).filter(Boolean)
    const known = names.flatMap((name) => byName.get(name) ?? [])[0]
    const named = known ?? { terminal, sources: [], as_of, caution }
    if (!named.sources.includes(source)) named.sources.push(source)
    for (const name of names) if (!byName.has(name)) byName.set(name, named)
  }
  return byName
}

/** The terminals of dated pages, then of feeds and forecasts, then of the map. */
function terminalMentions(iata: string, snapshot: Snapshot): TerminalMention[] {
  const mentions: TerminalMention[] = []
  for (const { terminal, as_of, caution } of pageTerminals(iata)) {
    const otherNames = namesOf(terminal).concat(otherNamesOf(iata, terminal))
    mentions.push({ source: 'facts', terminal, otherNames, as_of, caution })
  }
  for (const { terminal } of snapshot.queue(iata, 'security').terminals)
    if (terminal !== WHOLE_AIRPORT) mentions.push({ source: 'feed', terminal })
  for (const terminal of snapshot.terminals(iata)) mentions.push({ source: 'feed', terminal })
  for (const { name, ref } of mapTerminals(iata, snapshot))
    mentions.push({ source: 'map', terminal: name ?? ref ?? '', otherNames: [ref] })
  return mentions
}

/** The terminals of the map, without those that closed, whose buildings it still draws. */
export function mapTerminals(iata: string, snapshot: Snapshot) {
  const isClosed = (name: string | null) => closedTerminal(iata, normalizeTerminalName(name ?? '')) !== undefined
  const places = snapshot.map(iata)?.places ?? []
  return places.filter(({ kind, name, ref }) => kind === 'terminal' && !isClosed(name) && !isClosed(ref))
}

/** The names inside a page's name: "Tom Bradley International Terminal (Terminal B)" is also Terminal B. */
function namesOf(terminal: string): string[] {
  const [, name, bracketed] = /^(.+?) \((.+)\)$/.exec(terminal) ?? []
  return name === undefined ? [] : [name, ...(/^Terminal \S+$/.test(bracketed ?? '') ? [bracketed!] : [])]
}

/** The credit for places of the map. */
export const mapCredit = () => sourceById('openstreetmap').attribution

/** The credits that pages or the map require for the terminals of an airport; null when none is required. */
export function terminalsCredit(iata: string, terminals: NamedTerminal[]): string | null {
  const credits = pageTerminals(iata).flatMap(({ credit }) => credit ?? [])
  if (terminals.some(({ sources }) => sources.includes('map'))) credits.push(mapCredit())
  return [...new Set(credits)].join('; ') || null
}
