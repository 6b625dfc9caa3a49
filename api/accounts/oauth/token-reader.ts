import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { addresses } from '../../../config/settings.ts'
import type { CredentialReader } from '../../data/gate/credentials.ts'
import { looksLikeToken } from '../../data/gate/credentials.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { verifyingKey } from './signing-key.ts'

/** That a connection was used is written at most this often. */
const USED_EVERY_MS = 300_000
const MOST_CHARACTERS = 4_096

/**
 * Reads access tokens: signed by our own key, for our MCP server, not over, of a connection that still stands. The tier is
 * the account's at the moment, not that of the token's.
 */
export function tokenReader({ settings, state, logger, clock = Date.now }: AccountDependencies): CredentialReader {
  const { auth_url, mcp_url } = addresses(settings)
  const { db } = state
  let key: ReturnType<typeof verifyingKey> | null = null

  const keepUsed = (grant_id: string, used_at: string | null, now: number) => {
    if (used_at !== null && now < Date.parse(used_at) + USED_EVERY_MS) return
    db.updateTable('connections')
      .set({ used_at: new Date(now).toISOString() })
      .where('grant_id', '=', grant_id)
      .execute()
      .catch((error) => logger?.error({ err: error }, 'the use of a connection could not be noted'))
  }

  return {
    wellFormed: (presented) =>
      presented.length <= MOST_CHARACTERS && looksLikeToken(presented) && isSignedByUs(presented),
    async read(presented, now) {
      key ??= verifyingKey(state, clock()).catch((error) => {
        key = null
        throw error
      })
      const rules = {
        issuer: auth_url,
        audience: `${mcp_url}/mcp`,
        typ: 'at+jwt',
        algorithms: ['ES256'],
        currentDate: new Date(now),
        requiredClaims: ['exp', 'grant_id'],
      }
      const verified = await jwtVerify(presented, await key, rules).catch((error) => {
        if (error instanceof errors.JOSEError) return null
        throw error
      })
      const { grant_id, exp = 0 } = verified?.payload ?? {}
      if (typeof grant_id !== 'string') return null
      const row = await db
        .selectFrom('connections')
        .innerJoin('accounts', 'accounts.id', 'connections.account_id')
        .select(['connections.account_id', 'connections.revoked_at', 'connections.used_at', 'accounts.tier'])
        .where('connections.grant_id', '=', grant_id)
        .executeTakeFirst()
      if (!row || row.revoked_at !== null) return null
      keepUsed(grant_id, row.used_at, now)
      const { account_id, tier } = row
      return { caller: { kind: 'connection', id: grant_id, account_id, tier }, expires: exp * 1000 }
    },
  }
}

/** Whether a token says that it is signed in the one way we sign; what says otherwise needs no look at the signature. */
function isSignedByUs(presented: string): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(presented)
    return alg === 'ES256' && typ === 'at+jwt'
  } catch {
    return false
  }
}
