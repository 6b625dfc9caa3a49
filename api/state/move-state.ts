import type { Kysely } from 'kysely'
import { HoldshortError } from '../../config/errors.ts'
import { columnsOf } from './migrations.ts'
import type { State, StateDatabase } from './state.ts'
import { STATE_TABLE_NAMES, type StateTables } from './tables.ts'

/** Tables that a new database already fills, and that are replaced. */
const PRESENT_IN_NEW: readonly (keyof StateTables)[] = ['installation', 'secrets', 'access_version']
const ROWS_AT_ONCE = 500
/** Both databases limit the parameters of a statement; the lower limit is that of SQLite. */
const MAX_PARAMETERS = 30_000

/** The tables compare without types: their columns are texts and numbers in both databases. */
type AnyTables = Record<string, Record<string, unknown>>

/** Tables of the database itself and of the migrations. */
const INTERNAL = /^(kysely_|sqlite_)/

async function requireNoRows(db: Kysely<AnyTables>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if ((PRESENT_IN_NEW as readonly string[]).includes(table)) continue
    const [found] = await db.selectFrom(table).selectAll().limit(1).execute()
    if (found) throw new HoldshortError('CONFLICT', `the target is not empty: it has rows in ${table}`)
  }
}

/**
 * Checks that a state can be moved into a database, without writing anything there: it has no tables, or those of a state
 * without any account.
 * @throws HoldshortError CONFLICT
 */
export async function requireEmptyDatabase(database: Pick<StateDatabase, 'db'>): Promise<void> {
  const names = new Set((await columnsOf(database.db)).map(({ table }) => table))
  const found = [...names].filter((name) => !INTERNAL.test(name))
  const foreign = found.find((name) => !(STATE_TABLE_NAMES as readonly string[]).includes(name))
  if (foreign !== undefined)
    throw new HoldshortError(
      'CONFLICT',
      `the target is not empty: it holds a table ${foreign} of something else; name a database of its own`,
    )
  await requireNoRows(database.db as unknown as Kysely<AnyTables>, found)
}

/**
 * Copies all rows of one state into an empty one, whichever databases they are on, in one transaction; returns the rows of each
 * table. Nothing may write to the first one meanwhile. Both need the same pepper.
 * @throws HoldshortError CONFLICT when the other one is not empty.
 */
export async function moveState(from: State, to: State): Promise<Record<string, number>> {
  const source = from.db as unknown as Kysely<AnyTables>
  const rows: Record<string, number> = {}
  await (to.db as unknown as Kysely<AnyTables>).transaction().execute(async (target) => {
    await requireNoRows(target, STATE_TABLE_NAMES)
    for (const table of [...PRESENT_IN_NEW].reverse()) await target.deleteFrom(table).execute()
    for (const table of STATE_TABLE_NAMES) {
      const all = await source.selectFrom(table).selectAll().execute()
      const columns = Math.max(1, Object.keys(all[0] ?? {}).length)
      const step = Math.min(ROWS_AT_ONCE, Math.floor(MAX_PARAMETERS / columns))
      for (let start = 0; start < all.length; start += step)
        await target
          .insertInto(table)
          .values(all.slice(start, start + step))
          .execute()
      rows[table] = all.length
    }
  })
  return rows
}
