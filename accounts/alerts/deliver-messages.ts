import type { State } from '../../api/state/state.ts'
import type { DeliveryRow, PushSubscriptionRow } from '../../api/state/tables.ts'
import { withTimeLimit } from '../../config/time-limit.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { SERVICE } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { guardedFetch } from '../egress/guarded-fetch.ts'
import { removeBrowser } from './connected-browsers.ts'
import { MESSAGE_LIFETIME_MS } from './evaluate-alerts.ts'
import { type PushOutcome, type PushSender, sendPush } from './send-push.ts'
import { vapidKeys, vapidSubject } from './vapid.ts'

/** How long a sender holds a message; after that another process may send it. Longer than a request can take. */
export const LEASE_MS = 60_000
const BACKOFF_MS = { first: 30_000, max: 900_000 } as const
/** Messages that are begun together. */
const CONCURRENCY = 8
/** After this long without an answer the next message begins; the other number limits how many answers are waited for. */
const PATIENCE_MS = 300
const MAX_UNANSWERED = 200
const BATCH = 64

/** Creates a sender of push messages: the guarded fetch and the installation's VAPID keys. */
export async function createPushSender(
  { settings, state, egress }: AccountDependencies,
  now: number,
): Promise<PushSender> {
  return {
    egress: egress ?? guardedFetch(settings.outward_allow),
    keys: await vapidKeys(state, now),
    subject: vapidSubject(settings),
  }
}

/**
 * Sends every due message, several at a time, first attempts before others; push services that do not answer keep the others waiting
 * for a moment, not for their whole time limit. Each message is sent by one process of the installation.
 */
export async function deliverDueMessages(dependencies: AccountDependencies, stopping?: AbortSignal): Promise<void> {
  const { state, clock = Date.now } = dependencies
  let sender: PushSender | null = null
  const unanswered = new Set<Promise<void>>()
  while (!stopping?.aborted) {
    const first = await dueMessages(state, clock(), true)
    const due = first.length > 0 ? first : await dueMessages(state, clock(), false)
    if (due.length === 0) break
    sender ??= await createPushSender(dependencies, clock())
    const opened = sender
    const senders = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = due.shift(); next && !stopping?.aborted; next = due.shift()) {
        const attempt = attemptDelivery(dependencies, opened, next)
        const settled = attempt.finally(() => unanswered.delete(settled))
        unanswered.add(settled)
        await withTimeLimit(PATIENCE_MS, settled, () => undefined)
        if (unanswered.size >= MAX_UNANSWERED) await Promise.race(unanswered)
      }
    })
    await Promise.all(senders)
  }
  await Promise.all(unanswered)
}

/**
 * The next due messages; `isFirst`: only those that were never attempted, of browsers for which no other
 * attempt has failed. A slow push service holds up nobody else's messages, not with its next message either.
 */
function dueMessages({ db }: State, now: number, isFirst: boolean): Promise<DeliveryRow[]> {
  const due = db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('expires_at', '>', instant(now))
    // No attempt is postponed beyond the lifetime of its message, so a later one was postponed while the clock was ahead.
    .where(({ or, eb }) =>
      or([eb('due_at', '<=', instant(now)), eb('due_at', '>', instant(now + 2 * MESSAGE_LIFETIME_MS))]),
    )
    .orderBy('due_at')
    .limit(BATCH)
  if (!isFirst) return due.execute()
  return due
    .where('attempts', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as failed')
            .select('failed.id')
            .whereRef('failed.subscription_id', '=', 'deliveries.subscription_id')
            .where('failed.state', '=', 'waiting')
            .where('failed.attempts', '>', 0),
        ),
      ),
    )
    .execute()
}

/**
 * Drops the messages that are too late. Not while the clock is in doubt: one that is hours ahead for a minute would drop every
 * message that waits for its push service.
 */
export async function dropLateMessages({ state }: AccountDependencies, now: number): Promise<void> {
  await state.db
    .updateTable('deliveries')
    .set({ state: 'dropped', error: 'too late' })
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', instant(now))
    .execute()
}

/** Instants of deliveries are compared as text, so all of them have milliseconds. */
const instant = (ms: number) => new Date(ms).toISOString()

/** Attempts to send one due message, unless another process has claimed it or it was postponed. */
export async function attemptDelivery(
  dependencies: AccountDependencies,
  sender: PushSender,
  row: DeliveryRow,
): Promise<void> {
  const { state, clock = Date.now } = dependencies
  const now = clock()
  const attempts = row.attempts + 1
  const claimed = await state.db
    .updateTable('deliveries')
    .set({ attempts, due_at: instant(now + LEASE_MS) })
    .where('id', '=', row.id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', row.attempts)
    .where('due_at', '=', row.due_at)
    .executeTakeFirst()
  if (claimed.numUpdatedRows !== 1n) return
  const deadline = Date.parse(row.expires_at)
  const subscription = await state.db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', row.subscription_id)
    .executeTakeFirst()
  if (!subscription) return recordOutcome(dependencies, row, { state: 'dropped', error: 'the browser is disconnected' })
  if (now >= deadline) return recordOutcome(dependencies, row, { state: 'dropped', error: 'too late' })
  const request = {
    subscription,
    payload: row.payload,
    replaces: row.alert_id ?? 'test',
    ttl_seconds: Math.floor(Math.min(deadline - now, MESSAGE_LIFETIME_MS) / 1000),
  }
  const outcome = await sendPush(sender, request, now)
  const finished_at = clock()
  logOutcome(dependencies, row, new URL(subscription.endpoint).host, outcome)
  // The answer is that of the former address: the message goes to the new one at once.
  const isFinal = outcome.kind === 'gone' || outcome.kind === 'rejected'
  if (isFinal && (await wasRenewed(state, subscription)))
    return recordOutcome(dependencies, { ...row, attempts }, { due_at: instant(finished_at), error: outcome.why })
  if (outcome.kind === 'gone')
    return state.db
      .transaction()
      .execute((transaction) => removeBrowser(transaction, subscription, SERVICE, finished_at, 'gone'))
  if (outcome.kind === 'rejected') return recordOutcome(dependencies, row, { state: 'dropped', error: outcome.why })
  if (outcome.kind === 'retry') {
    const pause = outcome.retry_after_ms ?? 0
    // No message lives longer, and one that is due later would count as postponed by a clock that was ahead.
    const pauseOfOthers = Math.min(Math.max(pause, BACKOFF_MS.first), MESSAGE_LIFETIME_MS)
    await postponeOthers(state, subscription.id, instant(finished_at + pauseOfOthers))
    const wait = Math.max(pause, backoff(attempts))
    const tooLate = finished_at + wait >= deadline
    const next = tooLate ? { state: 'dropped' as const } : { due_at: instant(finished_at + wait) }
    return recordOutcome(dependencies, { ...row, attempts }, { ...next, error: outcome.why })
  }
  await state.db
    .updateTable('push_subscriptions')
    .set({ delivered_at: isoUtc(finished_at) })
    .where('id', '=', subscription.id)
    .execute()
  await recordOutcome(dependencies, row, { state: 'sent', error: null })
}

/** Whether a browser has another push subscription than when its message was sent. */
async function wasRenewed({ db }: State, { id, endpoint, p256dh }: PushSubscriptionRow): Promise<boolean> {
  const present = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh'])
    .where('id', '=', id)
    .executeTakeFirst()
  return present !== undefined && (present.endpoint !== endpoint || present.p256dh !== p256dh)
}

/** Postpones what else is due for a browser whose push service gave no answer or asked for a pause. */
async function postponeOthers({ db }: State, subscription_id: string, due_at: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ due_at })
    .where('subscription_id', '=', subscription_id)
    .where('state', '=', 'waiting')
    .where('due_at', '<', due_at)
    .execute()
}

/** Stores how an attempt ended. A postponement is stored only while no other attempt has begun. */
async function recordOutcome(
  { state }: AccountDependencies,
  row: DeliveryRow,
  outcome: Partial<DeliveryRow>,
): Promise<void> {
  let update = state.db.updateTable('deliveries').set(outcome).where('id', '=', row.id).where('state', '=', 'waiting')
  if (outcome.due_at !== undefined) update = update.where('attempts', '=', row.attempts)
  await update.execute()
}

const backoff = (attempts: number) => Math.min(BACKOFF_MS.first * 2 ** (attempts - 1), BACKOFF_MS.max)

/** Logs an outcome. The log names the push service, never the whole endpoint: anyone who knows it may send to it. */
function logOutcome({ logger }: AccountDependencies, { id }: DeliveryRow, service: string, outcome: PushOutcome): void {
  if (outcome.kind === 'accepted') return
  const fields = { delivery: id, service, why: outcome.why }
  if (outcome.kind === 'rejected') logger?.error(fields, 'an alert could not be sent and is dropped')
  else logger?.info(fields, outcome.kind === 'gone' ? 'a browser is gone' : 'an alert is retried later')
}
