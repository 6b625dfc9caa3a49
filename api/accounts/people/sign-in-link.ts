import { randomBytes } from 'node:crypto'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import type { PersonRow } from '../../state/tables.ts'
import { OPERATOR, recordAuditEntry } from '../audit/audit-log.ts'
import { personByEmail, personById } from './people.ts'

const VALID_MS = 15 * 60_000
const KIND = 'sign-in-link'

/** A token that signs the person of an email in once, within 15 minutes; null for an email that nobody has here. */
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
    const payload = JSON.stringify({ person_id: person.id })
    await transaction
      .insertInto('challenges')
      .values({ hash: keyedHash(token, pepper), kind: KIND, payload, expires_at })
      .execute()
    await recordAuditEntry(transaction, person.account_id, 'sign_in_link_made', OPERATOR, now)
  })
  return { token, expires_at }
}

/** Whom a token signs in, uses it up; null for one that is unknown, used or over. */
export async function spendSignInToken({ db, pepper }: State, token: string, now: number): Promise<PersonRow | null> {
  const spent = await db
    .deleteFrom('challenges')
    .where('hash', '=', keyedHash(token, pepper))
    .where('kind', '=', KIND)
    .where('expires_at', '>', new Date(now).toISOString())
    .returning('payload')
    .executeTakeFirst()
  if (!spent) return null
  const { person_id } = JSON.parse(spent.payload) as { person_id: string }
  return (await personById(db, person_id)) ?? null
}
