import type { Kysely, Migration } from 'kysely'

/** The minutes in which the service was answering. */
export const availability: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('served_minutes')
      .addColumn('minute', 'integer', (column) => column.primaryKey())
      .execute()
  },
}
