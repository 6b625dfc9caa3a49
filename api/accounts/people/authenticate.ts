import { HoldshortError } from '../../../config/errors.ts'
import type { State } from '../../state/state.ts'
import type { PersonRow } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { markUsed, type RelyingParty, usedPasskey } from './passkeys.ts'
import { isPassword } from './passwords.ts'
import { personByEmail, personById, renewHash } from './people.ts'
import { beginTry, forgiveTry, type SignInTry } from './sign-in-limits.ts'

/** A request as signing in sees it. */
export interface From {
  address: string
  now: number
}

/**
 * Whose email and password these are. An unknown email takes the same work and gets the same answer as a wrong password.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError after too many failures, then for the right password too.
 */
export async function byPassword(state: State, email: string, password: string, from: From): Promise<PersonRow> {
  const trial = await beginTry(state, email, from.address, from.now)
  const person = await personByEmail(state.db, email)
  const right = await isPassword(person?.password_hash ?? null, password)
  if (!person || !right) {
    await settleFailure(state, trial, person?.account_id, 'password', from)
    throw new HoldshortError('SIGN_IN_FAILED', 'this email and password do not belong together')
  }
  await forgiveTry(state, trial)
  await renewHash(state, person, password)
  return person
}

/**
 * Whose passkey a browser has used; `only` says whose it must be.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError after too many failures from one network.
 */
export async function byPasskey(
  state: State,
  party: RelyingParty | null,
  posted: string,
  from: From,
  only?: string,
): Promise<PersonRow> {
  const trial = await beginTry(state, null, from.address, from.now)
  const { known, counter } = party ? await usedPasskey(state, party, posted, from.now) : { known: null, counter: null }
  const person = known ? await personById(state.db, known.person_id) : undefined
  if (!known || !person || counter === null || (only !== undefined && person.id !== only)) {
    await settleFailure(state, trial, person?.account_id, 'passkey', from)
    throw new HoldshortError('SIGN_IN_FAILED', 'this passkey is not known here, or its answer came too late')
  }
  await forgiveTry(state, trial)
  await markUsed(state, known.id, counter, from.now)
  return person
}

/** What someone who is signed in brings to show that it is still him: a password, or a passkey's answer. */
export interface Proof {
  password: string
  credential: string
}

/**
 * Makes sure that a person who is signed in is still the one at the browser.
 * @throws HoldshortError SIGN_IN_FAILED; RateLimitedError
 */
export async function proveOwner(
  state: State,
  party: RelyingParty | null,
  person: { email: string; person_id: string },
  { password, credential }: Proof,
  from: From,
): Promise<void> {
  if (credential !== '') await byPasskey(state, party, credential, from, person.person_id)
  else await byPassword(state, person.email, password, from)
}

/** Writes down that a try has failed. It is one commit whether the account is known or not, so that both take the same time. */
async function settleFailure(
  { db }: Pick<State, 'db'>,
  trial: SignInTry,
  account_id: string | undefined,
  method: string,
  { address, now }: From,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('sign_in_failures')
      .set({ failed_at: new Date(now).toISOString() })
      .where('id', 'like', `${trial.id} %`)
      .execute()
    const by = { actor: 'stranger', source: address } as const
    if (account_id !== undefined) await recordAuditEntry(transaction, account_id, 'sign_in_failed', by, now, { method })
  })
}
