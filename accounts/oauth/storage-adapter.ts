import type { Adapter, AdapterPayload } from 'oidc-provider'
import { retryAfter } from '../../api/rest/problem.ts'
import type { Actor } from '../../api/state/actor.ts'
import { futureFrom } from '../../api/state/from-future.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import { hashesOf } from '../../api/state/peppers.ts'
import type { State } from '../../api/state/state.ts'
import type { OauthRecordRow } from '../../api/state/tables.ts'
import { isStateFault } from '../../api/state/unreachable.ts'
import { HoldshortError, RateLimitedError } from '../../config/errors.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { ClientMetadataError } from './client-metadata.ts'
import { endGrant } from './connections.ts'
import { SECONDS, UNAPPROVED_CLIENT_MS, UNUSED_CLIENT_MS } from './constants.ts'
import { errors, Provider } from './library.ts'

/** Models whose id is not secret. The ids of all others are codes, tokens and requests, stored as keyed hashes only. */
const MODELS_WITH_PUBLIC_ID = new Set(['Client', 'Grant'])

export interface StorageContext {
  state: State
  clock: () => number
  /** Actor of the current request, for the audit log. */
  actor: () => Actor
  /** Reads the client whose metadata document is at an address; undefined for an id that is not an address. */
  readDocument: (client_id: string) => Promise<AdapterPayload | undefined>
}

/**
 * Stores the records of one model of the authorization server in the state, through the adapter interface of its library.
 * A code is consumed atomically: if two requests use it at the same time, the second ends the grant. A refresh token that was
 * used less than `SECONDS.refresh_overlap` ago, or for which no new one could be stored, counts as unused; otherwise its use ends the grant.
 */
export function storageAdapter(context: StorageContext, model: string): Adapter {
  // The site's own sessions record who is signed in, so the library's sessions are not stored.
  if (model === 'Session') return NO_RECORDS
  const { state, clock, actor, readDocument } = context
  const { db, peppers } = state
  const idOf = (id: string) => (MODELS_WITH_PUBLIC_ID.has(model) ? id : keyedHash(`${model} ${id}`, state.pepper))
  const idsOf = (id: string) => (MODELS_WITH_PUBLIC_ID.has(model) ? [id] : hashesOf(`${model} ${id}`, peppers))
  const isoAfter = (ms: number) => new Date(clock() + ms).toISOString()
  const rowOf = async (ids: string[]) => {
    const rows = await db
      .selectFrom('oauth_records')
      .selectAll()
      .where('model', '=', model)
      .where('id', 'in', ids)
      .execute()
    // A record that was written again after a rotation has two rows; the one under the newest pepper is current.
    return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))[0]
  }
  const isWithinOverlap = ({ consumed_at }: OauthRecordRow) =>
    consumed_at !== null &&
    consumed_at <= futureFrom(clock()) &&
    clock() - Date.parse(consumed_at) < SECONDS.refresh_overlap * 1000
  /**
   * Whether a code or token was used. A machine whose clock is a little ahead used it just now, one that was far ahead long ago.
   * A refresh token without a successor was not: the database was cut off before it stored one, and the client has no other token.
   */
  const isUsed = async (record: OauthRecordRow) => {
    const { consumed_at, grant_id, payload } = record
    if (consumed_at === null || model !== 'RefreshToken') return consumed_at !== null
    if (isWithinOverlap(record)) return false
    const tokens = db.selectFrom('oauth_records').select('payload').where('grant_id', '=', grant_id)
    const ofGrant = await tokens.where('model', '=', model).execute()
    return ofGrant.some((token) => rotationsOf(token.payload) > rotationsOf(payload))
  }
  const row = async (id: string) => (await rowOf(idsOf(id))) ?? (peppers.refresh() ? rowOf(idsOf(id)) : undefined)

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
      if (model === 'AuthorizationCode' && found.expires_at! > futureFrom(clock() + SECONDS.code * 1000))
        return undefined
      const payload = JSON.parse(found.payload) as AdapterPayload
      if (model === 'Client') return payload
      const record = { ...payload, jti: id }
      return (await isUsed(found)) ? { ...record, consumed: true } : record
    },
    async consume(id) {
      const records = db
        .updateTable('oauth_records')
        .set({ consumed_at: isoAfter(0) })
        .where('model', '=', model)
        .where('id', 'in', idsOf(id))
      const { numUpdatedRows } = await records.where('consumed_at', 'is', null).executeTakeFirst()
      if (numUpdatedRows > 0n) return
      const found = await row(id)
      if (found && !(await isUsed(found))) {
        // Its first use left no successor: the time in which two processes of a client may use it begins again.
        if (!isWithinOverlap(found)) await records.execute()
        return
      }
      const grant_id = found?.grant_id
      if (grant_id) await endGrant(state, { grant_id, why: 'a token or code was used twice' }, actor(), clock())
      throw new errors.InvalidGrant('used twice at once')
    },
    async destroy(id) {
      if (model === 'Grant')
        return void (await endGrant(state, { grant_id: id, why: 'revoked by the client or misused' }, actor(), clock()))
      await db.deleteFrom('oauth_records').where('model', '=', model).where('id', 'in', idsOf(id)).execute()
    },
    async revokeByGrantId(grant_id) {
      await db.deleteFrom('oauth_records').where('model', '=', model).where('grant_id', '=', grant_id).execute()
    },
  }
}

/** How often the refresh token of a record was renewed before. */
const rotationsOf = (payload: string): number => (JSON.parse(payload) as { rotations?: number }).rotations ?? 0

/**
 * The library's error for one of ours; without it, the library answers 500. Only a document that is unusable makes a client invalid:
 * a client that hears so forgets its tokens, and its owner must approve it again.
 */
export function asLibraryError(error: unknown): unknown {
  if (error instanceof ClientMetadataError) return new errors.InvalidClient(error.message)
  if (error instanceof RateLimitedError) return temporary(429, 'too_many_requests', error.message, error)
  if (isStateFault(error) || isOutwardFault(error))
    return temporary(503, 'temporarily_unavailable', `${error.code}: ${error.message}`, error)
  return error
}

const isOutwardFault = (error: unknown): error is HoldshortError =>
  error instanceof HoldshortError && error.code === 'OUTWARD_FAILED'

/** An error of a request that the client may repeat later; the answer of the library says when. */
function temporary(status: number, name: string, error_description: string, cause: HoldshortError) {
  Provider.ctx?.set(retryAfter(cause))
  const error = new errors.OIDCProviderError(status, name)
  return Object.assign(error, { error_description, expose: true, allow_redirect: false, cause })
}

/** The adapter as the library calls it: its failures have the status and the form of the library's errors. */
export function libraryAdapter(context: StorageContext, model: string): Adapter {
  const adapter = storageAdapter(context, model)
  const reported =
    <V extends unknown[], R>(method: (...values: V) => Promise<R>) =>
    async (...values: V): Promise<R> => {
      try {
        return await method(...values)
      } catch (error) {
        throw asLibraryError(error)
      }
    }
  return {
    upsert: reported(adapter.upsert),
    find: reported(adapter.find),
    findByUid: adapter.findByUid,
    findByUserCode: adapter.findByUserCode,
    consume: reported(adapter.consume),
    destroy: reported(adapter.destroy),
    revokeByGrantId: reported(adapter.revokeByGrantId),
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

/** Extends the expiry of a registered client that is in use. It is written about once a day, however often the client is used. */
export async function extendClientExpiry({ db }: State, client_id: string, now: number): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set({ expires_at: new Date(now + UNUSED_CLIENT_MS).toISOString() })
    .where('model', '=', 'Client')
    .where('id', '=', client_id)
    .where('expires_at', '<', new Date(now + UNUSED_CLIENT_MS - DAY_MS).toISOString())
    .execute()
}
