import type { Kysely } from 'kysely'
import { HoldshortError } from '../../config/errors.ts'
import type { State } from './state.ts'
import type { StateTables } from './tables.ts'

/** Every table, those that others refer to first. */
const TABLES: readonly (keyof StateTables)[] = [
  'installation',
  'secrets',
  'accounts',
  'keys',
  'usage',
  'usage_writers',
  'registrations',
  'people',
  'passkeys',
  'sessions',
  'sign_in_failures',
  'challenges',
  'oauth_records',
  'connections',
  'grants',
  'subscriptions',
  'invoices',
  'stripe_events',
  'overage_reports',
  'push_subscriptions',
  'alerts',
  'deliveries',
  'wait_reports',
  'served_minutes',
  'audit',
  'access_version',
]
/** What a new database has already, and is replaced. */
const PRESENT_IN_NEW: readonly (keyof StateTables)[] = ['installation', 'secrets', 'access_version']
const ROWS_AT_ONCE = 500
/** Both databases limit the parameters of a statement; the lower limit is that of SQLite. */
const MAX_PARAMETERS = 30_000

/** The tables compare without types: their columns are texts and numbers in both databases. */
type AnyTables = Record<string, Record<string, unknown>>

/**
 * Copies all rows of one state into an empty one, whichever databases they are on, in one transaction; returns the rows of each
 * table. Nothing may write to the first one meanwhile. Both need the same pepper.
 * @throws HoldshortError CONFLICT when the other one is not empty.
 */
export async function moveState(from: State, to: State): Promise<Record<string, number>> {
  const source = from.db as unknown as Kysely<AnyTables>
  const rows: Record<string, number> = {}
  await (to.db as unknown as Kysely<AnyTables>).transaction().execute(async (target) => {
    for (const table of TABLES) {
      if (PRESENT_IN_NEW.includes(table)) continue
      const [found] = await target.selectFrom(table).selectAll().limit(1).execute()
      if (found) throw new HoldshortError('CONFLICT', `the target is not empty: it has rows in ${table}`)
    }
    for (const table of [...PRESENT_IN_NEW].reverse()) await target.deleteFrom(table).execute()
    for (const table of TABLES) {
      const all = await source.selectFrom(table).selectAll().execute()
      const columns = Math.max(1, Object.keys(all[0] ?? {}).length)
      const step = Math.min(ROWS_AT_ONCE, Math.floor(MAX_PARAMETERS / columns))
      for (let at = 0; at < all.length; at += step)
        await target
          .insertInto(table)
          .values(all.slice(at, at + step))
          .execute()
      rows[table] = all.length
    }
  })
  return rows
}
