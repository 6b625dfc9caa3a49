import { HoldshortError } from '../../../config/errors.ts'
import type { State } from '../../state/state.ts'
import type { PersonRow } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { markUsed, type RelyingParty, verifyPasskeyUse } from './passkeys.ts'
import { isPassword } from './passwords.ts'
import { personByEmail, personById, renewHash } from './people.ts'
import { beginAttempt, clearFailures, type SignInAttempt } from './sign-in-limits.ts'

/** Where and when a sign-in is attempted. */
export interface SignInOrigin {
  address: string
  now: number
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
  const attempt = await beginAttempt(state, email, from.address, from.now)
  const person = await personByEmail(state.db, email)
  const right = await isPassword(person?.password_hash ?? null, password)
  if (!person || !right) {
    await recordFailure(state, attempt, person?.account_id, 'password', from)
    throw new HoldshortError('SIGN_IN_FAILED', 'this email and password do not match')
  }
  await clearFailures(state, attempt)
  await renewHash(state, person, password)
  return person
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
  const attempt = await beginAttempt(state, null, from.address, from.now)
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

/** What a signed-in person supplies to confirm the identity: a password, or a passkey's answer. */
export interface Proof {
  password: string
  credential: string
}

/**
 * Confirms that the signed-in person is still the one at the browser.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError
 */
export async function confirmIdentity(
  state: State,
  party: RelyingParty | null,
  person: { email: string; person_id: string },
  { password, credential }: Proof,
  from: SignInOrigin,
): Promise<void> {
  if (credential !== '') await authenticateByPasskey(state, party, credential, from, person.person_id)
  else await authenticateByPassword(state, person.email, password, from)
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
      .where('id', 'in', attempt.row_ids)
      .execute()
    const by = { actor: 'stranger', source: address } as const
    if (account_id !== undefined) await recordAuditEntry(transaction, account_id, 'sign_in_failed', by, now, { method })
  })
}
