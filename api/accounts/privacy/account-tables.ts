import type { ExpressionBuilder, Kysely } from 'kysely'
import type { StateTables } from '../../state/tables.ts'

/** A table with rows of accounts: which columns the export contains, and whether its rows outlive the account. */
export interface AccountTable {
  table: Exclude<keyof StateTables, 'accounts'>
  /** The column that names the account or its person. */
  by: 'account_id' | 'person_id'
  /** The exported columns; rows are sorted by the first two. Secrets, hashes and addresses that grant access are not exported. */
  exported: readonly string[]
  /** Why its rows are retained, without personal data; absent where they are deleted. */
  retained_because?: string
}

/**
 * All tables with rows of accounts, in an order in which they can be deleted. A new table with an account or a person in it
 * is a line here. Rows that only refer to such rows (deliveries, records of the authorization server) are handled in
 * `delete-account.ts`.
 */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  {
    table: 'sessions',
    by: 'person_id',
    exported: ['created_at', 'seen_at', 'expires_at', 'source', 'user_agent'],
  },
  { table: 'passkeys', by: 'person_id', exported: ['created_at', 'id', 'name', 'transports', 'counter', 'used_at'] },
  { table: 'people', by: 'account_id', exported: ['created_at', 'id', 'email'] },
  {
    table: 'keys',
    by: 'account_id',
    exported: ['created_at', 'id', 'name', 'prefix', 'last_four', 'revoked_at'],
  },
  {
    table: 'connections',
    by: 'account_id',
    exported: ['created_at', 'grant_id', 'client_id', 'client_name', 'redirect_uri', 'used_at', 'revoked_at'],
  },
  { table: 'grants', by: 'account_id', exported: ['granted_at', 'id', 'tier', 'until', 'ended_at', 'note'] },
  {
    table: 'subscriptions',
    by: 'account_id',
    exported: [
      'as_of',
      'customer_id',
      'subscription_id',
      'tier',
      'status',
      'current_period_end',
      'cancel_at_period_end',
    ],
  },
  {
    table: 'alerts',
    by: 'account_id',
    exported: [
      'created_at',
      'id',
      'iata',
      'terminal',
      'direction',
      'threshold_minutes',
      'quiet_from',
      'quiet_to',
      'expires_at',
      'state',
      'fired_at',
    ],
  },
  { table: 'push_subscriptions', by: 'account_id', exported: ['created_at', 'id', 'label', 'delivered_at'] },
  { table: 'audit', by: 'account_id', exported: ['at', 'action', 'actor', 'source', 'detail'] },
  {
    table: 'wait_reports',
    by: 'account_id',
    exported: [
      'filed_at',
      'id',
      'iata',
      'queue',
      'terminal',
      'lane',
      'wait_minutes',
      'observed_at',
      'status',
      'reason',
      'landed_at',
    ],
    retained_because: 'reports that reached the warehouse are part of the history that models are trained on',
  },
  {
    table: 'usage',
    by: 'account_id',
    exported: ['day', 'endpoint', 'calls'],
    retained_because: 'invoices are based on it',
  },
  {
    table: 'invoices',
    by: 'account_id',
    exported: ['issued_at', 'id', 'number', 'amount_cents', 'currency', 'status', 'hosted_url'],
    retained_because: 'the law requires them to be kept',
  },
  {
    table: 'overage_reports',
    by: 'account_id',
    exported: ['month', 'calls'],
    retained_because: 'invoices are based on it',
  },
]

/** The owner of rows: an account, and the person who signs in to it, if there is one. */
export interface Owner {
  account_id: string
  person_id: string | null
}

/** Finds an account by its id or by the email of its person; null when there is none. */
export async function findOwner(db: Kysely<StateTables>, idOrEmail: string): Promise<Owner | null> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('people', 'people.account_id', 'accounts.id')
    .select(['accounts.id as account_id', 'people.id as person_id'])
    .where((expression) =>
      expression.or([
        expression('accounts.id', '=', idOrEmail),
        expression('people.email', '=', idOrEmail.trim().toLowerCase()),
      ]),
    )
    .executeTakeFirst()
  return row ?? null
}

/** The owner's rows of a table, with the exported columns. */
export function rowsOf(
  db: Kysely<StateTables>,
  accountTable: AccountTable,
  owner: Owner,
): Promise<Record<string, unknown>[]> {
  // The types use one table for all, because the compiler cannot check the columns of each; a test does.
  const { table, by, exported } = accountTable as {
    table: 'usage'
    by: 'account_id'
    exported: ('day' | 'endpoint')[]
  }
  return db
    .selectFrom(table)
    .select(exported)
    .where(by, '=', ownerId(accountTable, owner))
    .orderBy(exported[0]!)
    .orderBy(exported[1]!)
    .execute()
}

/** Deletes the owner's rows of a table; returns how many. */
export async function deleteRowsOf(db: Kysely<StateTables>, accountTable: AccountTable, owner: Owner): Promise<number> {
  const { table, by } = accountTable as { table: 'usage'; by: 'account_id' }
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(by, '=', ownerId(accountTable, owner))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const ownerId = ({ by }: AccountTable, { account_id, person_id }: Owner) =>
  by === 'account_id' ? account_id : (person_id ?? '')

/** A condition on `deliveries`: the messages of an account's alerts or to its browsers. */
export function isDeliveryOf(db: Kysely<StateTables>, account_id: string) {
  const idsIn = (table: 'alerts' | 'push_subscriptions') =>
    db.selectFrom(table).select('id').where('account_id', '=', account_id)
  return (expression: ExpressionBuilder<StateTables, 'deliveries'>) =>
    expression.or([
      expression('alert_id', 'in', idsIn('alerts')),
      expression('subscription_id', 'in', idsIn('push_subscriptions')),
    ])
}
