import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import { lockAccount } from '../../api/state/lock-account.ts'
import type { State } from '../../api/state/state.ts'
import type { PasskeyRow, PersonRow, StateTables } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { HoldshortError } from '../../config/errors.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { hashPassword, isOutdated, isPassword } from './passwords.ts'
import { endAllSessions } from './sessions.ts'

/** A passkey to be stored, without its owner. */
export type NewPasskey = Omit<PasskeyRow, 'person_id' | 'used_at' | 'created_at'>

/** A person who signs up, with at least one way to sign in. */
export interface NewPerson {
  id: string
  email: string
  password_hash: string | null
  passkey: NewPasskey | null
}

export const newPersonId = () => `person_${randomUUID()}`

/** The person with an email (as `normaliseEmail` returns it). */
export function personByEmail(db: Kysely<StateTables>, email: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirst()
}

/** The person with an id. */
export function personById(db: Kysely<StateTables>, id: string): Promise<PersonRow | undefined> {
  return db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Creates a person with an account of the free tier; null when the email or the passkey is taken. */
export function createPerson(state: State, person: NewPerson, by: Actor, now: number): Promise<PersonRow | null> {
  const { id, email, password_hash, passkey } = person
  const account_id = `acct_${randomUUID()}`
  const created_at = new Date(now).toISOString()
  return state.db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('accounts')
      .values({ id: account_id, name: null, contact_email: null, created_at, tier: 'free', deleted_at: null })
      .execute()
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('people')
      .values({ id, account_id, email, password_hash, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n || (passkey && !(await insertPasskey(transaction, id, passkey, created_at)))) {
      await transaction.deleteFrom('people').where('account_id', '=', account_id).execute()
      await transaction.deleteFrom('accounts').where('id', '=', account_id).execute()
      return null
    }
    await recordAuditEntry(transaction, account_id, 'account_created', by, now, {
      with: passkey ? 'passkey' : 'password',
    })
    return { id, account_id, email, password_hash, created_at }
  })
}

/** Stores a passkey of a person; false when it is already stored for anyone. */
export async function insertPasskey(
  db: Kysely<StateTables>,
  person_id: string,
  passkey: NewPasskey,
  created_at: string,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('passkeys')
    .values({ ...passkey, person_id, created_at, used_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Hashes a verified password again when its stored hash has outdated parameters; returns the person as stored then. */
export async function renewHash({ db }: Pick<State, 'db'>, person: PersonRow, password: string): Promise<PersonRow> {
  if (person.password_hash === null || !isOutdated(person.password_hash)) return person
  const password_hash = await hashPassword(password)
  if (await replaceHash(db, person, password_hash)) return { ...person, password_hash }
  // Another sign-in may have done so at the same time.
  const stored = await personById(db, person.id)
  return stored && (await isPassword(stored.password_hash, password)) ? stored : person
}

/** Replaces the stored hash of a password; false when the person has another one than was read, or was deleted. */
async function replaceHash(
  db: Kysely<StateTables>,
  { id, password_hash: read }: PersonRow,
  password_hash: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ password_hash })
    .where('id', '=', id)
    .where('password_hash', read === null ? 'is' : '=', read)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Locks a person whose identity was confirmed: until the transaction ends nobody changes the password or deletes the account.
 * @throws HoldshortError SIGN_IN_FAILED when the password was changed since the person was read; NOT_FOUND when the account was deleted
 */
export async function lockPerson(transaction: Kysely<StateTables>, person: PersonRow): Promise<void> {
  await lockAccount(transaction, person.account_id)
  if (!(await replaceHash(transaction, person, person.password_hash))) throw passwordChanged()
}

const passwordChanged = () =>
  new HoldshortError('SIGN_IN_FAILED', 'the password was changed meanwhile; sign in with it')

/**
 * Sets a password and signs out all browsers of the person except `except` (the hash of a session). Returns the person as stored then.
 * @throws HoldshortError SIGN_IN_FAILED when the password was changed since the person's identity was confirmed
 */
export async function setPassword(
  state: State,
  person: PersonRow,
  password_hash: string,
  by: Actor,
  now: number,
  except?: string,
): Promise<PersonRow> {
  await transactionInTurn(state, person.account_id, async (transaction) => {
    await lockAccount(transaction, person.account_id)
    if (!(await replaceHash(transaction, person, password_hash))) throw passwordChanged()
    await endAllSessions({ db: transaction }, person.id, except)
    await recordAuditEntry(transaction, person.account_id, 'password_changed', by, now)
  })
  return { ...person, password_hash }
}
