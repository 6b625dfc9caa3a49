import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../state/key-format.ts'
import { derivedKey } from '../../state/secrets.ts'
import type { State } from '../../state/state.ts'

/** What a WebAuthn challenge is for; one for the one is no good for the other. */
export type ChallengePurpose = 'new passkey' | 'passkey'

const VALID_MS = 5 * 60_000
const [RANDOM_BYTES, EXPIRY_BYTES] = [24, 8]

/** A challenge that only this installation can make and that tells when it ends. Nothing is kept of it until it is answered. */
export function newChallenge(pepper: string, purpose: ChallengePurpose, now: number): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeBigUInt64BE(BigInt(now + VALID_MS))
  const body = Buffer.concat([randomBytes(RANDOM_BYTES), expiry])
  return Buffer.concat([body, seal(body, pepper, purpose)])
}

const seal = (body: Buffer, pepper: string, purpose: ChallengePurpose) =>
  createHmac('sha256', derivedKey(pepper, `challenge for a ${purpose}`))
    .update(body)
    .digest()

/** Whether a challenge (base64url) is one of ours, for this purpose, in time and answered for the first time. */
export async function spendChallenge(
  { db, pepper }: State,
  challenge: string,
  purpose: ChallengePurpose,
  now: number,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, RANDOM_BYTES + EXPIRY_BYTES)
  const sealed = seal(body, pepper, purpose)
  if (bytes.length !== body.length + sealed.length) return false
  if (!timingSafeEqual(sealed, bytes.subarray(body.length))) return false
  const expires = Number(body.readBigUInt64BE(RANDOM_BYTES))
  if (now >= expires) return false
  // By its bytes, not its text: base64url can write the same ones in more than one way.
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('challenges')
    .values({
      hash: keyedHash(bytes.toString('base64url'), pepper),
      kind: 'spent',
      payload: '{}',
      expires_at: new Date(expires).toISOString(),
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
