import { UsageError } from '../../config/errors.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'

/** The owner of a table's figures: the source that each row names, or this installation. */
export type Credit = 'source' | 'own'

/** Tables that this installation computes itself; a row copies no figure of a source. */
const OWN = new Set([
  'source_hours',
  'state_changes',
  'forecasts',
  'backtests',
  'scores',
  'backtest_scores',
  'nowcasts',
])

/** Tables that never leave an installation, and why. */
const WITHHELD: Record<string, string> = {
  runs: 'How this installation fetches its sources; error messages may hold addresses.',
  notices: 'Parts of payloads that could not be read.',
  misses: 'Observed waits without the name of their source.',
}

const UNDECIDED = 'It names no source, and nothing says whose figures it holds.'

export interface ExportedTable {
  table: Table
  credit: Credit
}

/** The decision on each table: it is exported, or withheld for a reason. */
function decide(table: Table): ExportedTable | { table: Table; reason: string } {
  const reason = WITHHELD[table.name]
  if (reason !== undefined) return { table, reason }
  if (OWN.has(table.name)) return { table, credit: 'own' }
  return 'source' in table.columns ? { table, credit: 'source' } : { table, reason: UNDECIDED }
}

const decisions = allTables.map(decide)

/** The tables that may be exported. */
export const EXPORTABLE: readonly ExportedTable[] = decisions.filter((decision) => 'credit' in decision)

/** Tables that are never exported, with the reason. */
export const WITHHELD_TABLES: readonly { name: string; reason: string }[] = decisions.flatMap((decision) =>
  'reason' in decision ? [{ name: decision.table.name, reason: decision.reason }] : [],
)

/** The tables of a setting or flag: `all`, or their names; none for `off`. @throws UsageError for a name that is no table, or is never exported */
export function selectTables(names: readonly string[], parameter = 'HOLDSHORT_OPEN_DATA'): readonly ExportedTable[] {
  if (names.length === 1 && names[0] === 'off') return []
  if (names.length === 1 && names[0] === 'all') return EXPORTABLE
  for (const name of names) {
    const withheld = WITHHELD_TABLES.find((candidate) => candidate.name === name)
    if (withheld) throw new UsageError(`${parameter}: ${name} is never exported. ${withheld.reason}`)
    if (!EXPORTABLE.some(({ table }) => table.name === name))
      throw new UsageError(
        `${parameter}: "${name}" is not one of ${EXPORTABLE.map(({ table }) => table.name).join(', ')}`,
      )
  }
  return EXPORTABLE.filter(({ table }) => names.includes(table.name))
}

/** The column that names the place of a row. */
const PLACES = ['iata', 'icao', 'faa_id', 'area', 'subject', 'source']

/**
 * The order of the rows in exported files: the place first, so that a reader of one airport fetches few row groups, then the
 * kind of queue and the table's own order. All columns take part, so that the same rows always make the same bytes.
 */
export function exportOrder(table: Table): string[] {
  const place = PLACES.find((name) => table.sort.includes(name))
  const columns = Object.keys(table.columns)
  const kind = place === 'iata' && columns.includes('kind') ? ['kind'] : []
  return [...new Set([...(place ? [place] : []), ...kind, ...table.sort, ...table.key, ...columns])]
}
