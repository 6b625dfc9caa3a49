import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { SubscriptionRow } from '../../api/state/tables.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { findCustomer, findOrCreateCustomer, recreateCustomer } from './customer.ts'
import { canStillBeCharged } from './plan.ts'
import { callStripe, isStripeError, type Offer, openStripeBilling, type StripeBilling } from './stripe-client.ts'
import { synchroniseSubscription } from './synchronise-subscription.ts'

/** How often a concurrent checkout may interfere before this one fails. */
const MAX_ATTEMPTS = 3

/**
 * Opens a Stripe checkout session in which an account pays for an offer, and returns its address. An account has at most one
 * payable session: opening one expires the previous one, and of two that open concurrently the first fails. Returns null when
 * the account has a subscription that may still be charged: that one is changed instead of buying a second.
 * @throws HoldshortError CONFLICT when a concurrent checkout wins, STRIPE_FAILED
 */
export async function openCheckout(
  dependencies: AccountDependencies,
  billing: StripeBilling,
  { account_id, email }: { account_id: string; email: string },
  { offer }: { offer: Offer },
): Promise<string | null> {
  for (let round = 0; round < MAX_ATTEMPTS; round++) {
    const { customer_id } = await findOrCreateCustomer(dependencies, billing, account_id, email)
    const row = await synchroniseSubscription(dependencies, billing, customer_id)
    if (!row || canStillBeCharged(row)) return null
    const attempt = randomUUID()
    // Names the previous session too, so that it is expired even if this attempt breaks off.
    const mark = `opening-${attempt} ${previousSession(row) ?? ''}`
    if (!(await replaceCheckout(dependencies, row, mark))) continue
    if (await closePreviousSession(dependencies, billing, row)) return null
    const session = await openSession(dependencies, billing, row, { offer, attempt })
    if (session === null) {
      await recreateCustomer(dependencies, billing, row, email)
      continue
    }
    if (await replaceCheckout(dependencies, { ...row, checkout: mark }, session.id)) return session.url
    await callStripe(dependencies.logger, billing.stripe.checkout.sessions.expire(session.id))
    break
  }
  throw new HoldshortError('CONFLICT', 'another checkout was opened at the same moment; continue there, or start again')
}

/**
 * Ends the open checkout of an account that is about to be deleted: who paid it later would pay for nothing. One that has been paid
 * is a subscription, which is stored.
 * @throws HoldshortError STRIPE_FAILED
 */
export async function closeCheckout(
  dependencies: Pick<AccountDependencies, 'settings' | 'state' | 'logger' | 'clock'>,
  account_id: string,
): Promise<void> {
  const billing = await openStripeBilling(dependencies.settings)
  const row = billing && (await findCustomer(dependencies.state, account_id))
  if (row) await closePreviousSession(dependencies, billing, row)
}

/** Expires the previous session, if any. Returns true when it was paid, so that the account now has a subscription. */
async function closePreviousSession(
  dependencies: Pick<AccountDependencies, 'state' | 'logger' | 'clock'>,
  billing: StripeBilling,
  row: SubscriptionRow,
): Promise<boolean> {
  const previous = previousSession(row)
  if (previous === null || !(await callStripe(dependencies.logger, expireSession(billing.stripe, previous))))
    return false
  return canStillBeCharged(await synchroniseSubscription(dependencies, billing, row.customer_id))
}

/** Returns null when the customer no longer exists at Stripe. */
async function openSession(
  { settings, logger }: AccountDependencies,
  { stripe }: StripeBilling,
  { account_id, customer_id }: SubscriptionRow,
  { offer, attempt }: { offer: Offer; attempt: string },
): Promise<Stripe.Checkout.Session | null> {
  const { site_url } = addresses(settings)
  const order: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    customer: customer_id,
    client_reference_id: account_id,
    line_items: [{ price: offer.price, quantity: 1 }, ...(offer.overage ? [{ price: offer.overage.price }] : [])],
    subscription_data: { metadata: { account_id } },
    success_url: `${site_url}/plans/bought`,
    cancel_url: `${site_url}/plans`,
  }
  const opening = stripe.checkout.sessions.create(order, { idempotencyKey: attempt })
  return callStripe(logger, opening.catch(nullIfCustomerIsGone))
}

const previousSession = ({ checkout }: SubscriptionRow) => /cs_\S+$/.exec(checkout ?? '')?.[0] ?? null

function nullIfMissing(error: unknown): null {
  if (isStripeError(error) && error.code === 'resource_missing') return null
  throw error
}

function nullIfCustomerIsGone(error: unknown): null {
  if (isStripeError(error) && error.param === 'customer') return nullIfMissing(error)
  throw error
}

/** Stores which session is open, unless another caller has changed it since the row was read. */
async function replaceCheckout({ state }: AccountDependencies, row: SubscriptionRow, next: string): Promise<boolean> {
  const { numUpdatedRows } = await state.db
    .updateTable('subscriptions')
    .set({ checkout: next })
    .where('account_id', '=', row.account_id)
    .where('checkout', row.checkout === null ? 'is' : '=', row.checkout)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Expires a checkout session; returns true when it had been paid. */
async function expireSession(stripe: Stripe, session: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(session)
    return false
  } catch (error) {
    // Stripe expires only open sessions; one of its test mode is unknown in its live mode.
    const known = await stripe.checkout.sessions.retrieve(session).catch(nullIfMissing)
    if (known?.status === 'open') throw error
    return known?.status === 'complete'
  }
}

/** Opens Stripe's billing portal, in which an account changes, cancels and pays its subscription, and returns its address. */
export async function openPortal(
  { settings, logger }: AccountDependencies,
  { stripe }: StripeBilling,
  { customer_id }: Pick<SubscriptionRow, 'customer_id'>,
): Promise<string> {
  const return_url = `${addresses(settings).site_url}/plans`
  const order = { customer: customer_id, return_url }
  return (await callStripe(logger, stripe.billingPortal.sessions.create(order))).url
}
