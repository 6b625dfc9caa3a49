import type { Kysely } from 'kysely'
import type { StateTables } from '../../state/tables.ts'

/**
 * Makes transactions that count what an account has wait for each other: a write of its row, which both kinds of database
 * let one transaction do at a time. It must be the first statement of the transaction.
 */
export async function lockAccount(transaction: Kysely<StateTables>, account_id: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', account_id)
    .execute()
}
