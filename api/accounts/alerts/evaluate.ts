import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { localTime } from '../../data/queries/local-time.ts'
import type { AlertRow, StateTables } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { decide } from './decide.ts'
import { alertMessage } from './message.ts'
import { type ObservedWait, observedWait } from './observed-wait.ts'
import { nextQuiet } from './quiet-hours.ts'

/** Alerts looked at in one turn of the event loop. */
const PAGE = 500
/** An older wait is no news. */
const NEWS_MS = 2 * HOUR_MS

interface Change {
  alert: AlertRow
  to: 'fired' | 'armed'
  /** JSON of the message of one that fires. */
  payload: string
  /** Until when that may be sent. */
  until: string
}

/**
 * Judges every alert by the newest snapshot: those that fire get a message for each browser of their account, in the same
 * transaction. Of several processes that judge at once, one changes an alert.
 */
export async function evaluateAlerts(
  { state, holder, directory }: Pick<AccountDependencies, 'state' | 'holder' | 'directory'>,
  now: number,
): Promise<void> {
  const snapshot = holder.current()?.asOf(now)
  if (!snapshot) return
  const wallClock = wallClocks(now)
  let page: AlertRow[] = []
  do {
    page = await alertsAfter(state.db, page.at(-1)?.id ?? '', now)
    const changes = page.flatMap((alert): Change[] => {
      const timezone = directory.byIata.get(alert.iata)?.timezone
      const wait = observedWait(snapshot, alert.iata, alert.terminal)
      // An airport may have left the directory since.
      if (!timezone || !wait) return []
      const step = decide(alert, wait.wait_minutes, wallClock(timezone), now)
      if (step === 'nothing') return []
      if (step === 'arm') return [{ alert, to: 'armed', payload: '', until: '' }]
      const until = new Date(Math.min(now + NEWS_MS, nextQuiet(alert, timezone, now))).toISOString()
      return [{ alert, to: 'fired', payload: payloadOf(alert, wait, snapshot, timezone, now), until }]
    })
    if (changes.length > 0) await apply(state.db, changes, snapshot, now)
    await nextTurn()
  } while (page.length === PAGE)
}

function payloadOf(
  alert: AlertRow,
  wait: ObservedWait,
  { simulated }: Snapshot,
  timezone: string,
  now: number,
): string {
  return JSON.stringify(alertMessage(alert, wait, { timezone, simulated, now }))
}

/** Alerts that anything can become of. An armed one without a browser to tell waits until there is one. */
function alertsAfter(db: Kysely<StateTables>, id: string, now: number): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('id', '>', id)
    .where('expires_at', '>', new Date(now).toISOString())
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('state', '=', 'fired'),
        exists(
          selectFrom('push_subscriptions')
            .select('push_subscriptions.id')
            .whereRef('push_subscriptions.account_id', '=', 'alerts.account_id'),
        ),
      ]),
    )
    .orderBy('id')
    .limit(PAGE)
    .execute()
}

async function apply(
  db: Kysely<StateTables>,
  changes: Change[],
  { generated_ms }: Snapshot,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString()
  const as_of = new Date(generated_ms).toISOString()
  await db.transaction().execute(async (transaction) => {
    for (const { alert, to, payload, until } of changes) {
      const changed = await transaction
        .updateTable('alerts')
        .set({ state: to, as_of, ...(to === 'fired' && { fired_at: at }) })
        .where('id', '=', alert.id)
        .where('state', '=', alert.state)
        // A process that still holds an older snapshot must not undo what a newer one said.
        .where(({ or, eb }) => or([eb('as_of', 'is', null), eb('as_of', '<', as_of)]))
        .executeTakeFirst()
      if (changed.numUpdatedRows === 1n && to === 'fired') await queue(transaction, alert, { payload, until, at })
    }
  })
}

/** One message for each browser of the account; what an earlier crossing of the same alert left undelivered is over. */
async function queue(
  transaction: Kysely<StateTables>,
  alert: AlertRow,
  { payload, until, at }: { payload: string; until: string; at: string },
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
        created_at: at,
        due_at: at,
        expires_at: until,
        attempts: 0,
        state: 'waiting',
        error: null,
      })
      .execute()
}

/** The wall clock (HH:MM) of a time zone at one instant, each zone looked up once. */
function wallClocks(now: number): (timezone: string) => string {
  const known = new Map<string, string>()
  return (timezone) => {
    const time = known.get(timezone) ?? localTime(now, timezone).slice(11, 16)
    known.set(timezone, time)
    return time
  }
}
