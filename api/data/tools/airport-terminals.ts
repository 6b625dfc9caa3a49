import { z } from 'zod'
import { TERMINALS } from '../../../config/reference/terminals.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { mapCredit } from './map-places.ts'

const ToldBy = z.enum(['facts', 'feed', 'map'])

export const NamedTerminal = z.strictObject({
  terminal: z.string(),
  told_by: z
    .array(ToldBy)
    .describe('facts: a dated page; feed: wait sources or their forecast; map: OpenStreetMap, not checked.'),
  as_of: z.string().nullable().describe('Date of the page; null: not from one, or without a date.'),
  caution: z.string().nullable(),
})
type NamedTerminal = z.input<typeof NamedTerminal>

interface Telling {
  told_by: z.output<typeof ToldBy>
  terminal: string
  /** Other names of the same. */
  also?: string | null
  as_of?: string | null
  caution?: string | null
}

/** Terminals that anything here names, each once ("T4", "Terminal 04" and "4" are one), and who names it. Never all there are. */
export function airportTerminals(iata: string, snapshot: Snapshot): NamedTerminal[] {
  const fed = [
    ...snapshot.queue(iata, 'security').terminals.map(({ terminal }) => terminal),
    ...snapshot.terminals(iata),
  ]
  const mapped = snapshot.map(iata)?.places.filter(({ kind }) => kind === 'terminal') ?? []
  const tellings: Telling[] = [
    ...TERMINALS.rows()
      .filter((row) => row.iata === iata)
      .map(({ terminal, as_of, caution }) => ({ told_by: 'facts' as const, terminal, as_of, caution })),
    ...fed.map((terminal) => ({ told_by: 'feed' as const, terminal })),
    ...mapped.map(({ name, ref }) => ({ told_by: 'map' as const, terminal: name ?? ref ?? '', also: ref })),
  ]
  const byName = new Map<string, NamedTerminal>()
  for (const { told_by, terminal, also, as_of = null, caution = null } of tellings) {
    const names = [terminal, also ?? ''].map(normalizeTerminalName).filter((name) => name !== '')
    const known = names.flatMap((name) => byName.get(name) ?? [])[0]
    const named = known ?? { terminal, told_by: [], as_of, caution }
    if (!named.told_by.includes(told_by)) named.told_by.push(told_by)
    for (const name of names) if (!byName.has(name)) byName.set(name, named)
  }
  return [...new Set(byName.values())].sort((a, b) => a.terminal.localeCompare(b.terminal, 'en', { numeric: true }))
}

/** Whom to credit for the terminals of an airport, where pages or the map ask for it; null where none does. */
export function terminalsCredit(iata: string, named: NamedTerminal[]): string | null {
  const pages = TERMINALS.rows().flatMap((row) => (row.iata === iata && row.credit !== null ? [row.credit] : []))
  const map = named.some(({ told_by }) => told_by.includes('map')) ? [mapCredit()] : []
  return [...new Set([...pages, ...map])].join('; ') || null
}
