import type { Kysely } from 'kysely'
import { HoldshortError } from '../../config/errors.ts'
import type { StateTables } from './tables.ts'

/**
 * Serialises transactions that write what belongs to an account, by writing its row: both databases let one transaction do so at a
 * time. What is counted or compared must be read after it.
 * @throws HoldshortError NOT_FOUND for an account that was deleted since the caller was admitted: nothing of it is stored any more
 */
export async function lockAccount(transaction: Kysely<StateTables>, account_id: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', account_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw accountDeleted()
}

/** The error for a write in the name of an account that was deleted. */
export const accountDeleted = () => new HoldshortError('NOT_FOUND', 'this account was deleted; nothing was stored')
