import type { Tier } from '../../../config/domain.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { Gate } from '../../data/gate/admission.ts'
import { overageOf } from '../../data/gate/billing-month.ts'
import { callsOfMonth, usageByDay, usageByEndpoint } from '../../data/gate/usage.ts'
import type { Visitor } from '../../site/pages/visitor.ts'
import type { State } from '../../state/state.ts'
import type { ConnectionRow, InvoiceRow } from '../../state/tables.ts'
import { overageCalls } from '../billing/overage.ts'
import { listConnections } from '../oauth/connections.ts'
import { type ShownMonths, shownMonths } from './months.ts'
import { type OwnKey, ownKeys } from './own-keys.ts'

const NEWEST_INVOICES = 24
/** In Stripe's words. */
const PAYMENT_DUE = new Set(['past_due', 'unpaid', 'incomplete'])

/** All that the dashboard shows of an account. */
export interface Overview {
  account: { id: string; created_at: string; tier: Tier }
  email: string
  /** Calls of this month, whatever month is looked at. */
  calls: number
  /** Those of them that are metered beyond the plan's. */
  overage_calls: number
  /** Whether Stripe waits for a payment. */
  payment_due: boolean
  /** Whether it was ever billed a call. */
  called: boolean
  months: ShownMonths
  by_day: { day: string; calls: number }[]
  by_endpoint: { endpoint: string; calls: number }[]
  keys: OwnKey[]
  connections: ConnectionRow[]
  invoices: InvoiceRow[]
  now: number
}

/**
 * Reads it, with every call up to now counted.
 * @throws ParameterError for a month that cannot be looked at.
 */
export async function readOverview(
  { db }: State,
  gate: Gate,
  { account_id, email }: Visitor,
  month: unknown,
  now: number,
): Promise<Overview> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'created_at', 'tier'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const months = shownMonths(month, account.created_at, now)
  await gate.flush(now)
  const used = await db.selectFrom('usage').select('day').where('account_id', '=', account_id).limit(1).execute()
  const calls = await callsOfMonth(db, account_id, months.latest)
  // What is billed: Stripe is told by this row, where there is one.
  const report = await db
    .selectFrom('overage_reports')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('month', '=', months.latest)
    .executeTakeFirst()
  const subscription = await db
    .selectFrom('subscriptions')
    .select('status')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return {
    account,
    email,
    months,
    now,
    called: used.length > 0,
    calls,
    overage_calls: report ? overageCalls(calls, report) : overageOf(calls, TIERS[account.tier]).overage_calls,
    payment_due: PAYMENT_DUE.has(subscription?.status ?? ''),
    by_day: await usageByDay(db, account_id, months.wanted),
    by_endpoint: await usageByEndpoint(db, account_id, months.wanted),
    keys: await ownKeys(db, account_id),
    connections: await listConnections(db, account_id),
    invoices: await db
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', account_id)
      .orderBy('issued_at', 'desc')
      .orderBy('id')
      .limit(NEWEST_INVOICES)
      .execute(),
  }
}
