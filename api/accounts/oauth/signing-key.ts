import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { installationSecret } from '../../state/secrets.ts'
import type { State } from '../../state/state.ts'

/** The key that signs access tokens: ES256, made once for an installation and kept sealed in its state. */
export async function signingKey(state: State, now: number): Promise<JWK> {
  const kept = await installationSecret(state, 'oauth signing key', now, async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(privateKey)
    return JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' })
  })
  return JSON.parse(kept) as JWK
}

/** Its public half, to verify with. */
export async function verifyingKey(state: State, now: number) {
  const { d: _, ...open } = await signingKey(state, now)
  return importJWK(open, 'ES256')
}
