import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { z } from 'zod'
import { installationSecret, replaceInstallationSecret } from '../../api/state/secrets.ts'
import type { State } from '../../api/state/state.ts'
import { DAY_MS } from '../../config/vocabulary.ts'

const NAME = 'oauth signing key'
/** A former key verifies tokens for this long; they live for ten minutes. */
const OVERLAP_MS = DAY_MS

/** The stored keys, the current one first. Before a first rotation it is the one key itself. */
const StoredKeys = z.object({
  keys: z.array(z.object({ jwk: z.custom<JWK>(), retired_at: z.iso.datetime().nullable() })).min(1),
})
type StoredKeys = z.infer<typeof StoredKeys>

function readKeys(stored: string): StoredKeys {
  const value: unknown = JSON.parse(stored)
  const rotated = StoredKeys.safeParse(value)
  return rotated.success ? rotated.data : { keys: [{ jwk: value as JWK, retired_at: null }] }
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' }
}

/**
 * The ES256 keys of access tokens: the first one signs, and the former ones of the last day still verify. The first key is
 * created once per installation; all are stored encrypted in its state.
 */
export async function signingKeys(state: Pick<State, 'db' | 'peppers'>, now: number): Promise<JWK[]> {
  const stored = await installationSecret(state, NAME, now, async () => JSON.stringify(await newKey()))
  return readKeys(stored)
    .keys.filter(({ retired_at }) => retired_at === null || Date.parse(retired_at) > now - OVERLAP_MS)
    .map(({ jwk }) => jwk)
}

/** Makes a new key the one that signs; returns its id. Tokens of the former one stay valid until they expire. */
export async function rotateSigningKey(state: Pick<State, 'db' | 'peppers'>, now: number): Promise<string> {
  await signingKeys(state, now)
  const jwk = await newKey()
  await replaceInstallationSecret(state, NAME, now, async (present) => {
    const retired = readKeys(present).keys.map((key) => ({
      jwk: key.jwk,
      retired_at: key.retired_at ?? new Date(now).toISOString(),
    }))
    const former = retired.filter(({ retired_at }) => Date.parse(retired_at) > now - OVERLAP_MS)
    const stored: StoredKeys = { keys: [{ jwk, retired_at: null }, ...former] }
    return JSON.stringify(stored)
  })
  return jwk.kid ?? ''
}

/** Says when the keys were last changed; changes with each rotation. */
export async function signingKeysChanged({ db }: Pick<State, 'db'>): Promise<string | null> {
  const row = await db.selectFrom('secrets').select('sealed').where('name', '=', NAME).executeTakeFirst()
  return row?.sealed ?? null
}

/** The public parts of the keys, which verify access tokens, by their id. */
export async function verifyingKeys(state: Pick<State, 'db' | 'peppers'>, now: number) {
  const keys = await signingKeys(state, now)
  return new Map(
    await Promise.all(
      keys.map(
        async ({ d: _private, ...publicKey }) => [publicKey.kid ?? '', await importJWK(publicKey, 'ES256')] as const,
      ),
    ),
  )
}
