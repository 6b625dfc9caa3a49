import type { Kysely } from 'kysely'
import { monthBefore, monthOf } from '../../api/gate/billing-month.ts'
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

/** The overage row of an account and month. Without one there was no subscription with a meter in that month. */
export function findOverageRow(
  db: Kysely<StateTables>,
  account_id: string,
  month: string,
): Promise<OverageReportRow | undefined> {
  const rows = db.selectFrom('overage_reports').selectAll().where('account_id', '=', account_id)
  return rows.where('month', '=', month).executeTakeFirst()
}

/** Includes the calls so far: those made before a subscription with a meter began, or began again, are not billed. */
export async function includeCallsSoFar(transaction: Kysely<StateTables>, account_id: string, now: number) {
  await includeCallsOf(transaction, account_id, monthOf(now))
  const before = monthBefore(now)
  if (await findOverageRow(transaction, account_id, before)) await includeCallsOf(transaction, account_id, before)
}

async function includeCallsOf(transaction: Kysely<StateTables>, account_id: string, month: string): Promise<void> {
  const calls = await callsOfMonth(transaction, account_id, month)
  const { calls: reported } = await ensureOverageRow(transaction, account_id, month, 0)
  await ensureOverageRow(transaction, account_id, month, calls - reported)
}

const CALLS_NOT_REPORTED = `(SELECT coalesce(sum(calls), 0) FROM usage
   WHERE usage.account_id = overage_reports.account_id AND day BETWEEN month || '-01' AND month || '-31')
  - coalesce(telling, overage_reports.calls)`

/**
 * SQL for a state that was put back from a backup: includes the calls that it does not know to be reported, because Stripe may have
 * received them since and would bill them twice. A report whose outcome it does not know is repeated under its identifier. An account
 * without a row has no such calls: no plan allows its whole month within the quarter of an hour between two reports.
 */
export const INCLUDE_UNREPORTED_CALLS = `UPDATE overage_reports SET included_calls = ${CALLS_NOT_REPORTED}
  WHERE included_calls < ${CALLS_NOT_REPORTED}`

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
