import { randomUUID } from 'node:crypto'
import type { Directory } from '../../../config/airports/directory.ts'
import { HoldshortError, ParameterError } from '../../../config/errors.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import type { Actor } from '../../state/actor.ts'
import type { State } from '../../state/state.ts'
import type { AlertRow } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { type AlertOrder, readAlertOrder } from './alert-order.ts'
import { lockAccount } from './lock-account.ts'
import { knownTerminals, observedWait } from './observed-wait.ts'

/** Alerts that an account may have at a time. */
export const MOST_ALERTS = 50

/** What an alert is made against. */
export interface AlertWorld {
  state: State
  directory: Directory
  /** Null while none has been published. */
  snapshot: Snapshot | null
}

export interface CreatedAlert {
  alert: AlertRow
  /** Browsers of the account that it will be sent to; with none, it waits until one is connected. */
  connected_browsers: number
  /** Whether there is a person who can sign in to connect one; an account that an agent registered has none. */
  connectable: boolean
  /** Whether the wait is observed now; if not, it waits until it is. */
  observed_now: boolean
}

/**
 * Makes an alert; it is on the disk when this returns. One whose threshold is already crossed fires at once.
 * @throws ParameterError naming the field; HoldshortError AIRPORT_NOT_FOUND, or CONFLICT beyond `MOST_ALERTS`.
 */
export async function createAlert(
  { state, directory, snapshot }: AlertWorld,
  account_id: string,
  order: AlertOrder,
  by: Actor,
  now: number,
): Promise<CreatedAlert> {
  const read = readAlertOrder(order, now)
  if (!directory.byIata.has(read.iata))
    throw new HoldshortError('AIRPORT_NOT_FOUND', `no airport has the IATA code ${read.iata}`)
  const alert: AlertRow = {
    ...read,
    id: `alert_${randomUUID()}`,
    account_id,
    created_at: new Date(now).toISOString(),
    terminal: read.terminal && spelledTerminal(snapshot, read.iata, read.terminal),
    state: 'armed',
    fired_at: null,
    as_of: null,
  }
  const reach = await state.db.transaction().execute(async (transaction) => {
    await lockAccount(transaction, account_id)
    const { count } = transaction.fn
    const { alerts } = await transaction
      .selectFrom('alerts')
      .select(count('id').as('alerts'))
      .where('account_id', '=', account_id)
      .where('expires_at', '>', alert.created_at)
      .executeTakeFirstOrThrow()
    if (Number(alerts) >= MOST_ALERTS)
      throw new HoldshortError('CONFLICT', `an account has at most ${MOST_ALERTS} alerts; remove one first`)
    await transaction.insertInto('alerts').values(alert).execute()
    const { iata, terminal, direction, threshold_minutes, expires_at } = alert
    const detail = { alert: alert.id, iata, terminal, direction, threshold_minutes, expires_at }
    await recordAuditEntry(transaction, account_id, 'alert_created', by, now, detail)
    const { browsers } = await transaction
      .selectFrom('push_subscriptions')
      .select(count('id').as('browsers'))
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    const person = await transaction
      .selectFrom('people')
      .select('id')
      .where('account_id', '=', account_id)
      .executeTakeFirst()
    return { connected_browsers: Number(browsers), connectable: person !== undefined }
  })
  const observed_now = snapshot !== null && observedWait(snapshot, alert.iata, alert.terminal) !== null
  return { alert, ...reach, observed_now }
}

/** The alerts of an account that still hold, newest first. */
export function alertsOf({ db }: Pick<State, 'db'>, account_id: string, now: number): Promise<AlertRow[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('expires_at', '>', new Date(now).toISOString())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/**
 * Removes an alert of an account, and what of it is still on its way.
 * @throws HoldshortError NOT_FOUND for an alert that it does not have.
 */
export async function removeAlert(
  { db }: State,
  account_id: string,
  alert_id: string,
  by: Actor,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const gone = await transaction
      .deleteFrom('alerts')
      .where('id', '=', alert_id)
      .where('account_id', '=', account_id)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw new HoldshortError('NOT_FOUND', 'there is no such alert; it may be over')
    await transaction.deleteFrom('deliveries').where('alert_id', '=', alert_id).execute()
    await recordAuditEntry(transaction, account_id, 'alert_removed', by, now, { alert: alert_id })
  })
}

/** A terminal in the spelling of the answers; where none of the airport is known, as it was given. */
function spelledTerminal(snapshot: Snapshot | null, iata: string, terminal: string): string {
  const known = snapshot ? knownTerminals(snapshot, iata) : []
  if (known.length === 0) return terminal
  const found = known.find((name) => name.toLowerCase() === terminal.toLowerCase())
  if (found !== undefined) return found
  throw new ParameterError([{ parameter: 'terminal', message: `must be one of ${known.join(', ')}` }])
}
