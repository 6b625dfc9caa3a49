import type { Kysely } from 'kysely'
import { DAY_MS } from '../../../config/domain.ts'
import { keyedHash } from '../../state/key-format.ts'
import type { StateTables } from '../../state/tables.ts'

const KIND = 'spent_form'
/** As long as a browser can stay signed in, and with it the token of a form be good. */
const KEPT_MS = 30 * DAY_MS

/**
 * Marks a form as sent, by the token of its page; false when it has been before, as by loading its answer again. Inside
 * the transaction that does what the form asks for, so that a form whose wish was refused may be sent once more.
 */
export async function spendForm(
  transaction: Kysely<StateTables>,
  pepper: string,
  token: string,
  now: number,
): Promise<boolean> {
  const row = { hash: keyedHash(`form ${token}`, pepper), kind: KIND, payload: '{}' }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('challenges')
    .values({ ...row, expires_at: new Date(now + KEPT_MS).toISOString() })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  await transaction
    .deleteFrom('challenges')
    .where('kind', '=', KIND)
    .where('expires_at', '<', new Date(now).toISOString())
    .execute()
  return numInsertedOrUpdatedRows === 1n
}
