import type { State } from '../../api/state/state.ts'
import type { PersonRow } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { claimedPerson, knownDevice } from './known-devices.ts'
import { markUsed, type RelyingParty, verifyPasskeyUse } from './passkeys.ts'
import { isPassword } from './passwords.ts'
import { personByEmail, personById, renewHash } from './people.ts'
import { beginAttempt, clearFailures, type SignInAttempt } from './sign-in-limits.ts'

/** Place and time of a sign-in attempt. */
export interface SignInOrigin {
  address: string
  now: number
  /** The device cookie of the browser. */
  device_cookie?: string | undefined
  /** The session of a browser that is signed in: only its own failures count. */
  session?: string
}

/**
 * Finds the person with this email and password. An unknown email takes the same work and gets the same answer as a wrong password.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError after too many failures, even for the right password
 */
export async function authenticateByPassword(
  state: State,
  email: string,
  password: string,
  from: SignInOrigin,
): Promise<PersonRow> {
  const person = await personByEmail(state.db, email)
  const device = knownDevice(state, from.device_cookie, person, from.now)
  const { address, session } = from
  const attempt = await beginAttempt(state, { email, address, device, session }, from.now)
  const right = await isPassword(person?.password_hash ?? null, password)
  if (!person || !right) {
    await recordFailure(state, attempt, person?.account_id, 'password', from)
    throw new HoldshortError('SIGN_IN_FAILED', 'this email and password do not match')
  }
  await clearFailures(state, attempt)
  return renewHash(state, person, password)
}

/**
 * Finds the person whose passkey a browser has used; `only` restricts it to one person.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError after too many failures from one network
 */
export async function authenticateByPasskey(
  state: State,
  party: RelyingParty | null,
  posted: string,
  from: SignInOrigin,
  only?: string,
): Promise<PersonRow> {
  const { address, session } = from
  const device = await deviceOf(state, from)
  const attempt = await beginAttempt(state, { email: null, address, device, session }, from.now)
  const { known, counter } = party
    ? await verifyPasskeyUse(state, party, posted, from.now)
    : { known: null, counter: null }
  const person = known ? await personById(state.db, known.person_id) : undefined
  if (!known || !person || counter === null || (only !== undefined && person.id !== only)) {
    await recordFailure(state, attempt, person?.account_id, 'passkey', from)
    throw new HoldshortError('SIGN_IN_FAILED', 'this passkey is unknown, or its answer came too late')
  }
  await clearFailures(state, attempt)
  await markUsed(state, known.id, counter, from.now)
  return person
}

/** The device of a browser whose person is not known yet. */
async function deviceOf(state: State, { device_cookie, now }: SignInOrigin): Promise<string | null> {
  const claimed = device_cookie === undefined ? null : claimedPerson(device_cookie)
  return claimed === null ? null : knownDevice(state, device_cookie, await personById(state.db, claimed), now)
}

/** Proof of a signed-in person's identity: a password, or a passkey's answer. */
export interface Proof {
  password: string
  credential: string
}

/**
 * Confirms that the signed-in person is still the one at the browser; returns the person as read for that.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError
 */
export async function confirmIdentity(
  state: State,
  party: RelyingParty | null,
  person: { email: string; person_id: string; session: string },
  { password, credential }: Proof,
  origin: SignInOrigin,
): Promise<PersonRow> {
  const from = { ...origin, session: person.session }
  return credential !== ''
    ? authenticateByPasskey(state, party, credential, from, person.person_id)
    : authenticateByPassword(state, person.email, password, from)
}

/** Stores that an attempt has failed: one commit whether or not the account is known, so that both take the same time. */
async function recordFailure(
  { db }: Pick<State, 'db'>,
  attempt: SignInAttempt,
  account_id: string | undefined,
  method: string,
  { address, now }: SignInOrigin,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('sign_in_failures')
      .set({ failed_at: new Date(now).toISOString() })
      .where('id', 'in', attempt.ids)
      .execute()
    const by = { actor: 'stranger', source: address } as const
    if (account_id !== undefined) await recordAuditEntry(transaction, account_id, 'sign_in_failed', by, now, { method })
  })
}
