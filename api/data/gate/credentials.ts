import type { IncomingHttpHeaders } from 'node:http'
import { HoldshortError } from '../../../config/errors.ts'
import { isWellFormedKey, keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import type { Caller } from './admission.ts'

const unauthorized = (message: string) => new HoldshortError('INVALID_API_KEY', message)

/**
 * The key of a request, from `Authorization: Bearer` or `X-API-Key`.
 * @throws HoldshortError INVALID_API_KEY when there is none, or one in each header.
 */
export function presentedCredential(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined && apiKey !== undefined)
    throw unauthorized('send the key in Authorization or in X-API-Key, not in both')
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey
  if (authorization === undefined)
    throw unauthorized('no API key: send Authorization: Bearer <key> or X-API-Key: <key>')
  const space = authorization.indexOf(' ')
  if (authorization.slice(0, space).toLowerCase() !== 'bearer')
    throw unauthorized('the Authorization header must be "Bearer <key>"')
  return authorization.slice(space + 1).trim()
}

/** Whether a credential looks like an access token of an MCP client; keys have no dots. */
export const looksLikeToken = (presented: string) =>
  presented.includes('.') && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(presented)

/** Knows what a credential looks like and whose it is. */
export interface CredentialReader {
  /** Whether a text can be a credential at all; what cannot is refused without a look-up. */
  wellFormed: (presented: string) => boolean
  /** Whose it is and when it ends by itself (epoch milliseconds); null for one that is unknown, over or revoked. */
  read: (presented: string, now: number) => Promise<{ caller: Caller; expires: number } | null>
}

/** Reads API keys. */
export function keyReader({ db, pepper }: Pick<State, 'db' | 'pepper'>): CredentialReader {
  return {
    wellFormed: isWellFormedKey,
    async read(presented) {
      const row = await db
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account_id')
        .select(['keys.id', 'keys.account_id', 'keys.revoked_at', 'accounts.tier'])
        .where('keys.hash', '=', keyedHash(presented, pepper))
        .where('accounts.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row || row.revoked_at !== null) return null
      const { id, account_id, tier } = row
      return { caller: { kind: 'key', id, account_id, tier }, expires: Number.POSITIVE_INFINITY }
    },
  }
}

/** Reads what any of several readers takes for its own. */
export function anyReader(...readers: CredentialReader[]): CredentialReader {
  const readerOf = (presented: string) => readers.find((reader) => reader.wellFormed(presented))
  return {
    wellFormed: (presented) => readerOf(presented) !== undefined,
    read: async (presented, now) => (await readerOf(presented)?.read(presented, now)) ?? null,
  }
}
