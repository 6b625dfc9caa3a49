import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import { DAY_MS } from '../../../config/domain.ts'
import { HoldshortError } from '../../../config/errors.ts'
import type { StateTables, SubscriptionRow } from '../../state/tables.ts'
import { recordAuditEntry, STRIPE } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { includeCallsSoFar } from './overage-rows.ts'
import { givesTier } from './plan-of.ts'
import { refreshTier } from './set-tier.ts'
import { asked, isStripeError, type Shop } from './shop.ts'
import { type KeptSubscription, subscriptionOf } from './subscription-of.ts'

/** An event of Stripe, as far as it matters: that something of a customer has changed. */
export interface CustomerEvent {
  id: string
  type: string
  /** When Stripe made it. */
  created_at: string
  invoice_id: string | null
}

/** Writers that come between reading Stripe and writing it down, at most, before this is given up. */
const MOST_TRIES = 10
/** Stripe sends an event again for three days. */
const EVENTS_KEPT_MS = 30 * DAY_MS

/**
 * Writes down what Stripe now says of a customer, and brings the account's tier up to it. Events may come late, twice and
 * in any order, so none is believed: each only makes us read Stripe again. Who has read before another has written may
 * not write, and reads again; so the last to write has read last. An event's effect and its id are written together.
 * Returns null for a customer that is none of ours.
 * @throws HoldshortError STRIPE_FAILED when Stripe cannot be read.
 */
export async function synchronise(
  { state, logger, clock = Date.now }: Pick<AccountDependencies, 'state' | 'logger' | 'clock'>,
  shop: Shop,
  customer: string,
  event: CustomerEvent | null = null,
): Promise<SubscriptionRow | null> {
  const { db } = state
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await db
      .selectFrom('subscriptions')
      .selectAll()
      .where('customer_id', '=', customer)
      .executeTakeFirst()
    if (!before || (event && (await isWorkedOff(db, event)))) return before ?? null
    const all = await asked(logger, subscriptionsOf(shop.stripe, customer))
    const invoice = event?.invoice_id ? await asked(logger, shop.stripe.invoices.retrieve(event.invoice_id)) : null
    const after = subscriptionOf(all, shop.offers)
    if (after.status !== 'none' && after.tier === null)
      logger?.warn({ subscription: after.subscription_id }, 'a subscription has no price of ours; it gives no tier')
    const now = clock()
    const written = await state.changeAccess(async (transaction) => {
      const row = await writeAfter(transaction, before, after, now)
      if (!row) return null
      if (event) await workOff(transaction, event, now)
      if (invoice) await writeInvoice(transaction, before.account_id, invoice, event?.type ?? '', now)
      if (!givesTier(before) && givesTier(row)) await includeCallsSoFar(transaction, before.account_id, now)
      await refreshTier(transaction, before.account_id, STRIPE, now)
      return row
    })
    if (written) return written
  }
  throw new HoldshortError('STRIPE_FAILED', 'the subscription changes faster than it can be read; try again')
}

async function subscriptionsOf(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    return (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data
  } catch (error) {
    // A customer whom the operator has deleted at Stripe has no subscription any more.
    if (isStripeError(error) && error.code === 'resource_missing') return []
    throw error
  }
}

async function writeAfter(
  transaction: Kysely<StateTables>,
  before: SubscriptionRow,
  after: KeptSubscription,
  now: number,
): Promise<SubscriptionRow | null> {
  const as_of = new Date(Math.max(now, Date.parse(before.as_of) + 1)).toISOString()
  const { numUpdatedRows } = await transaction
    .updateTable('subscriptions')
    .set({ ...after, as_of })
    .where('account_id', '=', before.account_id)
    .where('as_of', '=', before.as_of)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { ...before, ...after, as_of } : null
}

async function isWorkedOff(db: Kysely<StateTables>, { id }: CustomerEvent): Promise<boolean> {
  return (await db.selectFrom('stripe_events').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Marks an event as worked off. It was not: who has worked it off meanwhile has written the row too. */
async function workOff(
  transaction: Kysely<StateTables>,
  { id, type, created_at }: CustomerEvent,
  now: number,
): Promise<void> {
  const forgotten = new Date(now - EVENTS_KEPT_MS).toISOString()
  await transaction.deleteFrom('stripe_events').where('received_at', '<', forgotten).execute()
  const received_at = new Date(now).toISOString()
  await transaction.insertInto('stripe_events').values({ id, type, created_at, received_at }).execute()
}

async function writeInvoice(
  transaction: Kysely<StateTables>,
  account_id: string,
  { id, number, created, total, amount_due, currency, status, hosted_invoice_url }: Stripe.Invoice,
  event_type: string,
  now: number,
): Promise<void> {
  const changing = {
    number,
    amount_cents: total,
    currency,
    status: status ?? 'draft',
    hosted_url: hosted_invoice_url ?? null,
    as_of: new Date(now).toISOString(),
  }
  await transaction
    .insertInto('invoices')
    .values({ id, account_id, issued_at: new Date(created * 1000).toISOString(), ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute()
  if (event_type !== 'invoice.payment_failed') return
  const detail = { invoice_id: id, number, amount_cents: amount_due, currency }
  await recordAuditEntry(transaction, account_id, 'payment_failed', STRIPE, now, detail)
}
