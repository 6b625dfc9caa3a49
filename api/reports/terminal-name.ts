import { CROWD_SOURCE } from '../../config/publishers.ts'
import { TERMINALS } from '../../config/reference/terminals.ts'
import { normalizeTerminalName } from '../../config/terminal-name.ts'
import { QueueKind } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'

/** A feed that tells of the whole airport has this entry, which is no name of a terminal. */
const WHOLE_AIRPORT = 'all'

/** "North Terminal", "Concourse B" and "Pier B" without the word that says what they are. */
const withoutKind = (name: string) =>
  normalizeTerminalName(name)
    .replace(/\b(terminal|concourse|pier|building|hall)\b/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The names that feeds and forecasts use, as they spell them; none of them from travellers. */
function feedNames(iata: string, snapshot: Snapshot): string[] {
  const current = QueueKind.options.flatMap((kind) =>
    snapshot.queue(iata, kind).terminals.flatMap(({ terminal, source }) => (source === CROWD_SOURCE ? [] : terminal)),
  )
  return [...current, ...snapshot.terminals(iata)].filter((name) => name !== '' && name !== WHOLE_AIRPORT)
}

/** The names of the reference pages and of the map, without the word "Terminal" and in capitals. */
function pageNames(iata: string, snapshot: Snapshot): string[] {
  const fromPages = TERMINALS.where('iata', iata).map(({ terminal }) => terminal)
  const fromMap = (snapshot.map(iata)?.places ?? []).flatMap(({ kind, name, ref }) =>
    kind === 'terminal' ? [ref, name].filter((text) => text !== null) : [],
  )
  return [...fromPages, ...fromMap].map((name) => normalizeTerminalName(name).toUpperCase()).filter(Boolean)
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

/**
 * The known name of a terminal that a traveller names ("T4", "Terminal 4" and "4" are the same); null when no terminal of the
 * airport is known by it. A traveller's own words are never used as a name.
 */
export function matchTerminal(reported: string, iata: string, snapshot: Snapshot): string | null {
  const known = knownTerminals(iata, snapshot)
  const plain = normalizeTerminalName(reported)
  const exact = known.find((name) => normalizeTerminalName(name) === plain)
  if (exact !== undefined) return exact
  const core = withoutKind(reported)
  return core === '' ? null : (known.find((name) => withoutKind(name) === core) ?? null)
}
