import type { Kysely } from 'kysely'
import type { PeriodicTask } from '../../data/dependencies.ts'
import type { Actor } from '../../state/actor.ts'
import type { State } from '../../state/state.ts'
import type { ConnectionRow, StateTables } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { SECONDS } from './constants.ts'

/** The clients that an account's owner has let in and not sent away again, newest first. */
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

/**
 * Sends a client away: its very next call is refused, and no token of it can be renewed. Doing it twice is the same as
 * once. Returns false for a connection that this account does not have.
 */
export function disconnect(
  state: State,
  account_id: string,
  grant_id: string,
  by: Actor,
  now: number,
): Promise<boolean> {
  return end(state, grant_id, by, now, 'disconnected', account_id)
}

/** The same from the side of the authorization server, which knows the grant alone; `why` goes into the audit. */
export function endGrant(state: State, grant_id: string, by: Actor, now: number, why: string): Promise<boolean> {
  return end(state, grant_id, by, now, why)
}

function end(state: State, grant_id: string, by: Actor, now: number, why: string, account_id?: string) {
  return state.changeAccess(async (transaction) => {
    let search = transaction.selectFrom('connections').selectAll().where('grant_id', '=', grant_id)
    if (account_id !== undefined) search = search.where('account_id', '=', account_id)
    const connection = await search.executeTakeFirst()
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
  })
}

/** Drops what is over: records and clients that have expired, and connections whose client can no longer come back. */
export const expireConnectionsTask: PeriodicTask = {
  name: 'tidy connections',
  every_ms: 600_000,
  async run({ state }, now) {
    await state.db.deleteFrom('oauth_records').where('expires_at', '<', new Date(now).toISOString()).execute()
    // Its refresh token has expired by then, so it could only ask again.
    const silentSince = new Date(now - SECONDS.refresh_token * 1000).toISOString()
    const silent = await state.db
      .selectFrom('connections')
      .select('grant_id')
      .where('revoked_at', 'is', null)
      .where('created_at', '<', silentSince)
      .where((where) => where.or([where('used_at', 'is', null), where('used_at', '<', silentSince)]))
      .limit(200)
      .execute()
    for (const { grant_id } of silent)
      await endGrant(state, grant_id, { actor: 'service', source: null }, now, 'not used for a long time')
  },
}
