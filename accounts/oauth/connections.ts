import type { Kysely } from 'kysely'
import type { PeriodicTask } from '../../api/dependencies.ts'
import type { Actor } from '../../api/state/actor.ts'
import { futureFrom, moveFromFuture } from '../../api/state/from-future.ts'
import type { State } from '../../api/state/state.ts'
import type { ConnectionRow, StateTables } from '../../api/state/tables.ts'
import { recordAuditEntry, SERVICE } from '../audit/audit-log.ts'
import { LIFETIMES, SECONDS } from './constants.ts'

/** The connected MCP clients of an account, newest first. */
export function listConnections(db: Kysely<StateTables>, account_id: string): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('grant_id')
    .execute()
}

/** A grant that is ended, and why, for the audit log. The authorization server does not know its account. */
interface EndedGrant {
  grant_id: string
  account_id?: string
  why: string
}

/**
 * Ends a grant: the very next call of its client is refused and its tokens cannot be renewed. Repeating it has no effect.
 * Returns false for a grant that the named account does not have.
 */
export const endGrant = (state: State, grant: EndedGrant, by: Actor, now: number): Promise<boolean> =>
  state.changeAccess((transaction) => endWithin(transaction, grant, by, now))

/**
 * Lets a client file reports and set alerts in the name of its owner, or ends that: it holds from its very next call on. Returns false
 * for a connection that this account does not have.
 */
export function setMayWrite(
  state: State,
  { account_id, grant_id, may_write }: Pick<ConnectionRow, 'account_id' | 'grant_id'> & { may_write: boolean },
  by: Actor,
  now: number,
): Promise<boolean> {
  return state.changeAccess(async (transaction) => {
    const connections = await listConnections(transaction, account_id)
    const connection = connections.find((candidate) => candidate.grant_id === grant_id)
    if (!connection) return false
    if ((connection.may_write === 1) === may_write) return true
    await transaction
      .updateTable('connections')
      .set({ may_write: may_write ? 1 : 0 })
      .where('grant_id', '=', grant_id)
      .execute()
    const action = may_write ? 'client_writing_allowed' : 'client_writing_ended'
    const detail = { grant_id, client_id: connection.client_id, client_name: connection.client_name }
    await recordAuditEntry(transaction, account_id, action, by, now, detail)
    return true
  })
}

/** Disconnects every client of an account, within a change of access. */
export async function disconnectAll(
  transaction: Kysely<StateTables>,
  account_id: string,
  by: Actor,
  now: number,
  why: string,
): Promise<void> {
  for (const { grant_id } of await listConnections(transaction, account_id))
    await endWithin(transaction, { grant_id, account_id, why }, by, now)
}

async function endWithin(
  transaction: Kysely<StateTables>,
  { grant_id, account_id, why }: EndedGrant,
  by: Actor,
  now: number,
): Promise<boolean> {
  let query = transaction.selectFrom('connections').selectAll().where('grant_id', '=', grant_id)
  if (account_id !== undefined) query = query.where('account_id', '=', account_id)
  const connection = await query.executeTakeFirst()
  if (!connection && account_id !== undefined) return false
  await transaction
    .deleteFrom('oauth_records')
    .where((where) =>
      where.or([
        where('grant_id', '=', grant_id),
        where.and([where('model', '=', 'Grant'), where('id', '=', grant_id)]),
      ]),
    )
    .execute()
  if (!connection) return false
  const { numUpdatedRows } = await transaction
    .updateTable('connections')
    .set({ revoked_at: new Date(now).toISOString() })
    .where('grant_id', '=', grant_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const detail = { grant_id, client_id: connection.client_id, client_name: connection.client_name, why }
  if (numUpdatedRows > 0n)
    await recordAuditEntry(transaction, connection.account_id, 'client_disconnected', by, now, detail)
  return true
}

/**
 * Records that were issued while the clock was ahead would be valid for as long. What lasts minutes is deleted, so that a code that
 * leaked is worth nothing; a refresh token gets the lifetime of a new one, so that nobody is disconnected.
 */
async function endRecordsFromFuture(db: Kysely<StateTables>, now: number): Promise<void> {
  const iat = Math.floor(now / 1000)
  for (const [model, seconds] of Object.entries(LIFETIMES)) {
    const last = futureFrom(now + seconds * 1000)
    if (seconds <= SECONDS.request) {
      await db.deleteFrom('oauth_records').where('model', '=', model).where('expires_at', '>', last).execute()
      continue
    }
    const late = db.selectFrom('oauth_records').selectAll().where('model', '=', model).where('expires_at', '>', last)
    for (const { id, payload } of await late.execute()) {
      await db
        .updateTable('oauth_records')
        .set({
          payload: JSON.stringify({ ...JSON.parse(payload), iat, exp: iat + seconds }),
          expires_at: new Date(now + seconds * 1000).toISOString(),
        })
        .where('model', '=', model)
        .where('id', '=', id)
        .execute()
    }
  }
}

/** Deletes expired records and clients, and ends connections whose client has no valid refresh token any more. */
export const expireConnectionsTask: PeriodicTask = {
  name: 'expire connections',
  every_ms: 600_000,
  by_age: true,
  async run({ state }, now) {
    const { db } = state
    await moveFromFuture(db, { table: 'connections', id: 'grant_id', made: 'created_at', along: [] }, now)
    await moveFromFuture(db, { table: 'connections', id: 'grant_id', made: 'used_at', along: [] }, now)
    await endRecordsFromFuture(db, now)
    await db.deleteFrom('oauth_records').where('expires_at', '<', new Date(now).toISOString()).execute()
    // A client that was not used for this long has no valid refresh token, so its owner must approve it again.
    const unusedSince = new Date(now - SECONDS.refresh_token * 1000).toISOString()
    const unused = await state.db
      .selectFrom('connections')
      .select('grant_id')
      .where('revoked_at', 'is', null)
      .where('created_at', '<', unusedSince)
      .where((where) => where.or([where('used_at', 'is', null), where('used_at', '<', unusedSince)]))
      .limit(200)
      .execute()
    for (const { grant_id } of unused)
      await endGrant(state, { grant_id, why: 'not used for a long time' }, SERVICE, now)
  },
}
