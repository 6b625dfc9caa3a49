import type { Kysely } from 'kysely'
import { monthOf } from '../../api/gate/billing-month.ts'
import { callsOfMonth } from '../../api/gate/usage.ts'
import type { OverageReportRow, StateTables, SubscriptionRow } from '../../api/state/tables.ts'
import { grantsTier } from './plan.ts'
import type { StripeBilling } from './stripe-client.ts'

/** The meter to which calls of a subscription beyond its allowance are reported; null if they are not billed. */
export function meterOf(subscription: Pick<SubscriptionRow, 'tier' | 'status'>, offers: StripeBilling['offers']) {
  const { tier } = subscription
  const offer = tier === 'pro' || tier === 'enterprise' ? offers[tier] : undefined
  return grantsTier(subscription) ? (offer?.overage?.meter ?? null) : null
}

/** The overage row of an account and month, created if missing, with at least `min_included` included calls. */
export async function ensureOverageRow(
  db: Kysely<StateTables>,
  account_id: string,
  month: string,
  min_included: number,
): Promise<OverageReportRow> {
  await db
    .insertInto('overage_reports')
    .values({ account_id, month, calls: 0, included_calls: min_included, telling: null, telling_since: null })
    .onConflict((conflict) => conflict.columns(['account_id', 'month']).doNothing())
    .execute()
  const row = () => db.selectFrom('overage_reports').where('account_id', '=', account_id).where('month', '=', month)
  await db
    .updateTable('overage_reports')
    .set({ included_calls: min_included })
    .where('account_id', '=', account_id)
    .where('month', '=', month)
    .where('included_calls', '<', min_included)
    .execute()
  return row().selectAll().executeTakeFirstOrThrow()
}

/** Includes the calls so far: those made before a subscription with a meter began, or began again, are not billed. */
export async function includeCallsSoFar(transaction: Kysely<StateTables>, account_id: string, now: number) {
  const month = monthOf(now)
  const calls = await callsOfMonth(transaction, account_id, month)
  const { calls: reported } = await ensureOverageRow(transaction, account_id, month, 0)
  await ensureOverageRow(transaction, account_id, month, calls - reported)
}

/**
 * The calls of a month that are billed as overage: those above the included calls, and never fewer than were reported to Stripe.
 * `included_calls` is the allowance of the highest plan of the month, so that a downgrade bills no earlier call.
 */
export function overageCalls(
  calls: number,
  { included_calls, calls: reported }: { included_calls: number; calls: number },
) {
  return Math.max(reported, calls - included_calls)
}
