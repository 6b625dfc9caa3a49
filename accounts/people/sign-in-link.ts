import { createHash, randomBytes } from 'node:crypto'
import { futureFrom } from '../../api/state/from-future.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import { findByHash } from '../../api/state/peppers.ts'
import type { State } from '../../api/state/state.ts'
import type { PersonRow } from '../../api/state/tables.ts'
import { OPERATOR, recordAuditEntry } from '../audit/audit-log.ts'
import { personByEmail, personById } from './people.ts'

const VALID_MS = 15 * 60_000
const KIND = 'sign-in-link'

/** Creates a token that signs in the person with an email once, within 15 minutes and until the password is changed; null for an unknown email. */
export async function makeSignInToken(
  { db, pepper }: State,
  email: string,
  now: number,
): Promise<{ token: string; expires_at: string } | null> {
  const person = await personByEmail(db, email)
  if (!person) return null
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now + VALID_MS).toISOString()
  await db.transaction().execute(async (transaction) => {
    const payload = JSON.stringify({ person_id: person.id, password: passwordMark(person) })
    await transaction
      .insertInto('challenges')
      .values({ hash: keyedHash(token, pepper), kind: KIND, payload, expires_at })
      .execute()
    await recordAuditEntry(transaction, person.account_id, 'sign_in_link_made', OPERATOR, now)
  })
  return { token, expires_at }
}

/**
 * Consumes a sign-in token and returns its person; null for a token that is unknown, used, expired or older than the password.
 * `check` may refuse the person, which leaves the token as it was.
 */
export async function consumeSignInToken(
  state: State,
  token: string,
  now: number,
  check: (person: PersonRow) => void = () => undefined,
): Promise<PersonRow | null> {
  return state.db.transaction().execute(async (db) => {
    const person = await spendToken({ ...state, db }, token, now)
    if (person) check(person)
    return person
  })
}

async function spendToken({ db, peppers }: State, token: string, now: number): Promise<PersonRow | null> {
  const spent = await findByHash(token, peppers, (hashes) =>
    db
      .deleteFrom('challenges')
      .where('hash', 'in', hashes)
      .where('kind', '=', KIND)
      .where('expires_at', '>', new Date(now).toISOString())
      .where('expires_at', '<=', futureFrom(now + VALID_MS))
      .returning('payload')
      .executeTakeFirst(),
  )
  if (!spent) return null
  const { person_id, password } = JSON.parse(spent.payload) as { person_id: string; password: string }
  const person = await personById(db, person_id)
  return person && passwordMark(person) === password ? person : null
}

/** What a link remembers of the password that it was made beside, so that it ends with the next one. */
const passwordMark = ({ password_hash }: PersonRow): string =>
  createHash('sha256')
    .update(password_hash ?? '')
    .digest('base64url')
