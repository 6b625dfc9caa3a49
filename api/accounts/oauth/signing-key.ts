import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { installationSecret } from '../../state/secrets.ts'
import type { State } from '../../state/state.ts'

/** The ES256 key that signs access tokens. It is created once per installation and stored encrypted in its state. */
export async function signingKey(state: State, now: number): Promise<JWK> {
  const stored = await installationSecret(state, 'oauth signing key', now, async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(privateKey)
    return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' })
  })
  return JSON.parse(stored) as JWK
}

/** The public part of the signing key, which verifies access tokens. */
export async function verifyingKey(state: State, now: number) {
  const { d: _private, ...publicKey } = await signingKey(state, now)
  return importJWK(publicKey, 'ES256')
}
