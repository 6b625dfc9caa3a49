import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import { KEY_PREFIXES, type KeyKind, keyedHash, newKey } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import type { AccountRow, KeyRow, StateTables } from '../../api/state/tables.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { OPERATOR, recordAuditEntry } from '../audit/audit-log.ts'

/** A new key. `key` is shown only once and cannot be recovered. */
export interface IssuedKey {
  account_id: string
  key_id: string
  key: string
  tier: Tier
}

export interface NewKeyOptions {
  tier: Tier
  name?: string | null
  contact_email?: string | null
}

/** Creates an account and issues its first key; both are on disk when this resolves. */
export function issueKey(state: State, order: NewKeyOptions, now: number): Promise<IssuedKey> {
  return state.changeAccess((transaction) => insertAccountWithKey(transaction, state.pepper, order, now))
}

/** Creates an account with its first key inside a transaction of the caller. */
export async function insertAccountWithKey(
  db: Kysely<StateTables>,
  pepper: string,
  order: NewKeyOptions,
  now: number,
): Promise<IssuedKey> {
  const { tier, name = null, contact_email = null } = order
  const created_at = new Date(now).toISOString()
  const account: AccountRow = { id: `acct_${randomUUID()}`, name, contact_email, created_at, tier, deleted_at: null }
  await db.insertInto('accounts').values(account).execute()
  if (tier !== 'free')
    await db
      .insertInto('grants')
      .values({
        id: `grant_${randomUUID()}`,
        account_id: account.id,
        tier,
        granted_at: created_at,
        until: null,
        ended_at: null,
        note: 'with its first key',
      })
      .execute()
  return insertKey(db, pepper, { account_id: account.id, tier, name: null }, created_at)
}

/**
 * Issues a further key of an account for the operator.
 * @throws ParameterError for an unknown account; HoldshortError CONFLICT when the account has the tier's maximum of keys.
 */
export function issueFurtherKey(
  state: State,
  accountId: string,
  now: number,
  name: string | null = null,
): Promise<IssuedKey> {
  return state.changeAccess((transaction) =>
    insertFurtherKey(transaction, state.pepper, accountId, now, name, OPERATOR),
  )
}

/** Issues a further key of an account inside a transaction of the caller. */
export async function insertFurtherKey(
  transaction: Kysely<StateTables>,
  pepper: string,
  accountId: string,
  now: number,
  name: string | null,
  by: Actor,
): Promise<IssuedKey> {
  // This update locks the account, so that of two concurrent transactions the second counts the key of the first.
  const { numUpdatedRows } = await transaction
    .updateTable('accounts')
    .set({ id: accountId })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw ParameterError.of('account', 'no account has this id')
  const { tier } = await transaction
    .selectFrom('accounts')
    .select('tier')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const keys = await transaction.selectFrom('keys').selectAll().where('account_id', '=', accountId).execute()
  const { max_keys, name: tierName } = TIERS[tier]
  if (keys.filter((key) => key.revoked_at === null).length >= max_keys)
    throw new HoldshortError('CONFLICT', `the ${tierName} tier has up to ${max_keys} active keys; revoke one first`)
  const order = { account_id: accountId, tier, name }
  const issued = await insertKey(transaction, pepper, order, new Date(now).toISOString())
  await recordAuditEntry(transaction, accountId, 'key_issued', by, now, { key_id: issued.key_id, name })
  return issued
}

/** Stores a new key: an agent's on the free tier, a developer's on paid tiers. */
async function insertKey(
  db: Kysely<StateTables>,
  pepper: string,
  { account_id, tier, name }: { account_id: string; tier: Tier; name: string | null },
  created_at: string,
): Promise<IssuedKey> {
  const kind: KeyKind = tier === 'free' ? 'agent' : 'live'
  const key = newKey(kind)
  const row: KeyRow = {
    id: `key_${randomUUID()}`,
    account_id,
    name,
    prefix: KEY_PREFIXES[kind],
    last_four: key.slice(-4),
    hash: keyedHash(key, pepper),
    created_at,
    revoked_at: null,
  }
  await db.insertInto('keys').values(row).execute()
  return { account_id, key_id: row.id, key, tier }
}

export interface ListedKey extends Omit<KeyRow, 'hash'> {
  tier: Tier
  account_name: string | null
}

/** All keys with the name and tier of their account, oldest first, without their hashes. */
export function listKeys(state: State): Promise<ListedKey[]> {
  return state.db
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.account_id')
    .select([
      'keys.id',
      'keys.account_id',
      'keys.prefix',
      'keys.last_four',
      'keys.created_at',
      'keys.revoked_at',
      'keys.name',
      'accounts.tier',
      'accounts.name as account_name',
    ])
    .orderBy('keys.created_at')
    .orderBy('keys.id')
    .execute()
}

/**
 * Revokes a key; the very next call with it is refused. Revoking a revoked key again has no effect.
 * With `accountId`, a key of another account counts as unknown. Returns false for an unknown key.
 */
export function revokeKey(
  state: State,
  keyId: string,
  now: number,
  accountId?: string,
  by: Actor = OPERATOR,
): Promise<boolean> {
  return state.changeAccess(async (transaction) => {
    let query = transaction.selectFrom('keys').select(['account_id', 'name']).where('id', '=', keyId)
    if (accountId !== undefined) query = query.where('account_id', '=', accountId)
    const key = await query.executeTakeFirst()
    if (!key) return false
    const { numUpdatedRows } = await transaction
      .updateTable('keys')
      .set({ revoked_at: new Date(now).toISOString() })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const detail = { key_id: keyId, name: key.name }
    if (numUpdatedRows > 0n) await recordAuditEntry(transaction, key.account_id, 'key_revoked', by, now, detail)
    return true
  })
}
