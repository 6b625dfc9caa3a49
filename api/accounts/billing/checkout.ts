import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { HoldshortError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import type { SubscriptionRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { customerOf, renewCustomer } from './customer.ts'
import { isBound } from './plan-of.ts'
import { asked, isStripeError, type Offer, type PaidTier, type Shop } from './shop.ts'
import { synchronise } from './synchronise.ts'

/** Others that may come between, at most, before one gives way. */
const MOST_TRIES = 3

interface Buyer {
  account_id: string
  email: string
}

/**
 * Where an account pays for a tier: Stripe's page. Of an account there is one page at a time that can be paid: whoever
 * opens the next closes the one before, and of two that open at once the first gives way. Returns null when the account has a
 * subscription that may yet be charged: that one is changed, and no second one bought.
 * @throws HoldshortError CONFLICT for the one that gives way, STRIPE_FAILED.
 */
export async function openCheckout(
  dependencies: AccountDependencies,
  shop: Shop,
  { account_id, email }: Buyer,
  { tier, offer }: { tier: PaidTier; offer: Offer },
): Promise<string | null> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { customer_id } = await customerOf(dependencies, shop, account_id, email)
    const row = await synchronise(dependencies, shop, customer_id)
    if (!row || isBound(row)) return null
    const attempt = randomUUID()
    // Names the page before this one too, so that it is closed also if this try is broken off.
    const mark = `opening-${attempt} ${openedBefore(row) ?? ''}`
    if (!(await replaceCheckout(dependencies, row, mark))) continue
    if (await closePrevious(dependencies, shop, row)) return null
    const session = await openSession(dependencies, shop, row, { tier, offer, attempt })
    if (session === null) {
      await renewCustomer(dependencies, shop, row, email)
      continue
    }
    if (await replaceCheckout(dependencies, { ...row, checkout: mark }, session.id)) return session.url
    await asked(dependencies.logger, shop.stripe.checkout.sessions.expire(session.id))
    break
  }
  throw new HoldshortError('CONFLICT', 'another checkout was opened at the same moment; go on there, or start again')
}

/** Closes the page opened before, if any; true when it was paid, so that the account is now bound. */
async function closePrevious(dependencies: AccountDependencies, shop: Shop, row: SubscriptionRow): Promise<boolean> {
  const previous = openedBefore(row)
  if (previous === null || !(await asked(dependencies.logger, wasPaid(shop.stripe, previous)))) return false
  return isBound(await synchronise(dependencies, shop, row.customer_id))
}

/** Null when Stripe does not know the customer any more. */
async function openSession(
  { settings, logger }: AccountDependencies,
  { stripe }: Shop,
  { account_id, customer_id }: SubscriptionRow,
  { tier, offer, attempt }: { tier: PaidTier; offer: Offer; attempt: string },
): Promise<Stripe.Checkout.Session | null> {
  const { site_url } = addresses(settings)
  const order: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    customer: customer_id,
    client_reference_id: account_id,
    line_items: [{ price: offer.price, quantity: 1 }, ...(offer.overage ? [{ price: offer.overage.price }] : [])],
    subscription_data: { metadata: { account_id } },
    success_url: `${site_url}/dashboard?bought=${tier}`,
    cancel_url: `${site_url}/plans`,
  }
  const opening = stripe.checkout.sessions.create(order, { idempotencyKey: attempt })
  return asked(logger, opening.catch(unlessGone))
}

const openedBefore = ({ checkout }: SubscriptionRow) => /cs_\S+$/.exec(checkout ?? '')?.[0] ?? null

function unlessGone(error: unknown): null {
  if (isStripeError(error) && error.code === 'resource_missing' && error.param === 'customer') return null
  throw error
}

/** Writes which checkout is open, if it still is the one that the row says. */
async function replaceCheckout({ state }: AccountDependencies, row: SubscriptionRow, next: string): Promise<boolean> {
  const { numUpdatedRows } = await state.db
    .updateTable('subscriptions')
    .set({ checkout: next })
    .where('account_id', '=', row.account_id)
    .where('checkout', row.checkout === null ? 'is' : '=', row.checkout)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Closes a page where one could pay; true when it was paid before. */
async function wasPaid(stripe: Stripe, session: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(session)
    return false
  } catch (error) {
    // Stripe expires only what is open.
    const { status } = await stripe.checkout.sessions.retrieve(session)
    if (status === 'open') throw error
    return status === 'complete'
  }
}

/** Where an account changes, cancels and pays its subscription: Stripe's billing portal. */
export async function openPortal(
  { settings, logger }: AccountDependencies,
  { stripe }: Shop,
  { customer_id }: Pick<SubscriptionRow, 'customer_id'>,
): Promise<string> {
  const return_url = `${addresses(settings).site_url}/plans`
  const order = { customer: customer_id, return_url }
  return (await asked(logger, stripe.billingPortal.sessions.create(order))).url
}
