import type { Kysely, Migration } from 'kysely'

/** The records of the authorization server, and the connections of MCP clients. */
export const connections: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('oauth_records')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('grant_id', 'text')
      .addColumn('uid', 'text')
      .addColumn('user_code', 'text')
      .addColumn('consumed_at', 'text')
      .addColumn('expires_at', 'text')
      .addPrimaryKeyConstraint('oauth_records_key', ['model', 'id'])
      .execute()
    for (const column of ['grant_id', 'uid', 'expires_at'])
      await db.schema.createIndex(`oauth_records_${column}`).on('oauth_records').column(column).execute()
    await db.schema
      .createTable('connections')
      .addColumn('grant_id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('used_at', 'text')
      .addColumn('revoked_at', 'text')
      .execute()
    await db.schema.createIndex('connections_account').on('connections').column('account_id').execute()
  },
}
