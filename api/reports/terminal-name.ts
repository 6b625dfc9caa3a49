import { knownTerminal, mapTerminals } from '../../answers/questions/airport-terminals.ts'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import { pageTerminals } from '../../config/reference/terminals.ts'
import { normalizeTerminalName, terminalWords } from '../../config/terminal-name.ts'
import { QueueKind } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'

/** A feed of the whole airport has this entry, which is no name of a terminal. */
const WHOLE_AIRPORT = 'all'

/** The names that feeds and forecasts use, as they spell them; none of them from travellers. */
function feedNames(iata: string, snapshot: Snapshot): string[] {
  const current = QueueKind.options.flatMap((kind) =>
    snapshot.queue(iata, kind).terminals.flatMap(({ terminal, source }) => (source === CROWD_SOURCE ? [] : terminal)),
  )
  return [...current, ...snapshot.terminals(iata)].filter((name) => name !== '' && name !== WHOLE_AIRPORT)
}

/** A longer name is one in words, which stays as its page writes it. */
const MAX_LETTERS_OF_CODE = 3
/** "Terminal 4" as `4` and "Concourse b" as `B`; a name in words as it is. */
function shortName(name: string): string {
  const short = normalizeTerminalName(name)
  return short.length <= MAX_LETTERS_OF_CODE ? short.toUpperCase() : name
}

/** The names of the reference pages and of the map. */
function pageNames(iata: string, snapshot: Snapshot): string[] {
  const fromPages = pageTerminals(iata).map(({ terminal }) => terminal)
  const fromMap = mapTerminals(iata, snapshot).flatMap(({ name, ref }) => [ref, name].filter((text) => text !== null))
  return [...fromPages, ...fromMap].map(shortName).filter(Boolean)
}

/** The names of an airport's terminals, each terminal once: of feeds and forecasts, else of the reference pages and the map. */
export function knownTerminals(iata: string, snapshot: Snapshot): string[] {
  const byName = new Map<string, string>()
  for (const name of [...feedNames(iata, snapshot), ...pageNames(iata, snapshot)]) {
    const key = normalizeTerminalName(name)
    if (!byName.has(key)) byName.set(key, name)
  }
  return [...byName.values()]
}

/** The one terminal with a checkpoint of a name: at DEN that of "West Security"; undefined for none or several. */
function terminalOfCheckpoint(iata: string, name: string): string | undefined {
  const plain = name.trim().toLowerCase()
  const [having, ...others] = pageTerminals(iata).filter(({ checkpoints }) =>
    checkpoints.some(({ checkpoint }) => checkpoint.toLowerCase() === plain),
  )
  return others.length === 0 ? having?.terminal : undefined
}

/**
 * The known name of a terminal that a traveller names ("T4", "Terminal 4" and "4" are the same), or whose checkpoint; null when no terminal of the
 * airport is known by it. A traveller's own words are never used as a name.
 */
export function matchTerminal(reported: string, iata: string, snapshot: Snapshot): string | null {
  const known = knownTerminals(iata, snapshot)
  const plain = normalizeTerminalName(reported)
  const exact = known.find((name) => normalizeTerminalName(name) === plain)
  if (exact !== undefined) return exact
  const words = terminalWords(reported)
  const alike = words === '' ? undefined : known.find((name) => terminalWords(name) === words)
  if (alike !== undefined) return alike
  const meant = knownTerminal(iata, reported, snapshot)?.terminal ?? terminalOfCheckpoint(iata, reported)
  const isMeant = (name: string) => knownTerminal(iata, name, snapshot)?.terminal === meant
  return meant === undefined ? null : (known.find(isMeant) ?? null)
}
