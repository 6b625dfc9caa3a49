import type { Kysely, Migration } from 'kysely'

/** Accounts, keys, monthly usage and the registrations that the registration limits count. */
export const accountsKeysUsage: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text')
      .addColumn('contact_email', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('last_four', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('tier', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('revoked_at', 'text')
      .execute()
    await db.schema.createIndex('keys_account').on('keys').column('account_id').execute()
    await db.schema
      .createTable('usage')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_key', ['account_id', 'month', 'endpoint'])
      .execute()
    await db.schema
      .createTable('registrations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('source_hash', 'text', (column) => column.notNull())
      .addColumn('registered_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('registrations_source')
      .on('registrations')
      .columns(['source_hash', 'registered_at'])
      .execute()
  },
}
