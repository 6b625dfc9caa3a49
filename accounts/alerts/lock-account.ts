import type { Kysely } from 'kysely'
import type { StateTables } from '../../api/state/tables.ts'

/**
 * Serialises transactions that count what an account has, by writing its row: both databases let one transaction do so at a
 * time. It must be the first statement of the transaction.
 */
export async function lockAccount(transaction: Kysely<StateTables>, account_id: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', account_id)
    .execute()
}
