import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { effectivePlan, type Plan } from './plan.ts'

/**
 * Sets an account's tier to its effective plan and returns the plan. Call it inside `changeAccess`, after a grant or the
 * subscription was written.
 */
export async function refreshTier(
  transaction: Kysely<StateTables>,
  account_id: string,
  by: Actor,
  now: number,
): Promise<Plan> {
  // The update takes the row's lock first, so a concurrent transaction reads what this one has written.
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
  const plan = effectivePlan(grants, subscription ?? null, now)
  if (plan.tier !== account.tier) await setTier(transaction, account_id, { from: account.tier, to: plan.tier }, by, now)
  return plan
}

/** Changes an account's tier. No other code does. */
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

async function trimKeys(
  transaction: Kysely<StateTables>,
  account_id: string,
  max_keys: number,
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
  for (const { id, name } of keys.slice(max_keys)) {
    await transaction
      .updateTable('keys')
      .set({ revoked_at: new Date(now).toISOString() })
      .where('id', '=', id)
      .execute()
    await recordAuditEntry(transaction, account_id, 'key_revoked', by, now, { key_id: id, name, reason: 'plan' })
  }
}
