import type { Kysely } from 'kysely'
import type { Tier } from '../../../config/domain.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { Actor } from '../../state/actor.ts'
import type { StateTables } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { type Plan, planOf } from './plan-of.ts'

/**
 * Brings an account's tier up to what its grants and its subscription come to; to be called inside `changeAccess`, after
 * either of them was written. Returns the plan.
 */
export async function refreshTier(
  transaction: Kysely<StateTables>,
  account_id: string,
  by: Actor,
  now: number,
): Promise<Plan> {
  // Writing comes first: of two at once the second then reads what the first has written.
  const account = await transaction
    .updateTable('accounts')
    .set(({ ref }) => ({ tier: ref('tier') }))
    .where('id', '=', account_id)
    .returning('tier')
    .executeTakeFirstOrThrow()
  const grants = await transaction.selectFrom('grants').selectAll().where('account_id', '=', account_id).execute()
  const subscription = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  const plan = planOf(grants, subscription ?? null, now)
  if (plan.tier !== account.tier) await setTier(transaction, account_id, { from: account.tier, to: plan.tier }, by, now)
  return plan
}

/** The one place that an account's tier is changed. */
async function setTier(
  transaction: Kysely<StateTables>,
  account_id: string,
  { from, to }: { from: Tier; to: Tier },
  by: Actor,
  now: number,
): Promise<void> {
  await transaction.updateTable('accounts').set({ tier: to }).where('id', '=', account_id).execute()
  await recordAuditEntry(transaction, account_id, 'plan_changed', by, now, { from, to })
  if (to !== 'free') await trimKeys(transaction, account_id, TIERS[to].max_keys, by, now)
}

/** Revokes the newest keys beyond the tier's number. */
async function trimKeys(
  transaction: Kysely<StateTables>,
  account_id: string,
  most: number,
  by: Actor,
  now: number,
): Promise<void> {
  const keys = await transaction
    .selectFrom('keys')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  for (const { id, name } of keys.slice(most)) {
    await transaction
      .updateTable('keys')
      .set({ revoked_at: new Date(now).toISOString() })
      .where('id', '=', id)
      .execute()
    await recordAuditEntry(transaction, account_id, 'key_revoked', by, now, { key_id: id, name, reason: 'plan' })
  }
}
