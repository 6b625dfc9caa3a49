import type { ExpressionBuilder, Kysely } from 'kysely'
import type { StateTables } from '../../state/tables.ts'

/** One kind of row that is held about an account: what of it is told to its owner, and what stays when all is deleted. */
export interface Holding {
  table: Exclude<keyof StateTables, 'accounts'>
  by: 'account_id' | 'person_id'
  /** Columns of the export, the one that it is sorted by first. Secrets, hashes and addresses that open something are not among them. */
  told: readonly string[]
  /** Why its rows stay, without a person in them; absent where they go. */
  stays?: string
}

/**
 * Everything that is held about an account, in an order in which it can be deleted. A new table with an account or a
 * person in it is a line here; what hangs on others (deliveries, records of the authorization server) is in
 * `delete-account.ts`.
 */
export const HOLDINGS: readonly Holding[] = [
  {
    table: 'sessions',
    by: 'person_id',
    told: ['created_at', 'seen_at', 'expires_at', 'source', 'user_agent'],
  },
  { table: 'passkeys', by: 'person_id', told: ['created_at', 'id', 'name', 'transports', 'counter', 'used_at'] },
  { table: 'people', by: 'account_id', told: ['created_at', 'id', 'email'] },
  {
    table: 'keys',
    by: 'account_id',
    told: ['created_at', 'id', 'name', 'prefix', 'last_four', 'revoked_at'],
  },
  {
    table: 'connections',
    by: 'account_id',
    told: ['created_at', 'grant_id', 'client_id', 'client_name', 'redirect_uri', 'used_at', 'revoked_at'],
  },
  { table: 'grants', by: 'account_id', told: ['granted_at', 'id', 'tier', 'until', 'ended_at', 'note'] },
  {
    table: 'subscriptions',
    by: 'account_id',
    told: ['as_of', 'customer_id', 'subscription_id', 'tier', 'status', 'current_period_end', 'cancel_at_period_end'],
  },
  {
    table: 'alerts',
    by: 'account_id',
    told: [
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
  { table: 'push_subscriptions', by: 'account_id', told: ['created_at', 'id', 'label', 'delivered_at'] },
  { table: 'audit', by: 'account_id', told: ['at', 'action', 'actor', 'source', 'detail'] },
  {
    table: 'wait_reports',
    by: 'account_id',
    told: [
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
    stays: 'those that have landed are part of the history that models learn from',
  },
  { table: 'usage', by: 'account_id', told: ['day', 'endpoint', 'calls'], stays: 'invoices rest on it' },
  {
    table: 'invoices',
    by: 'account_id',
    told: ['issued_at', 'id', 'number', 'amount_cents', 'currency', 'status', 'hosted_url'],
    stays: 'the law wants them kept',
  },
  {
    table: 'overage_reports',
    by: 'account_id',
    told: ['month', 'calls'],
    stays: 'invoices rest on it',
  },
]

/** Whose rows: an account, and the person who signs in to it, if there is one. */
export interface Owner {
  account_id: string
  person_id: string | null
}

/** The account with this id, or of the person with this email; null when there is none. */
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

/** The rows of one kind, sorted. */
export function rowsOf(db: Kysely<StateTables>, holding: Holding, owner: Owner): Promise<Record<string, unknown>[]> {
  // One table stands for all: the compiler cannot know that each has the columns that its line names; a test does.
  const { table, by, told } = holding as { table: 'usage'; by: 'account_id'; told: ('day' | 'endpoint')[] }
  return db
    .selectFrom(table)
    .select(told)
    .where(by, '=', ownerId(holding, owner))
    .orderBy(told[0]!)
    .orderBy(told[1]!)
    .execute()
}

/** Deletes the rows of one kind; returns how many. */
export async function deleteRowsOf(db: Kysely<StateTables>, holding: Holding, owner: Owner): Promise<number> {
  const { table, by } = holding as { table: 'usage'; by: 'account_id' }
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(by, '=', ownerId(holding, owner))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const ownerId = ({ by }: Holding, { account_id, person_id }: Owner) =>
  by === 'account_id' ? account_id : (person_id ?? '')

/** Messages under way or sent to the browsers of an account: they hang on its alerts and browsers. */
export function isDeliveryOf(db: Kysely<StateTables>, account_id: string) {
  const of = (table: 'alerts' | 'push_subscriptions') =>
    db.selectFrom(table).select('id').where('account_id', '=', account_id)
  return (expression: ExpressionBuilder<StateTables, 'deliveries'>) =>
    expression.or([
      expression('alert_id', 'in', of('alerts')),
      expression('subscription_id', 'in', of('push_subscriptions')),
    ])
}
