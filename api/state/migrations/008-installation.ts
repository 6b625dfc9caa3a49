import { randomUUID } from 'node:crypto'
import type { Kysely, Migration } from 'kysely'

/** Which state this is, and a number that grows while it is used (see `marker.ts`). */
export const installation: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installation')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute()
    await (db as Kysely<{ installation: { id: string; version: number } }>)
      .insertInto('installation')
      .values({ id: randomUUID(), version: 0 })
      .execute()
  },
}
