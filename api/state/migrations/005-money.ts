import type { Migration } from 'kysely'
import { type Kysely, sql } from 'kysely'

/** Grants by the operator and subscriptions at Stripe, which decide an account's tier; invoices and overage. */
export const money: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('grants')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('tier', 'text', (column) => column.notNull())
      .addColumn('granted_at', 'text', (column) => column.notNull())
      .addColumn('until', 'text')
      .addColumn('ended_at', 'text')
      .addColumn('note', 'text')
      .execute()
    await db.schema.createIndex('grants_account').on('grants').column('account_id').execute()
    // Before this migration, every paid tier was granted by the operator.
    await sql`insert into grants (id, account_id, tier, granted_at)
      select 'grant_' || id, id, tier, created_at from accounts where tier <> 'free'`.execute(db)
    await db.schema
      .createTable('subscriptions')
      .addColumn('account_id', 'text', (column) => column.primaryKey().references('accounts.id'))
      .addColumn('customer_id', 'text', (column) => column.notNull().unique())
      .addColumn('subscription_id', 'text')
      .addColumn('tier', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('current_period_end', 'text')
      .addColumn('cancel_at_period_end', 'integer', (column) => column.notNull())
      .addColumn('as_of', 'text', (column) => column.notNull())
      .addColumn('checkout', 'text')
      .execute()
    await db.schema
      .createTable('invoices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('number', 'text')
      .addColumn('issued_at', 'text', (column) => column.notNull())
      .addColumn('amount_cents', 'integer', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('hosted_url', 'text')
      .addColumn('as_of', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('invoices_account').on('invoices').column('account_id').execute()
    await db.schema
      .createTable('stripe_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('overage_reports')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addColumn('included_calls', 'integer', (column) => column.notNull())
      .addColumn('telling', 'integer')
      .addColumn('telling_since', 'text')
      .addPrimaryKeyConstraint('overage_reports_key', ['account_id', 'month'])
      .execute()
  },
}
