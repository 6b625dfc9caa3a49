import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The minutes in which the service was answering. */
export const availability: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('served_minutes')
      .addColumn('minute', 'integer', (column) => column.primaryKey())
      .execute()
  },
}
