import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { PeriodicTask } from '../../api/dependencies.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { OPERATOR, recordAuditEntry, SERVICE } from '../audit/audit-log.ts'
import type { Plan } from './plan.ts'
import { refreshTier } from './refresh-tier.ts'

export interface GrantOrder {
  tier: Exclude<Tier, 'free'>
  /** The instant at which it ends; null when it does not end. */
  until: string | null
  /** Only the operator sees it. */
  note: string | null
}

/**
 * Grants an account a tier, by the operator, and ends its earlier grants. Its keys have the tier on the next call.
 * @throws HoldshortError NOT_FOUND for an account that was deleted
 */
export function grantPlan(
  state: State,
  account_id: string,
  { tier, until, note }: GrantOrder,
  now: number,
): Promise<Plan> {
  return state.changeAccess(async (transaction) => {
    const present = transaction.selectFrom('accounts').select('id').where('id', '=', account_id)
    if (!(await present.where('deleted_at', 'is', null).executeTakeFirst()))
      throw new HoldshortError('NOT_FOUND', `${account_id} was deleted`)
    await endGrants(transaction, account_id, now)
    const granted_at = new Date(now).toISOString()
    await transaction
      .insertInto('grants')
      .values({ id: `grant_${randomUUID()}`, account_id, tier, granted_at, until, ended_at: null, note })
      .execute()
    await recordAuditEntry(transaction, account_id, 'plan_granted', OPERATOR, now, { tier, until })
    return refreshTier(transaction, account_id, OPERATOR, now)
  })
}

/**
 * Ends an account's grant; its own subscription stays.
 * @throws HoldshortError NOT_FOUND when the account has no active grant
 */
export function revokeGrant(state: State, account_id: string, now: number): Promise<Plan> {
  return state.changeAccess(async (transaction) => {
    if ((await endGrants(transaction, account_id, now)) === 0)
      throw new HoldshortError('NOT_FOUND', `${account_id} has no active grant`)
    await recordAuditEntry(transaction, account_id, 'plan_grant_ended', OPERATOR, now, { reason: 'revoked' })
    return refreshTier(transaction, account_id, OPERATOR, now)
  })
}

async function endGrants(transaction: Kysely<StateTables>, account_id: string, now: number): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('grants')
    .set({ ended_at: new Date(now).toISOString() })
    .where('account_id', '=', account_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Ends expired grants; each account falls to its remaining plan. */
export async function endExpiredGrants({ state }: { state: State }, now: number): Promise<void> {
  const ended_at = new Date(now).toISOString()
  const expired = await state.db
    .selectFrom('grants')
    .select(['id', 'account_id', 'tier'])
    .where('ended_at', 'is', null)
    .where('until', '<=', ended_at)
    .execute()
  for (const { id, account_id, tier } of expired)
    await state.changeAccess(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('grants')
        .set({ ended_at })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      // Another process has already ended it.
      if (numUpdatedRows === 0n) return
      await recordAuditEntry(transaction, account_id, 'plan_grant_ended', SERVICE, now, { reason: 'expired', tier })
      await refreshTier(transaction, account_id, SERVICE, now)
    })
}

export const endExpiredGrantsTask: PeriodicTask = {
  name: 'end expired grants',
  every_ms: 30_000,
  by_age: true,
  run: endExpiredGrants,
}
