import { isoUtc } from '../../../config/domain.ts'
import type { DeliveryRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { guardedFetch } from '../egress/guarded-fetch.ts'
import { type PushDoor, type PushOutcome, push } from './push.ts'
import { dropBrowser } from './subscriptions.ts'
import { vapidKeys, vapidSubject } from './vapid.ts'

/** Whoever sends has this long; a message whose sender died is then sent by another. Longer than a request may take. */
export const LEASE_MS = 60_000
const BACKOFF_MS = { first: 30_000, most: 900_000 } as const
const AT_ONCE = 8
const BATCH = 64

/** The door that messages go out by. */
export async function pushDoor({ settings, state, egress }: AccountDependencies, now: number): Promise<PushDoor> {
  return {
    egress: egress ?? guardedFetch(settings.outward_allow),
    keys: await vapidKeys(state, now),
    subject: vapidSubject(settings),
  }
}

/** Sends every message that is due, several at a time, each by one process of the installation. */
export async function deliverDue(dependencies: AccountDependencies, stopping?: AbortSignal): Promise<void> {
  const { state, clock = Date.now } = dependencies
  let door: PushDoor | null = null
  while (!stopping?.aborted) {
    const due = await state.db
      .selectFrom('deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('due_at', '<=', instant(clock()))
      .orderBy('due_at')
      .limit(BATCH)
      .execute()
    if (due.length === 0) return
    door ??= await pushDoor(dependencies, clock())
    const opened = door
    const senders = Array.from({ length: AT_ONCE }, async () => {
      for (let next = due.shift(); next && !stopping?.aborted; next = due.shift())
        await attemptDelivery(dependencies, opened, next)
    })
    await Promise.all(senders)
  }
}

/** Instants of deliveries are compared as texts, so all have milliseconds. */
const instant = (ms: number) => new Date(ms).toISOString()

/** Tries one message that is due, unless another process has it by now. */
export async function attemptDelivery(
  dependencies: AccountDependencies,
  door: PushDoor,
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
    .executeTakeFirst()
  if (claimed.numUpdatedRows !== 1n) return
  const deadline = Date.parse(row.expires_at)
  const subscription = await state.db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('id', '=', row.subscription_id)
    .executeTakeFirst()
  if (!subscription) return settle(dependencies, row, { state: 'dropped', error: 'the browser is disconnected' })
  if (now >= deadline) return settle(dependencies, row, { state: 'dropped', error: 'too late' })
  const order = {
    subscription,
    payload: row.payload,
    about: row.alert_id ?? 'test',
    ttl_seconds: Math.floor((deadline - now) / 1000),
  }
  const outcome = await push(door, order, now)
  const then = clock()
  tell(dependencies, row, new URL(subscription.endpoint).host, outcome)
  if (outcome.kind === 'gone') return dropBrowser(state, subscription, then)
  if (outcome.kind === 'never') return settle(dependencies, row, { state: 'dropped', error: outcome.why })
  if (outcome.kind === 'later') {
    const wait = Math.max(outcome.retry_after_ms ?? 0, backoff(attempts))
    const tooLate = then + wait >= deadline
    const next = tooLate ? { state: 'dropped' as const } : { due_at: instant(then + wait) }
    return settle(dependencies, { ...row, attempts }, { ...next, error: outcome.why })
  }
  await state.db
    .updateTable('push_subscriptions')
    .set({ delivered_at: isoUtc(then) })
    .where('id', '=', subscription.id)
    .execute()
  await settle(dependencies, row, { state: 'sent', error: null })
}

/** Writes how an attempt ended. What is put off is so only while no other attempt has begun. */
async function settle({ state }: AccountDependencies, row: DeliveryRow, ended: Partial<DeliveryRow>): Promise<void> {
  let writing = state.db.updateTable('deliveries').set(ended).where('id', '=', row.id).where('state', '=', 'waiting')
  if (ended.due_at !== undefined) writing = writing.where('attempts', '=', row.attempts)
  await writing.execute()
}

const backoff = (attempts: number) => Math.min(BACKOFF_MS.first * 2 ** (attempts - 1), BACKOFF_MS.most)

/** The log names the push service, never the whole endpoint: who knows that may send to it. */
function tell({ logger }: AccountDependencies, { id }: DeliveryRow, service: string, outcome: PushOutcome): void {
  if (outcome.kind === 'taken') return
  const said = { delivery: id, service, why: outcome.why }
  if (outcome.kind === 'never') logger?.error(said, 'an alert could not be sent and is dropped')
  else logger?.info(said, outcome.kind === 'gone' ? 'a browser is gone' : 'an alert is tried again later')
}
