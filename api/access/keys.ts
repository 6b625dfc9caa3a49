import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tier } from '../../config/domain.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { TIERS } from '../../config/tiers.ts'
import type { State } from '../state/open.ts'
import type { KeyRow, StateTables } from '../state/tables.ts'
import { KEY_PREFIXES, type KeyKind, keyedHash, newKey } from './key-format.ts'

/** A key just made. `key` is shown this once and cannot be recovered. */
export interface IssuedKey {
  account_id: string
  key_id: string
  key: string
  tier: Tier
}

export interface KeyOrder {
  tier: Tier
  name?: string | null
  contact_email?: string | null
  /** `agent` on the free tier, `live` on those that are bought, unless said otherwise. */
  kind?: KeyKind
}

/** Issues a key on a new account of its own; it is on the disk when this returns. */
export async function issueKey(state: State, order: KeyOrder, now: number): Promise<IssuedKey> {
  const issued = await state.db
    .transaction()
    .execute((transaction) => insertAccountWithKey(transaction, state.pepper, order, now))
  state.keysChanged()
  return issued
}

/** The same inside a transaction of the caller. */
export async function insertAccountWithKey(
  db: Kysely<StateTables>,
  pepper: string,
  order: KeyOrder,
  now: number,
): Promise<IssuedKey> {
  const account_id = `acct_${randomUUID()}`
  const created_at = new Date(now).toISOString()
  await db
    .insertInto('accounts')
    .values({ id: account_id, name: order.name ?? null, contact_email: order.contact_email ?? null, created_at })
    .execute()
  return insertKey(
    db,
    pepper,
    { account_id, tier: order.tier, kind: order.kind ?? (order.tier === 'free' ? 'agent' : 'live') },
    created_at,
  )
}

/**
 * Issues a further key on an account that has one, in the same tier.
 * @throws ParameterError for an unknown account; HoldshortError CONFLICT when the tier's number of keys is used up.
 */
export async function issueFurtherKey(state: State, accountId: string, now: number): Promise<IssuedKey> {
  const issued = await state.db.transaction().execute(async (transaction) => {
    const keys = await transaction.selectFrom('keys').selectAll().where('account_id', '=', accountId).execute()
    const active = keys.filter((key) => key.revoked_at === null)
    const model = active[0] ?? keys[0]
    if (!model) throw new ParameterError([{ parameter: 'account', message: 'no account has this id' }])
    const { max_keys, name } = TIERS[model.tier]
    if (active.length >= max_keys)
      throw new HoldshortError('CONFLICT', `the ${name} tier has up to ${max_keys} active keys; revoke one first`)
    const kind: KeyKind = model.prefix === KEY_PREFIXES.agent ? 'agent' : 'live'
    const order = { account_id: accountId, tier: model.tier, kind }
    return insertKey(transaction, state.pepper, order, new Date(now).toISOString())
  })
  state.keysChanged()
  return issued
}

async function insertKey(
  db: Kysely<StateTables>,
  pepper: string,
  order: { account_id: string; tier: Tier; kind: KeyKind },
  created_at: string,
): Promise<IssuedKey> {
  const key = newKey(order.kind)
  const key_id = `key_${randomUUID()}`
  const row: KeyRow = {
    id: key_id,
    account_id: order.account_id,
    prefix: KEY_PREFIXES[order.kind],
    last_four: key.slice(-4),
    hash: keyedHash(key, pepper),
    tier: order.tier,
    created_at,
    revoked_at: null,
  }
  await db.insertInto('keys').values(row).execute()
  return { account_id: order.account_id, key_id, key, tier: order.tier }
}

export interface ListedKey extends Omit<KeyRow, 'hash'> {
  name: string | null
}

/** All keys with the name of their account, oldest first; of the key itself only its prefix and last four. */
export function listKeys(state: State): Promise<ListedKey[]> {
  return state.db
    .selectFrom('keys')
    .innerJoin('accounts', 'accounts.id', 'keys.account_id')
    .select([
      'keys.id',
      'keys.account_id',
      'keys.prefix',
      'keys.last_four',
      'keys.tier',
      'keys.created_at',
      'keys.revoked_at',
      'accounts.name',
    ])
    .orderBy('keys.created_at')
    .orderBy('keys.id')
    .execute()
}

/**
 * Revokes a key; the very next call with it is refused. Revoking twice is the same as once.
 * With `accountId`, another account's key counts as unknown. Returns false for an unknown key.
 */
export async function revokeKey(state: State, keyId: string, now: number, accountId?: string): Promise<boolean> {
  let search = state.db.selectFrom('keys').select('id').where('id', '=', keyId)
  if (accountId !== undefined) search = search.where('account_id', '=', accountId)
  if (!(await search.executeTakeFirst())) return false
  await state.db
    .updateTable('keys')
    .set({ revoked_at: new Date(now).toISOString() })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .execute()
  state.keysChanged()
  return true
}
