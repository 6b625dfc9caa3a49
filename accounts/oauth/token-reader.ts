import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { CredentialReader } from '../../api/gate/credentials.ts'
import { looksLikeToken } from '../../api/gate/credentials.ts'
import { failuresOf } from '../../api/state/failure-log.ts'
import { addresses } from '../../config/addresses.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { verifyingKeys } from './signing-key.ts'

/** The last use of a connection is written at most this often. */
const USE_WRITE_INTERVAL_MS = 300_000
const MAX_CHARACTERS = 4_096
/** Tokens with unknown keys cause at most one read of the keys in this time. */
const KEYS_INTERVAL_MS = 1_000

/**
 * Reads access tokens: signed with our key, issued for our MCP server, not expired, of a connection that is not revoked.
 * The tier is the account's current one.
 */
export function tokenReader({ settings, state, logger, clock = Date.now }: AccountDependencies): CredentialReader {
  const { auth_url, mcp_url } = addresses(settings)
  const { db } = state
  const failures = failuresOf(logger)
  let keys: ReturnType<typeof verifyingKeys> | null = null
  let readAt = Number.NEGATIVE_INFINITY

  const readKeys = () => {
    readAt = performance.now()
    keys = verifyingKeys(state, clock()).catch((error) => {
      keys = null
      throw error
    })
    return keys
  }
  /** The key that a token names. An unknown one may come from a rotation by another process. */
  const keyOf = async (presented: string) => {
    const { kid = '' } = decodeProtectedHeader(presented)
    const known = (await (keys ?? readKeys())).get(kid)
    if (known || performance.now() - readAt < KEYS_INTERVAL_MS) return known
    return (await readKeys()).get(kid)
  }

  const writeUse = (grant_id: string, used_at: string | null, now: number) => {
    if (used_at !== null && now < Date.parse(used_at) + USE_WRITE_INTERVAL_MS) return
    db.updateTable('connections')
      .set({ used_at: new Date(now).toISOString() })
      .where('grant_id', '=', grant_id)
      .execute()
      .then(() => failures.taskSucceeded('store the use of a connection'))
      .catch((error) =>
        failures.taskFailed('store the use of a connection', error, 'the next use of a connection is stored'),
      )
  }

  return {
    wellFormed: (presented) =>
      presented.length <= MAX_CHARACTERS && looksLikeToken(presented) && isSignedByUs(presented),
    async read(presented, now) {
      const key = await keyOf(presented)
      if (key === undefined) return null
      const rules = {
        issuer: auth_url,
        audience: `${mcp_url}/mcp`,
        typ: 'at+jwt',
        algorithms: ['ES256'],
        currentDate: new Date(now),
        requiredClaims: ['exp', 'grant_id'],
      }
      const verified = await jwtVerify(presented, key, rules).catch((error) => {
        if (error instanceof errors.JOSEError) return null
        throw error
      })
      const { grant_id, exp = 0, iat = 0 } = verified?.payload ?? {}
      // A token that was issued while the clock was ahead must not last until then.
      if (typeof grant_id !== 'string' || iat * 1000 > now + MAX_CLOCK_SKEW_MS) return null
      const row = await db
        .selectFrom('connections')
        .innerJoin('accounts', 'accounts.id', 'connections.account_id')
        .select(['connections.account_id', 'revoked_at', 'used_at', 'may_write', 'accounts.tier'])
        .where('connections.grant_id', '=', grant_id)
        .executeTakeFirst()
      if (!row || row.revoked_at !== null) return null
      writeUse(grant_id, row.used_at, now)
      const { account_id, tier } = row
      const may_write = row.may_write === 1
      return { caller: { kind: 'connection', id: grant_id, account_id, tier, may_write }, expires: exp * 1000 }
    },
  }
}

/** Whether the header of a token names our algorithm and type; others are refused without verifying the signature. */
function isSignedByUs(presented: string): boolean {
  try {
    const { alg, typ } = decodeProtectedHeader(presented)
    return alg === 'ES256' && typ === 'at+jwt'
  } catch {
    return false
  }
}
