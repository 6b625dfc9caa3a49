import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { DAY_MS } from '../../../config/domain.ts'
import type { Actor } from '../../state/actor.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import { endGrant } from './connections.ts'
import { UNAPPROVED_CLIENT_MS, UNUSED_CLIENT_MS } from './constants.ts'

/** Records whose id is no secret. Ids of all others are codes, tokens and requests: only their keyed hash is kept. */
const NAMED = new Set(['Client', 'Grant'])

export interface StorageContext {
  state: State
  clock: () => number
  /** Who it is that asks, for the audit. */
  doer: () => Actor
  /** Reads the client that is described at an address; undefined for an id that is no address. */
  readDocument: (client_id: string) => Promise<AdapterPayload | undefined>
}

/**
 * The records of the authorization server in the state, as its library asks for them. A code or a refresh token is used up
 * in one step: of two that use it at once, the second ends the grant.
 */
export function storageAdapter(place: StorageContext, model: string): Adapter {
  // The site's own sessions say who is signed in; the library's would be a second truth.
  if (model === 'Session') return NO_RECORDS
  const { state, clock, doer, readDocument } = place
  const { db, pepper } = state
  const idOf = (id: string) => (NAMED.has(model) ? id : keyedHash(`${model} ${id}`, pepper))
  const isoAfter = (ms: number) => new Date(clock() + ms).toISOString()
  const row = (id: string) =>
    db.selectFrom('oauth_records').selectAll().where('model', '=', model).where('id', '=', idOf(id)).executeTakeFirst()

  return {
    ...NO_RECORDS,
    async upsert(id, { jti: _, ...payload }, seconds) {
      const lifetime = seconds === undefined ? UNAPPROVED_CLIENT_MS : seconds * 1000
      const values = {
        payload: JSON.stringify(payload),
        expires_at: isoAfter(lifetime),
        grant_id: payload.grantId ?? null,
        uid: null,
        user_code: null,
      }
      await db
        .insertInto('oauth_records')
        .values({ model, id: idOf(id), consumed_at: null, ...values })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
        .execute()
    },
    async find(id) {
      const found = await row(id)
      if (!found) return model === 'Client' ? readDocument(id) : undefined
      if (model === 'Client' && Date.parse(found.expires_at!) <= clock()) return undefined
      const payload = JSON.parse(found.payload) as AdapterPayload
      if (model === 'Client') return payload
      return { ...payload, jti: id, ...(found.consumed_at === null ? {} : { consumed: true }) }
    },
    async consume(id) {
      const { numUpdatedRows } = await db
        .updateTable('oauth_records')
        .set({ consumed_at: isoAfter(0) })
        .where('model', '=', model)
        .where('id', '=', idOf(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return
      const grant_id = (await row(id))?.grant_id
      if (grant_id) await endGrant(state, grant_id, doer(), clock(), 'a token or code was used twice')
      throw new errors.InvalidGrant('used twice at once')
    },
    async destroy(id) {
      if (model === 'Grant')
        return void (await endGrant(state, id, doer(), clock(), 'revoked by the client or misused'))
      await db.deleteFrom('oauth_records').where('model', '=', model).where('id', '=', idOf(id)).execute()
    },
    async revokeByGrantId(grant_id) {
      await db.deleteFrom('oauth_records').where('model', '=', model).where('grant_id', '=', grant_id).execute()
    },
  }
}

const nothing = async () => undefined
const NO_RECORDS: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

/** Keeps a registered client that is in use: it expires only after long silence. Written about once a day, however often it asks. */
export async function extendClientExpiry({ db }: State, client_id: string, now: number): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: new Date(now + UNUSED_CLIENT_MS).toISOString() })
    .where('model', '=', 'Client')
    .where('id', '=', client_id)
    .where('expires_at', '<', new Date(now + UNUSED_CLIENT_MS - DAY_MS).toISOString())
    .execute()
}
