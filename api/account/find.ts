import { HoldshortError } from '../../config/errors.ts'
import type { State } from '../state/open.ts'

/**
 * The id of the account that an operator calls by its id, or by the email of the person who signs in to it. The contact
 * address of an agent does not count: it was never verified.
 * @throws HoldshortError NOT_FOUND
 */
export async function findAccount({ db }: Pick<State, 'db'>, called: string): Promise<string> {
  const account = await db.selectFrom('accounts').select('id').where('id', '=', called).executeTakeFirst()
  if (account) return account.id
  const person = await db
    .selectFrom('people')
    .select('account_id')
    .where('email', '=', called.trim().toLowerCase())
    .executeTakeFirst()
  if (person) return person.account_id
  throw new HoldshortError('NOT_FOUND', `account: no account has the id or the email ${called}`)
}
