import { randomUUID } from 'node:crypto'
import { checkTerminal, knownTerminal, refuseClosedTerminal } from '../../answers/questions/airport-terminals.ts'
import { findServedAirport } from '../../answers/questions/find-airport.ts'
import { clockOf, localTime } from '../../answers/statements/local-time.ts'
import type { Actor } from '../../api/state/actor.ts'
import { lockAccount } from '../../api/state/lock-account.ts'
import type { State } from '../../api/state/state.ts'
import type { AlertRow } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { presentCode } from '../../config/airports/former-codes.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { normalizeTerminalName } from '../../config/terminal-name.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { type AlertRequest, parseAlertRequest } from './alert-request.ts'
import { decideAlert, isQuiet } from './decide-alert.ts'
import { knownTerminals, observedWait } from './observed-wait.ts'

/** How many alerts an account may have at a time. */
export const MAX_ALERTS = 50

/** Two alerts with the same of these send the same messages. */
const SAME = ['iata', 'terminal', 'direction', 'threshold_minutes', 'quiet_from', 'quiet_to'] as const

/** A request for an alert that fired longer ago than this arms it again; an earlier one may be the same call, repeated. */
const REPETITION_MS = 10 * 60_000

/** The context in which an alert is created. */
export interface AlertContext {
  state: State
  directory: Directory
  /** Null while no snapshot has been published. */
  snapshot: Snapshot | null
}

/**
 * Creates an alert; it is on the disk when this returns. An alert whose threshold is already crossed fires at once. One that the account
 * has already, as of a form that is sent twice or a call that is repeated, gets the new end: two would send each message twice. If that
 * one fired some time ago, it is armed again.
 * @throws ParameterError naming the field; HoldshortError AIRPORT_NOT_FOUND; CONFLICT above `MAX_ALERTS`.
 */
export async function createAlert(
  { state, directory, snapshot }: AlertContext,
  account_id: string,
  request: AlertRequest,
  by: Actor,
  now: number,
) {
  const order = parseAlertRequest(request, now)
  const { iata: code, timezone } = findServedAirport(order.iata, { directory, snapshot })
  const parsed = { ...order, iata: code }
  const requested: AlertRow = {
    ...parsed,
    id: `alert_${randomUUID()}`,
    account_id,
    created_at: new Date(now).toISOString(),
    terminal: parsed.terminal && normaliseTerminal(snapshot, parsed.iata, parsed.terminal),
    state: 'armed',
    fired_at: null,
    as_of: null,
  }
  const { alert, ...recipients } = await transactionInTurn(state, account_id, async (transaction) => {
    await lockAccount(transaction, account_id)
    const { count } = transaction.fn
    const present = await transaction
      .selectFrom('alerts')
      .selectAll()
      .where('account_id', '=', account_id)
      .where('expires_at', '>', requested.created_at)
      .execute()
    const same = present.find((alert) => SAME.every((column) => alert[column] === requested[column]))
    if (same === undefined && present.length >= MAX_ALERTS)
      throw new HoldshortError('CONFLICT', `an account has at most ${MAX_ALERTS} alerts; remove one first`)
    // Without an end of its own a request does not shorten what was asked for before.
    const isKept = !request.expires_at && same !== undefined && same.expires_at > requested.expires_at
    const { expires_at } = isKept ? same : requested
    const isArmedAgain = same?.state === 'fired' && Date.parse(same.fired_at ?? '') <= now - REPETITION_MS
    const changes = { expires_at, ...(isArmedAgain && ({ state: 'armed', as_of: null } as const)) }
    const alert = same === undefined ? requested : { ...same, ...changes }
    if (same === undefined) await transaction.insertInto('alerts').values(alert).execute()
    else await transaction.updateTable('alerts').set(changes).where('id', '=', same.id).execute()
    const { iata, terminal, direction, threshold_minutes } = alert
    const detail = { alert: alert.id, iata, terminal, direction, threshold_minutes, expires_at }
    const action = same === undefined ? 'alert_created' : 'alert_extended'
    await recordAuditEntry(transaction, account_id, action, by, now, detail)
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
    return { alert, connected_browsers: Number(browsers), connectable: person !== undefined }
  })
  const wait = snapshot && observedWait(snapshot, alert, now)
  const clock = clockOf(localTime(now, timezone))
  const isCrossed = decideAlert({ ...alert, quiet_from: null }, wait?.wait_minutes ?? null, clock, now) === 'fire'
  return {
    alert,
    ...recipients,
    observed_now: wait !== null,
    /** The wait that crosses the threshold now; null where none does. */
    crossed_now: isCrossed && wait ? wait.wait_minutes : null,
    is_quiet_now: isQuiet(alert, clock),
  }
}

/** The alerts of an account that have not expired, newest first. */
export async function listAlerts({ db }: Pick<State, 'db'>, account_id: string, now: number): Promise<AlertRow[]> {
  const alerts = await db
    .selectFrom('alerts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('expires_at', '>', new Date(now).toISOString())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return alerts.map(withPresentCode)
}

/** An alert of an airport that was renamed after the alert was created. */
export const withPresentCode = (alert: AlertRow): AlertRow => ({ ...alert, iata: presentCode(alert.iata) })

/**
 * Deletes an alert of an account and its undelivered messages.
 * @throws HoldshortError NOT_FOUND for an alert that the account does not have
 */
export async function removeAlert(
  { db }: State,
  account_id: string,
  alert_id: string,
  by: Actor,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('alerts')
      .where('id', '=', alert_id)
      .where('account_id', '=', account_id)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n)
      throw new HoldshortError('NOT_FOUND', 'there is no such alert; it may have expired')
    await transaction.deleteFrom('deliveries').where('alert_id', '=', alert_id).execute()
    await recordAuditEntry(transaction, account_id, 'alert_removed', by, now, { alert: alert_id })
  })
}

/** A terminal in the spelling that answers use; null for `all`, the whole airport. If no terminal of the airport is known, the name stays unchanged. */
function normaliseTerminal(snapshot: Snapshot | null, iata: string, terminal: string): string | null {
  const wanted = normalizeTerminalName(terminal)
  if (wanted === '') return null
  if (snapshot) refuseClosedTerminal(iata, terminal, snapshot)
  const known = snapshot ? knownTerminals(snapshot, iata) : []
  if (known.length === 0) {
    if (snapshot) checkTerminal(iata, terminal, snapshot)
    return terminal
  }
  const meant = snapshot && knownTerminal(iata, terminal, snapshot)?.terminal
  const isMeant = (name: string) => snapshot && knownTerminal(iata, name, snapshot)?.terminal === meant
  const found =
    known.find((name) => normalizeTerminalName(name) === wanted) ?? (meant ? known.find(isMeant) : undefined)
  if (found !== undefined) return found
  throw ParameterError.of('terminal', `must be one of ${known.join(', ')}`)
}
