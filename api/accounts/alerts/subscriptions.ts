import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import { HoldshortError, RateLimitedError } from '../../../config/errors.ts'
import type { Actor } from '../../state/actor.ts'
import type { State } from '../../state/state.ts'
import type { PushSubscriptionRow, StateTables } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { lockAccount } from './lock-account.ts'
import type { PushSubscription } from './subscription-shape.ts'

/** Browsers that an account may have connected at a time. */
export const MOST_BROWSERS = 10
/** Browsers that it may connect in a day: each makes us send to an address that a stranger gave. */
const MOST_A_DAY = 30

/** The browsers of an account, the first connected first. */
export function subscriptionsOf(db: Kysely<StateTables>, account_id: string): Promise<PushSubscriptionRow[]> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Connects a browser to an account, or renews it. One that another account holds is taken over: it has one owner at a
 * time, the one who last asked from it, and what was on its way for the other goes nowhere.
 * @throws HoldshortError CONFLICT beyond `MOST_BROWSERS`.
 */
export async function connectBrowser(
  { db }: State,
  account_id: string,
  { endpoint, keys, label }: PushSubscription & { label: string },
  by: Actor,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, account_id)
    const held = await transaction
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('endpoint', '=', endpoint)
      .executeTakeFirst()
    if (held?.account_id === account_id) {
      await transaction
        .updateTable('push_subscriptions')
        .set({ ...keys, label })
        .where('id', '=', held.id)
        .execute()
      return
    }
    const others = await subscriptionsOf(transaction, account_id)
    if (others.length >= MOST_BROWSERS)
      throw new HoldshortError('CONFLICT', `an account has at most ${MOST_BROWSERS} browsers; disconnect one first`)
    await mustNotConnectTooOften(transaction, account_id, now)
    if (held) await forget(transaction, held, { actor: 'service', source: null }, now, 'connected to another account')
    const row = { id: `push_${randomUUID()}`, account_id, endpoint, ...keys, label, delivered_at: null }
    await transaction
      .insertInto('push_subscriptions')
      .values({ ...row, created_at: new Date(now).toISOString() })
      .execute()
    await recordAuditEntry(transaction, account_id, 'push_connected', by, now, { browser: row.id, label })
  })
}

async function mustNotConnectTooOften(transaction: Kysely<StateTables>, account_id: string, now: number) {
  const { times } = await transaction
    .selectFrom('audit')
    .select(transaction.fn.count('id').as('times'))
    .where('account_id', '=', account_id)
    .where('action', '=', 'push_connected')
    .where('at', '>', new Date(now - DAY_MS).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(times) >= MOST_A_DAY)
    throw new RateLimitedError('push_connect', DAY_MS / 1000, `at most ${MOST_A_DAY} browsers are connected in a day`)
}

/**
 * Disconnects a browser of an account.
 * @throws HoldshortError NOT_FOUND for one that it does not have.
 */
export async function disconnectBrowser(
  { db }: State,
  account_id: string,
  id: string,
  by: Actor,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, account_id)
    await forget(transaction, await browserOf(transaction, account_id, id), by, now, 'asked for')
  })
}

/** One browser of an account. @throws HoldshortError NOT_FOUND */
export async function browserOf(db: Kysely<StateTables>, account_id: string, id: string): Promise<PushSubscriptionRow> {
  const row = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  if (!row) throw new HoldshortError('NOT_FOUND', 'there is no such browser; it may have been disconnected')
  return row
}

/** Drops a browser that its push service no longer knows. */
export async function dropBrowser({ db }: Pick<State, 'db'>, row: PushSubscriptionRow, now: number): Promise<void> {
  await db
    .transaction()
    .execute((transaction) => forget(transaction, row, { actor: 'service', source: null }, now, 'gone'))
}

async function forget(
  transaction: Kysely<StateTables>,
  { id, account_id, label }: PushSubscriptionRow,
  by: Actor,
  now: number,
  reason: string,
): Promise<void> {
  const gone = await transaction.deleteFrom('push_subscriptions').where('id', '=', id).executeTakeFirst()
  if (gone.numDeletedRows === 0n) return
  await transaction.deleteFrom('deliveries').where('subscription_id', '=', id).execute()
  await recordAuditEntry(transaction, account_id, 'push_disconnected', by, now, { browser: id, label, reason })
}
