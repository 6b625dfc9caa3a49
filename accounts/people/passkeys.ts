import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { keyedHash } from '../../api/state/key-format.ts'
import { derivedKey } from '../../api/state/secrets.ts'
import type { State } from '../../api/state/state.ts'
import type { PasskeyRow } from '../../api/state/tables.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import type { NewPasskey } from './people.ts'

// Loaded when the first passkey is used: loading takes a quarter of a second, too long for the start of `serve`.
const webauthn = () => import('@simplewebauthn/server')

/** The site as authenticators identify it (WebAuthn relying party). */
export interface RelyingParty {
  id: string
  origin: string
}

/** The relying party of a site; null if browsers allow no passkeys: plain http except localhost, and bare IP addresses. */
export function relyingParty(site_url: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(site_url)
  const local = hostname === 'localhost' || hostname.endsWith('.localhost')
  const bare = isIP(hostname.replace(/^\[|\]$/g, '')) > 0
  return !bare && (protocol === 'https:' || local) ? { id: hostname, origin } : null
}

/** The id of a person who signs up with a passkey, derived from the challenge so that nothing is stored until it is answered. */
export const personIdOf = (challenge: string, pepper: string) =>
  `person_${keyedHash(`person of ${challenge}`, pepper).slice(0, 32)}`

/** A person for whom a passkey is made: what had to be right for it has been checked. `id` is null for a person who signs up. */
export interface PasskeyOwner {
  id: string | null
  email: string
  passkeys: PasskeyRow[]
}

/** The options with which a browser creates a passkey. Their challenge is valid for this person only. */
export async function creationOptions(pepper: string, party: RelyingParty, owner: PasskeyOwner, now: number) {
  const { generateRegistrationOptions } = await webauthn()
  const challenge = newChallenge(pepper, newPasskeyOf(owner.id ?? owner.email), now)
  const userId = owner.id ?? personIdOf(challenge.toString('base64url'), pepper)
  return generateRegistrationOptions({
    rpName: 'Holdshort',
    rpID: party.id,
    challenge: new Uint8Array(challenge),
    attestationType: 'none',
    userID: new Uint8Array(Buffer.from(userId)),
    userName: owner.email,
    excludeCredentials: owner.passkeys.map(({ id, transports }) => ({
      id,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
}

/** The options with which a browser uses a passkey of the person's choice. */
export async function requestOptions(pepper: string, { id }: RelyingParty, now: number) {
  const { generateAuthenticationOptions } = await webauthn()
  const challenge = new Uint8Array(newChallenge(pepper, 'passkey', now))
  return generateAuthenticationOptions({ rpID: id, challenge, userVerification: 'preferred' })
}

const base64url = z.string().regex(/^[\w-]+$/)
const Credential = z.object({ id: base64url, rawId: base64url, type: z.literal('public-key') })
const Attestation = Credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
})
const Assertion = Credential.extend({
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

/** A browser's answer and the challenge it answers; null for anything else. */
function parseAnswer<T extends { response: { clientDataJSON: string } }>(schema: z.ZodType<T>, posted: string) {
  try {
    const answer = schema.parse(JSON.parse(posted))
    const clientData = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString('utf8'))
    return { answer, challenge: base64url.parse(clientData.challenge) }
  } catch {
    return null
  }
}

/** Verifies a new passkey that a browser posted; null unless it answers a challenge of ours for this owner: a person's id, or a new email. */
export async function verifyNewPasskey(
  state: State,
  party: RelyingParty,
  owner: string,
  posted: string,
  now: number,
): Promise<{ passkey: Omit<NewPasskey, 'name'>; challenge: string } | null> {
  const read = parseAnswer(Attestation, posted)
  if (!read || !(await consumeChallenge(state, read.challenge, newPasskeyOf(owner), now))) return null
  const { answer, challenge } = read
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(nullIfInvalid)
  if (!verified?.registrationInfo) return null
  const { id, publicKey, counter } = verified.registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { passkey: { id, public_key, counter, transports: JSON.stringify(answer.response.transports) }, challenge }
}

/**
 * The passkey that a browser claims to have used (null if unknown) and its new counter (null unless the answer is valid for a
 * challenge of ours).
 */
export async function verifyPasskeyUse(
  state: State,
  party: RelyingParty,
  posted: string,
  now: number,
): Promise<{ known: PasskeyRow | null; counter: number | null }> {
  const read = parseAnswer(Assertion, posted)
  if (!read || !(await consumeChallenge(state, read.challenge, 'passkey', now))) return { known: null, counter: null }
  const { answer, challenge } = read
  const known = await state.db.selectFrom('passkeys').selectAll().where('id', '=', answer.id).executeTakeFirst()
  if (!known) return { known: null, counter: null }
  const { verifyAuthenticationResponse } = await webauthn()
  const publicKey = new Uint8Array(Buffer.from(known.public_key, 'base64url'))
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: { id: known.id, publicKey, counter: known.counter },
  }).catch(nullIfInvalid)
  return { known, counter: verified?.verified ? verified.authenticationInfo.newCounter : null }
}

/** The library throws for every invalid answer. */
const nullIfInvalid = () => null

/** Stores that a passkey was used. */
export async function markUsed({ db }: Pick<State, 'db'>, id: string, counter: number, now: number): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ counter, used_at: new Date(now).toISOString() })
    .where('id', '=', id)
    .execute()
}

/** The passkeys of a person, oldest first. */
export function passkeysOf({ db }: Pick<State, 'db'>, person_id: string): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('person_id', '=', person_id).orderBy('created_at').execute()
}

/** The purpose of a WebAuthn challenge, which is valid for no other. */
type ChallengePurpose = `new passkey of ${string}` | 'passkey'

/** The purpose of a challenge for a new passkey of a person's id, or of the email of somebody who signs up. */
const newPasskeyOf = (owner: string): ChallengePurpose => `new passkey of ${owner}`

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
