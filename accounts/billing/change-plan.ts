import type Stripe from 'stripe'
import type { SubscriptionRow } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import { tierCovers } from '../../config/tiers.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { findCustomer } from './customer.ts'
import { callStripe, type PaidTier, type StripeBilling } from './stripe-client.ts'
import { tierOfPrice } from './stripe-subscription.ts'
import { synchroniseSubscription } from './synchronise-subscription.ts'

/** Stripe changes no subscription to a price of another currency, for one. */
const REFUSED_CHANGE =
  'the payment service does not change this subscription to the other plan, for example because it is paid in another currency; nothing was changed or charged. Cancel it in the billing portal and buy the other plan once it has ended, or write to the operator of this service (Contact)'

/** Whether a subscription can move to another tier: it is active or on trial, and not already in that tier. */
export const canChangeTo = (tier: PaidTier, row: Pick<SubscriptionRow, 'status' | 'tier'> | null) =>
  row !== null && (row.status === 'active' || row.status === 'trialing') && row.tier !== null && row.tier !== tier

/**
 * Moves an account's subscription to another tier. An upgrade charges the rest of the period at once and takes effect when
 * that is paid; if the bank needs the customer's confirmation, the address of the invoice page is returned. A downgrade takes
 * effect at once and the rest of the period is credited. (Stripe's billing portal changes no subscription with a metered price.)
 * @throws HoldshortError CONFLICT when no active subscription can be changed, STRIPE_FAILED
 */
export async function changePlan(
  dependencies: AccountDependencies,
  billing: StripeBilling,
  account_id: string,
  tier: PaidTier,
): Promise<string | null> {
  const { state, logger } = dependencies
  const { stripe } = billing
  const customer = await findCustomer(state, account_id)
  const row = customer && (await synchroniseSubscription(dependencies, billing, customer.customer_id))
  if (row?.tier === tier) return null
  if (!row?.subscription_id || !canChangeTo(tier, row))
    throw new HoldshortError('CONFLICT', 'there is no active subscription that could be changed')
  const { items } = await callStripe(logger, stripe.subscriptions.retrieve(row.subscription_id))
  const isUpgrade = tierCovers(tier, row.tier!)
  const order: Stripe.SubscriptionUpdateParams = {
    items: await itemsFor(tier, items.data, dependencies, billing),
    proration_behavior: isUpgrade ? 'always_invoice' : 'create_prorations',
    ...(isUpgrade && { payment_behavior: 'pending_if_incomplete' }),
    expand: ['latest_invoice'],
  }
  const { pending_update, latest_invoice } = await callStripe(
    logger,
    stripe.subscriptions.update(row.subscription_id, order),
    REFUSED_CHANGE,
  )
  await synchroniseSubscription(dependencies, billing, row.customer_id)
  const unpaid = pending_update !== null && latest_invoice !== null && typeof latest_invoice === 'object'
  return unpaid ? (latest_invoice.hosted_invoice_url ?? null) : null
}

type Item = Pick<Stripe.SubscriptionItem, 'id' | 'price'>

/** Replaces the monthly price. A metered price stays, because its usage is still to be billed; the new tier's is added. */
async function itemsFor(
  tier: PaidTier,
  items: Item[],
  { logger }: Pick<AccountDependencies, 'logger'>,
  { stripe, offers }: StripeBilling,
): Promise<Stripe.SubscriptionUpdateParams.Item[]> {
  const { price, overage } = offers[tier]!
  const monthly = items
    .filter((subscriptionItem) => tierOfPrice(subscriptionItem.price, offers) !== null)
    .map(({ id }) => ({ id, price }))
  if (overage === null || items.some((subscriptionItem) => subscriptionItem.price.id === overage.price)) return monthly
  const { recurring } = await callStripe(logger, stripe.prices.retrieve(overage.price))
  return isMetered(items, recurring?.meter) ? monthly : [...monthly, { price: overage.price }]
}

/** Whether an item counts by a meter: beside an older price of the same meter, a second one would bill each call twice. */
const isMetered = (items: Item[], meter: string | null | undefined) =>
  typeof meter === 'string' && items.some((subscriptionItem) => subscriptionItem.price.recurring?.meter === meter)
