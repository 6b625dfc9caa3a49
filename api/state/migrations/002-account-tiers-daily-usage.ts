import type { Migration } from 'kysely'
import { type Kysely, sql } from 'kysely'

/** The tier moves from the key to the account; keys get names; usage is counted by day; changes of access are counted. */
export const accountTiersDailyUsage: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('accounts')
      .addColumn('tier', 'text', (column) => column.notNull().defaultTo('free'))
      .execute()
    await sql`update accounts set tier = (select tier from keys where keys.account_id = accounts.id
      order by case tier when 'enterprise' then 0 when 'pro' then 1 else 2 end limit 1)
      where exists (select 1 from keys where keys.account_id = accounts.id)`.execute(db)
    await db.schema.alterTable('keys').dropColumn('tier').execute()
    await db.schema.alterTable('keys').addColumn('name', 'text').execute()

    await db.schema.alterTable('usage').renameTo('usage_by_month').execute()
    await db.schema
      .createTable('usage')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_day_key', ['account_id', 'day', 'endpoint'])
      .execute()
    // The days of earlier calls are not known, so they are stored on the first of the month; the month's total stays right.
    await sql`insert into usage (account_id, day, endpoint, calls)
      select account_id, month || '-01', endpoint, calls from usage_by_month`.execute(db)
    await db.schema.dropTable('usage_by_month').execute()

    await db.schema
      .createTable('access_version')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute()
    await sql`insert into access_version (id, version) values (1, 0), (2, 0), (3, 0)`.execute(db)

    await db.schema.createIndex('registrations_age').on('registrations').column('registered_at').execute()
    await db.schema.alterTable('accounts').addColumn('deleted_at', 'text').execute()
    await db.schema
      .createTable('usage_writers')
      .addColumn('writer', 'text', (column) => column.primaryKey())
      .addColumn('batch', 'integer', (column) => column.notNull())
      .addColumn('written_at', 'text', (column) => column.notNull())
      .execute()
  },
}
