import { randomUUID } from 'node:crypto'
import type { CreateTableBuilder, Kysely, Migration } from 'kysely'
import { type Column, STATE_TABLE_NAMES, STATE_TABLES, type StateTables, type Table } from './tables.ts'

/** A table of the list, as the statements that make it see it. */
type AnyTable = Table<Record<string, Column<unknown>>>

async function createTable(db: Kysely<StateTables>, name: keyof StateTables): Promise<void> {
  const { columns, key, indexes = [] } = STATE_TABLES[name] as unknown as AnyTable
  let statement: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, { type, isNullable, isKey, isUnique, references }] of Object.entries(columns))
    statement = statement.addColumn(column, type, (built) => {
      const known = isNullable ? built : built.notNull()
      const keyed = isKey ? known.primaryKey() : known
      const unique = isUnique ? keyed.unique() : keyed
      return references ? unique.references(references) : unique
    })
  if (key) statement = statement.addPrimaryKeyConstraint(`${name}_key`, [...key])
  await statement.execute()
  for (const of of indexes)
    await db.schema
      .createIndex(`${name}_${of.join('_')}`)
      .on(name)
      .columns([...of])
      .execute()
}

/** The tables, and the rows that every state has: which one it is, and the counters that also serve as locks. */
const state: Migration = {
  async up(db: Kysely<StateTables>) {
    for (const name of STATE_TABLE_NAMES) await createTable(db, name)
    await db.insertInto('installation').values({ id: randomUUID(), version: 0 }).execute()
    const counters = [1, 2, 3].map((id) => ({ id, version: 0 }))
    await db.insertInto('access_version').values(counters).execute()
  },
}

/** Every migration in order; one that is in a release is never changed. */
export const MIGRATIONS: Record<string, Migration> = { '001-state': state }
