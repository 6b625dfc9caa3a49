import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import { monthOf } from '../../api/gate/billing-month.ts'
import { futureFrom } from '../../api/state/from-future.ts'
import type { StateTables, SubscriptionRow } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import { TIERS } from '../../config/tiers.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { recordAuditEntry, STRIPE } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { ensureOverageRow, includeCallsSoFar, meterOf } from './overage.ts'
import { grantsTier } from './plan.ts'
import { refreshTier } from './refresh-tier.ts'
import { reportLastCalls } from './report-overage.ts'
import { callStripe, isStripeError, type StripeBilling } from './stripe-client.ts'
import { type StoredSubscription, storedSubscription } from './stripe-subscription.ts'

/** A Stripe event, reduced to the fact that something of a customer has changed. */
export interface CustomerEvent {
  id: string
  type: string
  /** When Stripe created it. */
  created_at: string
  /** Id of the object in the event: a subscription, a checkout session, an invoice. */
  object_id: string
}

/** Why a subscription is read. */
interface Reason {
  event?: CustomerEvent | null
  /**
   * A periodic check without an event. A customer unknown to Stripe then keeps the plan: the keys may be of another mode. With
   * an event, the operator has deleted the customer.
   */
  isRoutine?: boolean
}

/** How often another writer may overtake this one before it gives up. */
const MAX_ATTEMPTS = 10
/** Stripe repeats an event for up to three days; ids are remembered longer. */
const EVENT_RETENTION_MS = 30 * DAY_MS

/**
 * Reads a customer's subscription from Stripe, stores it and refreshes the account's tier. Events may arrive late, twice and
 * in any order, so their content is not used: each one only triggers this read. A caller whose read was overtaken by another
 * write reads again, so the last write follows the last read. The effect of an event and its id are written together.
 * Returns null for an unknown customer.
 * @throws HoldshortError STRIPE_FAILED when Stripe cannot be read
 */
export async function synchroniseSubscription(
  { state, logger, clock = Date.now }: Pick<AccountDependencies, 'state' | 'logger' | 'clock'>,
  billing: StripeBilling,
  customer: string,
  { event = null, isRoutine = false }: Reason = {},
): Promise<SubscriptionRow | null> {
  const { db } = state
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('customer_id', '=', customer)
      .executeTakeFirst()
    if (!before || (event && (await isRecorded(db, event)))) return before ?? null
    const subscriptions = await callStripe(logger, listSubscriptions(billing.stripe, customer))
    const isKept = subscriptions === null && isRoutine
    if (isKept) logger?.warn({ customer }, 'Stripe does not know this customer; the stored plan stays')
    const after = isKept ? storedOf(before) : storedSubscription(subscriptions ?? [], billing.offers)
    if (after.status !== 'none' && after.tier === null)
      logger?.warn({ subscription: after.subscription_id }, 'a subscription has no known price, so it grants no tier')
    const now = clock()
    if (meterOf(before, billing.offers) !== null && !grantsTier(after)) {
      const ended_at = subscriptions?.find(({ id }) => id === before.subscription_id)?.ended_at ?? null
      await reportLastCalls({ state, billing, logger }, before.account_id, now, ended_at)
    }
    const written = await state.changeAccess(async (transaction) => {
      const row = await replaceSubscription(transaction, before, after, now)
      if (!row) return null
      if (event) await recordEvent(transaction, event, now)
      if (event?.type === 'invoice.payment_failed') {
        const detail = { invoice_id: event.object_id }
        await recordAuditEntry(transaction, before.account_id, 'payment_failed', STRIPE, now, detail)
      }
      const isMetered = (subscription: SubscriptionRow) => meterOf(subscription, billing.offers) !== null
      const { tier } = await refreshTier(transaction, before.account_id, STRIPE, now)
      if (isMetered(row)) {
        if (!isMetered(before)) await includeCallsSoFar(transaction, before.account_id, now)
        // The month may end before the next report.
        await ensureOverageRow(transaction, before.account_id, monthOf(now), TIERS[tier].calls_per_month)
      }
      return row
    })
    if (written) return written
  }
  throw new HoldshortError('STRIPE_FAILED', 'the subscription changes faster than it can be read; try again')
}

/** All subscriptions of a customer; null if Stripe has no such customer. */
async function listSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[] | null> {
  try {
    return (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  } catch (error) {
    if (isStripeError(error) && error.code === 'resource_missing') return null
    throw error
  }
}

const storedOf = (row: SubscriptionRow): StoredSubscription => ({
  subscription_id: row.subscription_id,
  tier: row.tier,
  status: row.status,
  current_period_end: row.current_period_end,
  cancel_at_period_end: row.cancel_at_period_end,
})

async function replaceSubscription(
  transaction: Kysely<StateTables>,
  before: SubscriptionRow,
  after: StoredSubscription,
  now: number,
): Promise<SubscriptionRow | null> {
  // An instant of a clock that was ahead would keep the row from being read again until then.
  const isFuture = before.as_of > futureFrom(now)
  const as_of = new Date(isFuture ? now : Math.max(now, Date.parse(before.as_of) + 1)).toISOString()
  const { numUpdatedRows } = await transaction
    .updateTable('subscriptions')
    .set({ ...after, as_of })
    .where('account_id', '=', before.account_id)
    .where('as_of', '=', before.as_of)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { ...before, ...after, as_of } : null
}

async function isRecorded(db: Kysely<StateTables>, { id }: CustomerEvent): Promise<boolean> {
  return (await db.selectFrom('stripe_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Records that an event was applied. A concurrent caller that applied it has also changed the row, so this write fails then. */
async function recordEvent(
  transaction: Kysely<StateTables>,
  { id, type, created_at }: CustomerEvent,
  now: number,
): Promise<void> {
  const oldest = new Date(now - EVENT_RETENTION_MS).toISOString()
  await transaction.deleteFrom('stripe_events').where('received_at', '<', oldest).execute()
  const received_at = new Date(now).toISOString()
  await transaction.insertInto('stripe_events').values({ id, type, created_at, received_at }).execute()
}
