import type Stripe from 'stripe'
import type { PeriodicTask } from '../../api/dependencies.ts'
import { monthBefore, monthOf } from '../../api/gate/billing-month.ts'
import { callsOfMonth } from '../../api/gate/usage.ts'
import type { State } from '../../api/state/state.ts'
import type { OverageReportRow } from '../../api/state/tables.ts'
import { once } from '../../config/once.ts'
import { TIERS } from '../../config/tiers.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { ensureOverageRow, findOverageRow, meterOf, overageCalls } from './overage.ts'
import { callStripe, isStripeError, openStripeBilling, type StripeBilling } from './stripe-client.ts'

/** Stripe recognises a repeated identifier for at least a day. After this time an uncertain report is not repeated. */
const IDENTIFIER_LIFETIME_MS = 20 * HOUR_MS

interface BilledSubscription {
  account_id: string
  customer_id: string
  /** Calls that the account's current tier includes. */
  included: number
  meter: string
  /** When the reported calls count, in seconds since 1970; null: when they are reported. */
  timestamp: number | null
}

/**
 * Reports the calls beyond the month's allowance to Stripe's meters, each call once. What is about to be reported is stored
 * first, under an identifier that Stripe recognises, so that a process killed in between repeats the report instead of counting
 * again. The columns `telling` and `telling_since` hold a report whose outcome is not known yet.
 */
export async function reportOverage(
  { settings, state, logger }: Pick<AccountDependencies, 'settings' | 'state' | 'logger'>,
  now: number,
): Promise<void> {
  const billing = await openStripeBilling(settings)
  if (!billing || !Object.values(billing.offers).some(({ overage }) => overage)) return
  const reporter = { state, billing, logger, requireAnswer: once(() => requireAnswer(billing.stripe, logger)) }
  for (const billed of await billedSubscriptions(state, billing))
    try {
      await reportMonths(reporter, billed, now)
    } catch (error) {
      logger?.error({ err: error, account: billed.account_id }, 'overage could not be reported; it is retried')
    }
}

/**
 * Asks whether Stripe answers at all: a report that was begun and whose outcome stays unknown is dropped, so none is begun while
 * Stripe is away or takes no key of ours, and the calls wait.
 * @throws HoldshortError STRIPE_FAILED
 */
const requireAnswer = (stripe: Stripe, logger: Reporter['logger']) =>
  callStripe(logger, stripe.subscriptions.list({ limit: 1 }))

/**
 * Reports the last calls of a subscription that Stripe has ended, while it is still stored as it was before: those since the last report
 * belong to its last invoice, which Stripe keeps open for an hour. `ended_at` is the end, in seconds since 1970.
 */
export async function reportLastCalls(
  reporter: Omit<Reporter, 'requireAnswer'>,
  account_id: string,
  now: number,
  ended_at: number | null,
): Promise<void> {
  const [ended] = await billedSubscriptions(reporter.state, reporter.billing, account_id)
  // Usage counts in the period in which it falls, and the end is no longer part of the last one.
  if (!ended) return
  try {
    const timestamp = ended_at === null ? null : ended_at - 1
    // Stripe has just answered: it said that the subscription has ended.
    await reportMonths({ ...reporter, requireAnswer: async () => undefined }, { ...ended, timestamp }, now)
  } catch (error) {
    reporter.logger?.error(
      { err: error, account: account_id },
      'the last calls of an ended subscription could not be reported; they are not billed',
    )
  }
}

async function reportMonths(reporter: Reporter, billed: BilledSubscription, now: number): Promise<void> {
  const { db } = reporter.state
  // Before anything is reported, so that the month has its highest quota although Stripe is away.
  const row = await ensureOverageRow(db, billed.account_id, monthOf(now), billed.included)
  // Its last calls are due after its end, and much later where Stripe or this service was away then.
  const closing = await findOverageRow(db, billed.account_id, monthBefore(now))
  if (closing) await reportMonth(reporter, billed, closing, now)
  await reportMonth(reporter, billed, row, now)
}

export const reportOverageTask: PeriodicTask = {
  name: 'report overage',
  every_ms: HOUR_MS / 4,
  by_age: true,
  run: reportOverage,
}

/** The subscriptions with a meter, of all accounts or of one. */
async function billedSubscriptions(
  { db }: State,
  { offers }: StripeBilling,
  account_id?: string,
): Promise<BilledSubscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .selectAll('subscriptions')
    .select('accounts.tier as account_tier')
    .where('subscriptions.tier', 'is not', null)
    .$if(account_id !== undefined, (query) => query.where('subscriptions.account_id', '=', account_id!))
    .execute()
  return rows.flatMap((row) => {
    const meter = meterOf(row, offers)
    const { account_id, customer_id, account_tier } = row
    return meter === null
      ? []
      : [{ account_id, customer_id, included: TIERS[account_tier].calls_per_month, meter, timestamp: null }]
  })
}

interface Reporter {
  state: State
  billing: StripeBilling
  logger: AccountDependencies['logger']
  /** Called before a report is begun. @throws HoldshortError STRIPE_FAILED */
  requireAnswer: () => Promise<unknown>
}

async function reportMonth(
  { state, billing, logger, requireAnswer }: Reporter,
  billed: BilledSubscription,
  row: OverageReportRow,
  now: number,
) {
  const { account_id, month, calls: reported } = row
  let { telling, telling_since } = row
  if (telling === null) {
    const total = overageCalls(await callsOfMonth(state.db, account_id, month), row)
    if (total === reported) return
    await requireAnswer()
    telling_since = new Date(now).toISOString()
    if (!(await replaceRow(state, row, { calls: reported, telling: total, telling_since }))) return
    telling = total
  }
  const value = telling - reported
  const outcome =
    now - Date.parse(telling_since!) > IDENTIFIER_LIFETIME_MS
      ? 'unknown'
      : await sendMeterEvent(billing.stripe, billed, {
          identifier: `${account_id}:${month}:${reported}-${telling}`,
          value,
        })
  if (outcome !== 'reported') logger?.error({ account: account_id, month, value }, OUTCOMES[outcome])
  // An earlier attempt may have succeeded although this one was refused.
  if (outcome === 'refused' && row.telling !== null) return
  const calls = outcome === 'refused' ? reported : telling
  await replaceRow(state, { ...row, telling }, { calls, telling: null, telling_since: null })
}

const OUTCOMES = {
  unknown:
    'it is not known whether Stripe received these calls; they are not reported again, so that none is billed twice',
  refused:
    'Stripe refused the report of these calls, which is retried; check that the meter exists and that the key may write meter events',
}

/** Updates a row unless another process has changed it since it was read. */
async function replaceRow(
  { db }: State,
  { account_id, month, calls, telling }: OverageReportRow,
  next: Pick<OverageReportRow, 'calls' | 'telling' | 'telling_since'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('overage_reports')
    .set(next)
    .where('account_id', '=', account_id)
    .where('month', '=', month)
    .where('calls', '=', calls)
    .where('telling', telling === null ? 'is' : '=', telling)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Errors with which Stripe says that it has not taken an event. */
const REFUSALS = /^Stripe(InvalidRequest|Authentication|Permission|RateLimit)Error$/

/** @throws StripeError when it is not known whether Stripe received the event */
async function sendMeterEvent(
  stripe: Stripe,
  { customer_id, meter, timestamp }: BilledSubscription,
  { identifier, value }: { identifier: string; value: number },
): Promise<'reported' | 'refused'> {
  const payload = { stripe_customer_id: customer_id, value: String(value) }
  const event: Stripe.Billing.MeterEventCreateParams = { event_name: meter, identifier, payload }
  if (timestamp !== null) event.timestamp = timestamp
  try {
    // Without retries of the library, so that a refusal is the answer to the only attempt.
    await stripe.billing.meterEvents.create(event, { maxNetworkRetries: 0 })
    return 'reported'
  } catch (error) {
    if (!isStripeError(error, REFUSALS)) throw error
    return /already exists with identifier/.test(error.message) ? 'reported' : 'refused'
  }
}
