import type { Kysely } from 'kysely'
import { flushForReading, type Gate } from '../../api/gate/admission.ts'
import { overageOf } from '../../api/gate/billing-month.ts'
import { callsOfMonth, usageByDay, usageByEndpoint } from '../../api/gate/usage.ts'
import type { State } from '../../api/state/state.ts'
import type { KeyRow, StateTables } from '../../api/state/tables.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Visitor } from '../../site/pages/visitor.ts'
import { overageCalls } from '../billing/overage.ts'
import { canStillBeCharged } from '../billing/plan.ts'
import { listConnections } from '../oauth/connections.ts'
import { shownMonths } from './months.ts'

/**
 * Reads the overview of the visitor's account, including all calls up to now. `month` is the month requested for the usage.
 * @throws ParameterError for a month that cannot be shown.
 */
export async function readOverview(
  { db }: State,
  gate: Gate,
  { account_id, email }: Visitor,
  month: unknown,
  now: number,
) {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'created_at', 'tier'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const months = shownMonths(month, account.created_at, now)
  await flushForReading(gate, now)
  const used = await db.selectFrom('usage').select('day').where('account_id', '=', account_id).limit(1).execute()
  const calls = await callsOfMonth(db, account_id, months.latest)
  // Stripe bills by this row if it exists.
  const report = await db
    .selectFrom('overage_reports')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('month', '=', months.latest)
    .executeTakeFirst()
  const subscription = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return {
    account,
    email,
    months,
    now,
    called: used.length > 0,
    /** Calls of the current month, whichever month is selected, and those metered as overage. */
    calls,
    overage_calls: report ? overageCalls(calls, report) : overageOf(calls, TIERS[account.tier]).overage_calls,
    subscription: subscription && canStillBeCharged(subscription) ? subscription : null,
    /** Calls of the selected month. */
    by_day: await usageByDay(db, account_id, months.selected),
    by_endpoint: await usageByEndpoint(db, account_id, months.selected),
    keys: await ownKeys(db, account_id),
    connections: await listConnections(db, account_id),
  }
}

/** Everything that the dashboard shows of an account. */
export type Overview = Awaited<ReturnType<typeof readOverview>>

export type OwnKey = Pick<KeyRow, 'id' | 'name' | 'prefix' | 'last_four' | 'created_at' | 'revoked_at'>

/** The keys of an account, oldest first, revoked ones too. */
export function ownKeys(db: Kysely<StateTables>, account_id: string): Promise<OwnKey[]> {
  return db
    .selectFrom('keys')
    .select(['id', 'name', 'prefix', 'last_four', 'created_at', 'revoked_at'])
    .where('account_id', '=', account_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
