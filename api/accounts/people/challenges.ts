import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MAX_CLOCK_SKEW_MS } from '../../../config/steady-clock.ts'
import { keyedHash } from '../../state/key-format.ts'
import { derivedKey } from '../../state/secrets.ts'
import type { State } from '../../state/state.ts'

/** What a WebAuthn challenge is for; a challenge is valid for its own purpose only. */
export type ChallengePurpose = 'new passkey' | 'passkey'

const VALID_MS = 5 * 60_000
const RANDOM_BYTES = 24
const EXPIRY_BYTES = 8
const SEAL_BYTES = 32

/** A challenge that only this installation can create and that carries its expiry. Nothing is stored until it is answered. */
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

/** Whether a challenge (base64url) was created here for this purpose, has not expired and is answered for the first time. */
export async function consumeChallenge(
  { db, peppers }: State,
  challenge: string,
  purpose: ChallengePurpose,
  now: number,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, RANDOM_BYTES + EXPIRY_BYTES)
  if (bytes.length !== RANDOM_BYTES + EXPIRY_BYTES + SEAL_BYTES) return false
  const isSealedBy = (pepper: string) => timingSafeEqual(seal(body, pepper, purpose), bytes.subarray(body.length))
  const sealer = () => peppers.all.find(isSealedBy)
  const pepper = sealer() ?? (peppers.refresh() ? sealer() : undefined)
  if (pepper === undefined) return false
  const expires = Number(body.readBigUInt64BE(RANDOM_BYTES))
  if (now >= expires || expires > now + VALID_MS + MAX_CLOCK_SKEW_MS) return false
  // Hashes the bytes, not the text: several base64url texts can encode the same bytes.
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
