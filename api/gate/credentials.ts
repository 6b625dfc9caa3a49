import type { IncomingHttpHeaders } from 'node:http'
import { batched } from '../../config/batched.ts'
import { HoldshortError } from '../../config/errors.ts'
import { isWellFormedKey, keyedHash } from '../state/key-format.ts'
import { findByHash } from '../state/peppers.ts'
import type { State } from '../state/state.ts'
import type { Caller } from './admission.ts'

/** The error for a request without a valid credential. */
export const unauthorized = (message: string) => new HoldshortError('INVALID_API_KEY', message)

/**
 * The credential of a request, from `Authorization: Bearer` or `X-API-Key`, or the same one in both: generated clients fill in every
 * way that the description allows.
 * @throws HoldshortError INVALID_API_KEY when neither header has one, or they differ.
 */
export function presentedCredential(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-api-key': apiKey } = headers
  const key = typeof apiKey === 'string' && apiKey !== '' ? apiKey : null
  if (authorization === undefined) {
    if (key !== null) return key
    throw unauthorized(
      'no API key: send Authorization: Bearer <key> or X-API-Key: <key>; POST /api/agent/register gives a free one',
    )
  }
  const space = authorization.indexOf(' ')
  if (authorization.slice(0, space).toLowerCase() !== 'bearer')
    throw unauthorized('the Authorization header must be "Bearer <key>"')
  const bearer = authorization.slice(space + 1).trim()
  if (apiKey !== undefined && key !== bearer)
    throw unauthorized('Authorization and X-API-Key have different keys: send one of them')
  return bearer
}

/** Whether a credential has the form of a JWT, as access tokens of MCP clients do; keys contain no dots. */
export const looksLikeToken = (presented: string) =>
  presented.includes('.') && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(presented)

/** Recognises one kind of credential and finds its account. */
export interface CredentialReader {
  /** Whether a text has the form of this kind of credential; others are refused without a database lookup. */
  wellFormed: (presented: string) => boolean
  /** The caller and the expiry (epoch milliseconds); null for a credential that is unknown, expired or revoked. */
  read: (presented: string, now: number) => Promise<{ caller: Caller; expires: number } | null>
}

/** Reads API keys, those of one turn of the event loop with one query. */
export function keyReader({ db, peppers }: Pick<State, 'db' | 'peppers'>): CredentialReader {
  /** From now on the key no longer needs the former pepper under which it was issued. */
  const hashAnew = (id: string, hash: string, current: string) => {
    const anew = db.updateTable('keys').set({ hash: current }).where('id', '=', id).where('hash', '=', hash).execute()
    // The former pepper is still valid, and the next use tries again.
    anew.catch(() => undefined)
  }
  const rowOf = batched(async (hashes) => {
    const rows = await db
      .selectFrom('keys')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .select(['keys.id', 'keys.account_id', 'keys.revoked_at', 'keys.hash', 'accounts.tier'])
      .where('keys.hash', 'in', hashes)
      .where('accounts.deleted_at', 'is', null)
      .execute()
    return new Map(rows.map((row) => [row.hash, row]))
  })
  return {
    wellFormed: isWellFormedKey,
    async read(presented) {
      const row = await findByHash(presented, peppers, async (hashes) => {
        const rows = await Promise.all(hashes.map(rowOf))
        return rows.find((found) => found !== undefined)
      })
      if (!row || row.revoked_at !== null) return null
      const { id, account_id, tier, hash } = row
      const current = keyedHash(presented, peppers.current)
      if (hash !== current) hashAnew(id, hash, current)
      return { caller: { kind: 'key', id, account_id, tier }, expires: Number.POSITIVE_INFINITY }
    },
  }
}

/** A reader that passes each credential to the first reader that recognises its form. */
export function anyReader(...readers: CredentialReader[]): CredentialReader {
  const readerOf = (presented: string) => readers.find((reader) => reader.wellFormed(presented))
  return {
    wellFormed: (presented) => readerOf(presented) !== undefined,
    read: async (presented, now) => (await readerOf(presented)?.read(presented, now)) ?? null,
  }
}
