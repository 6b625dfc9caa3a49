import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { clockOf, localTime } from '../../answers/statements/local-time.ts'
import { futureFrom } from '../../api/state/from-future.ts'
import type { AlertRow, StateTables } from '../../api/state/tables.ts'
import { getOrCreate } from '../../config/once.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { withPresentCode } from './create-alert.ts'
import { decideAlert, nextQuietMinute } from './decide-alert.ts'
import { observedWait } from './observed-wait.ts'
import { alertMessage } from './push-message.ts'

/** How many alerts are evaluated in one turn of the event loop. */
const PAGE_SIZE = 500
/** A message that is older is not sent any more. */
export const MESSAGE_LIFETIME_MS = 2 * HOUR_MS

interface StateChange {
  alert: AlertRow
  to: 'fired' | 'armed'
  /** The message of an alert that fires, as JSON. */
  payload: string
  /** The instant until which the message may be sent. */
  until: string
}

/**
 * Evaluates every alert against the newest snapshot. An alert that fires gets a message for each browser of its account, in the
 * same transaction. Only one of several concurrent processes changes an alert.
 */
export async function evaluateAlerts(
  { state, holder, directory }: Pick<AccountDependencies, 'state' | 'holder' | 'directory'>,
  now: number,
): Promise<void> {
  const snapshot = holder.current()?.asOf(now)
  if (!snapshot) return
  const localClock = localClocks(now)
  let page: AlertRow[] = []
  do {
    page = (await nextAlerts(state.db, page.at(-1)?.id ?? '', now)).map(withPresentCode)
    const changes = page.flatMap((alert): StateChange[] => {
      const airport = directory.byIata.get(alert.iata)
      const wait = observedWait(snapshot, alert, now)
      // The airport may have left the directory since the alert was created.
      if (!airport || !wait) return []
      const { timezone, country } = airport
      const step = decideAlert(alert, wait.wait_minutes, localClock(timezone), now)
      if (step === 'nothing') return []
      if (step === 'arm') return [{ alert, to: 'armed', payload: '', until: '' }]
      const until = new Date(nextQuietMinute(alert, timezone, now, now + MESSAGE_LIFETIME_MS)).toISOString()
      const queue = snapshot.queue(alert.iata, 'security')
      const message = alertMessage(alert, wait, { timezone, country, simulated: snapshot.simulated, now, queue })
      return [{ alert, to: 'fired', payload: JSON.stringify(message), until }]
    })
    if (changes.length > 0) await applyChanges(state.db, changes, snapshot, now)
    await nextTurn()
  } while (page.length === PAGE_SIZE)
}

/** The next page of alerts that can change. An armed alert without a connected browser waits until there is one. */
function nextAlerts(db: Kysely<StateTables>, id: string, now: number): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('id', '>', id)
    .where('expires_at', '>', new Date(now).toISOString())
    .where((expression) => expression.or([expression('state', '=', 'fired'), hasBrowser(expression)]))
    .orderBy('id')
    .limit(PAGE_SIZE)
    .execute()
}

/** A condition on `alerts`: a browser of the account is connected. */
const hasBrowser = ({ exists, selectFrom }: ExpressionBuilder<StateTables, 'alerts'>) =>
  exists(
    selectFrom('push_subscriptions')
      .select('push_subscriptions.id')
      .whereRef('push_subscriptions.account_id', '=', 'alerts.account_id'),
  )

async function applyChanges(
  db: Kysely<StateTables>,
  changes: StateChange[],
  { generated_ms }: Snapshot,
  now: number,
): Promise<void> {
  const evaluated_at = new Date(now).toISOString()
  const as_of = new Date(generated_ms).toISOString()
  await db.transaction().execute(async (transaction) => {
    for (const { alert, to, payload, until } of changes) {
      const changed = await transaction
        .updateTable('alerts')
        .set({ state: to, as_of, ...(to === 'fired' && { fired_at: evaluated_at }) })
        .where('id', '=', alert.id)
        .where('state', '=', alert.state)
        // A process with an older snapshot must not undo a change made from a newer one. One from the future was made while the
        // clock was ahead, and no snapshot would be newer for as long.
        .where(({ or, eb }) =>
          or([eb('as_of', 'is', null), eb('as_of', '<', as_of), eb('as_of', '>', futureFrom(now))]),
        )
        // The last browser may have been disconnected since the alerts were read: then it waits for the next one.
        .$if(to === 'fired', (query) => query.where(hasBrowser))
        .executeTakeFirst()
      if (changed.numUpdatedRows === 1n && to === 'fired')
        await queueMessages(transaction, alert, { payload, until, evaluated_at })
    }
  })
}

/** Queues one message for each browser of the account and drops undelivered messages of earlier crossings. */
async function queueMessages(
  transaction: Kysely<StateTables>,
  alert: AlertRow,
  { payload, until, evaluated_at }: { payload: string; until: string; evaluated_at: string },
): Promise<void> {
  await transaction
    .updateTable('deliveries')
    .set({ state: 'dropped', error: 'a newer message took its place' })
    .where('alert_id', '=', alert.id)
    .where('state', '=', 'waiting')
    .execute()
  const browsers = await transaction
    .selectFrom('push_subscriptions')
    .select('id')
    .where('account_id', '=', alert.account_id)
    .execute()
  for (const { id } of browsers)
    await transaction
      .insertInto('deliveries')
      .values({
        id: `delivery_${randomUUID()}`,
        alert_id: alert.id,
        subscription_id: id,
        payload,
        created_at: evaluated_at,
        due_at: evaluated_at,
        expires_at: until,
        attempts: 0,
        state: 'waiting',
        error: null,
      })
      .execute()
}

/** The local time (HH:MM) of a time zone at one instant; each zone is computed once. */
function localClocks(now: number): (timezone: string) => string {
  const known = new Map<string, string>()
  return (timezone) => getOrCreate(known, timezone, () => clockOf(localTime(now, timezone)))
}
