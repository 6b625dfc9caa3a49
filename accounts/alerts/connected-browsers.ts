import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import { lockAccount } from '../../api/state/lock-account.ts'
import type { State } from '../../api/state/state.ts'
import type { PushSubscriptionRow, StateTables } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { recordAuditEntry, SERVICE } from '../audit/audit-log.ts'
import type { PushSubscription } from './push-subscription.ts'
import { REFUSED } from './send-push.ts'

/** How many browsers an account may have connected at a time. */
export const MAX_BROWSERS = 10
/** How many browsers it may connect in a day: each makes us send to an address that a stranger supplied. */
const MAX_CONNECTIONS_PER_DAY = 30

/** The connected browsers of an account, oldest connection first. */
export function listBrowsers(db: Kysely<StateTables>, account_id: string): Promise<PushSubscriptionRow[]> {
  return db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Connects a browser to an account, or renews its connection. A browser belongs to one account at a time, the last that
 * connected it; undelivered messages of the previous account are dropped.
 * @throws HoldshortError CONFLICT above `MAX_BROWSERS`.
 */
export async function connectBrowser(
  { db }: State,
  account_id: string,
  { endpoint, keys, label }: PushSubscription & { label: string },
  by: Actor,
  now: number,
): Promise<void> {
  await transactionInTurn({ db }, account_id, async (transaction) => {
    await lockAccount(transaction, account_id)
    const existing = await transaction
      .selectFrom('push_subscriptions')
      .selectAll()
      .where('endpoint', '=', endpoint)
      .executeTakeFirst()
    if (existing?.account_id === account_id) {
      await transaction
        .updateTable('push_subscriptions')
        .set({ ...keys, label })
        .where('id', '=', existing.id)
        .execute()
      return
    }
    const others = await listBrowsers(transaction, account_id)
    if (others.length >= MAX_BROWSERS)
      throw new HoldshortError('CONFLICT', `an account has at most ${MAX_BROWSERS} browsers; disconnect one first`)
    await checkConnectionLimit(transaction, account_id, now)
    if (existing) await removeBrowser(transaction, existing, SERVICE, now, 'connected to another account')
    const row = { id: `push_${randomUUID()}`, account_id, endpoint, ...keys, label, delivered_at: null }
    await transaction
      .insertInto('push_subscriptions')
      .values({ ...row, created_at: new Date(now).toISOString() })
      .execute()
    await recordAuditEntry(transaction, account_id, 'push_connected', by, now, { browser: row.id, label })
  })
}

/**
 * Gives a connected browser the push subscription that replaces its former one. Only the browser and its push service know the former
 * address. @throws HoldshortError NOT_FOUND for an address that no browser has
 */
export async function renewBrowser(
  { db }: State,
  former_endpoint: string,
  { endpoint, keys }: PushSubscription,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const withEndpoint = (text: string) =>
      transaction.selectFrom('push_subscriptions').selectAll().where('endpoint', '=', text).executeTakeFirst()
    const former = await withEndpoint(former_endpoint)
    if (!former) throw new HoldshortError('NOT_FOUND', 'no browser is connected with that former address')
    await lockAccount(transaction, former.account_id)
    const taken = await withEndpoint(endpoint)
    if (taken && taken.id !== former.id) return removeBrowser(transaction, former, SERVICE, now, 'renewed')
    await transaction
      .updateTable('push_subscriptions')
      .set({ endpoint, ...keys })
      .where('id', '=', former.id)
      .execute()
  })
}

/** The browsers of an account whose push service refused a message since the last one that arrived, by their ids: they have to be connected again. */
export async function refusedBrowsers(db: Kysely<StateTables>, account_id: string): Promise<ReadonlySet<string>> {
  const refused = await db
    .selectFrom('push_subscriptions as browser')
    .innerJoin('deliveries as message', 'message.subscription_id', 'browser.id')
    .select('browser.id')
    .distinct()
    .where('browser.account_id', '=', account_id)
    .where('message.state', '=', 'dropped')
    .where('message.error', 'like', `${REFUSED}%`)
    .where(({ eb, fn, ref }) =>
      eb('message.created_at', '>=', fn.coalesce(ref('browser.delivered_at'), ref('browser.created_at'))),
    )
    .execute()
  return new Set(refused.map(({ id }) => id))
}

async function checkConnectionLimit(transaction: Kysely<StateTables>, account_id: string, now: number) {
  const { times } = await transaction
    .selectFrom('audit')
    .select(transaction.fn.count('id').as('times'))
    .where('account_id', '=', account_id)
    .where('action', '=', 'push_connected')
    .where('at', '>', new Date(now - DAY_MS).toISOString())
    .where('at', '<=', new Date(now + MAX_CLOCK_SKEW_MS).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(times) >= MAX_CONNECTIONS_PER_DAY)
    throw new RateLimitedError(
      'push_connect',
      DAY_MS / 1000,
      `at most ${MAX_CONNECTIONS_PER_DAY} browsers are connected in a day`,
    )
}

/**
 * Disconnects a browser of an account.
 * @throws HoldshortError NOT_FOUND for a browser that the account does not have
 */
export async function disconnectBrowser(
  { db }: State,
  account_id: string,
  id: string,
  by: Actor,
  now: number,
): Promise<void> {
  await transactionInTurn({ db }, account_id, async (transaction) => {
    await lockAccount(transaction, account_id)
    await removeBrowser(transaction, await findBrowser(transaction, account_id, id), by, now, 'requested')
  })
}

/** One browser of an account. @throws HoldshortError NOT_FOUND */
export async function findBrowser(
  db: Kysely<StateTables>,
  account_id: string,
  id: string,
): Promise<PushSubscriptionRow> {
  const row = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  if (!row) throw new HoldshortError('NOT_FOUND', 'there is no such browser; it may have been disconnected')
  return row
}

/** Arms the alerts whose last message did not reach this browser, nor another one and is not on its way there: they fire for the browser that is connected next. */
async function armUnheard(db: Kysely<StateTables>, account_id: string, subscription_id: string): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ state: 'armed', as_of: null })
    .where('account_id', '=', account_id)
    .where('state', '=', 'fired')
    .where(({ and, not, exists, selectFrom }) => {
      const messages = selectFrom('deliveries')
        .select('deliveries.id')
        .whereRef('deliveries.alert_id', '=', 'alerts.id')
        .whereRef('deliveries.created_at', '>=', 'alerts.fired_at')
      const unheard = messages.where('subscription_id', '=', subscription_id).where('deliveries.state', '!=', 'sent')
      const elsewhere = messages.where(({ or, eb }) =>
        or([
          eb('deliveries.state', '=', 'sent'),
          and([eb('deliveries.state', '=', 'waiting'), eb('subscription_id', '!=', subscription_id)]),
        ]),
      )
      return and([exists(unheard), not(exists(elsewhere))])
    })
    .execute()
}

/** Removes a browser and its messages, unless it has another push subscription than the one that was read. */
export async function removeBrowser(
  transaction: Kysely<StateTables>,
  { id, account_id, label, endpoint }: PushSubscriptionRow,
  by: Actor,
  now: number,
  reason: string,
): Promise<void> {
  const deleted = await transaction
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return
  await armUnheard(transaction, account_id, id)
  await transaction.deleteFrom('deliveries').where('subscription_id', '=', id).execute()
  await recordAuditEntry(transaction, account_id, 'push_disconnected', by, now, { browser: id, label, reason })
}
