import type { ExpressionBuilder, Kysely } from 'kysely'
import { type Owned, STATE_TABLE_NAMES, STATE_TABLES, type StateTables } from '../../api/state/tables.ts'
import { normaliseEmail } from '../people/email.ts'

/** A table with rows of accounts. */
export interface AccountTable extends Owned {
  table: Exclude<keyof StateTables, 'accounts'>
}

/**
 * All tables with rows of accounts, in an order in which they can be deleted: those that others refer to last. Rows that only refer to
 * such rows (deliveries, records of the authorization server) are handled in `delete-account.ts`.
 */
export const ACCOUNT_TABLES: readonly AccountTable[] = STATE_TABLE_NAMES.toReversed().flatMap((table) => {
  const { owned } = STATE_TABLES[table] as { owned?: Owned }
  return owned ? [{ table: table as AccountTable['table'], ...owned }] : []
})

/** The owner of rows: an account, and the person who signs in to it, if there is one. */
export interface Owner {
  account_id: string
  person_id: string | null
}

/** Finds an account by its id or by the email of its person; null when there is none. */
export async function findOwner(db: Kysely<StateTables>, idOrEmail: string): Promise<Owner | null> {
  const found = db
    .selectFrom('accounts')
    .leftJoin('people', 'people.account_id', 'accounts.id')
    .select(['accounts.id as account_id', 'people.id as person_id'])
  const row =
    (await found.where('accounts.id', '=', idOrEmail).executeTakeFirst()) ??
    (await found.where('people.email', '=', normaliseEmail(idOrEmail) ?? '').executeTakeFirst())
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
  // Each part has its index: PostgreSQL reads the whole table for either of two subqueries.
  const ownAlerts = db
    .selectFrom('deliveries')
    .innerJoin('alerts', 'alerts.id', 'deliveries.alert_id')
    .where('alerts.account_id', '=', account_id)
    .select('deliveries.id')
  const ownBrowsers = db
    .selectFrom('deliveries')
    .innerJoin('push_subscriptions', 'push_subscriptions.id', 'deliveries.subscription_id')
    .where('push_subscriptions.account_id', '=', account_id)
    .select('deliveries.id')
  return (expression: ExpressionBuilder<StateTables, 'deliveries'>) =>
    expression('deliveries.id', 'in', ownAlerts.union(ownBrowsers))
}
