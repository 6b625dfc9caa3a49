import type { Kysely } from 'kysely'
import type { KeyRow, StateTables } from '../../state/tables.ts'

export type OwnKey = Pick<KeyRow, 'id' | 'name' | 'prefix' | 'last_four' | 'created_at' | 'revoked_at'>

/** The keys of an account, oldest first. */
export function ownKeys(db: Kysely<StateTables>, account_id: string): Promise<OwnKey[]> {
  return db
    .selectFrom('keys')
    .select(['id', 'name', 'prefix', 'last_four', 'created_at', 'revoked_at'])
    .where('account_id', '=', account_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
