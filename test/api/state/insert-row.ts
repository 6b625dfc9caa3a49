import type { State } from '../../../api/state/state.ts'
import { type Column, STATE_TABLES, type StateTables } from '../../../api/state/tables.ts'
import { NOW } from '../example-snapshot.ts'

/** What a column holds that a test says nothing of. */
function unsaid(name: string, { type, isNullable }: Column<unknown>) {
  if (isNullable) return null
  if (type !== 'text') return 0
  return /(^|_)at$|^as_of$/.test(name) ? new Date(NOW).toISOString() : ''
}

/** Inserts a row of which a test says what it needs; the rest is null or, where it must not be, now, zero or empty. */
export async function insertRow<Name extends keyof StateTables>(
  { db }: State,
  table: Name,
  said: Partial<StateTables[Name]>,
): Promise<void> {
  const columns = Object.entries<Column<unknown>>(STATE_TABLES[table].columns)
  const row = { ...Object.fromEntries(columns.map(([name, column]) => [name, unsaid(name, column)])), ...said }
  await db
    .insertInto(table)
    .values(row as never)
    .execute()
}
