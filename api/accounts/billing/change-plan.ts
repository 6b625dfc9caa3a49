import type Stripe from 'stripe'
import { HoldshortError } from '../../../config/errors.ts'
import { tierCovers } from '../../../config/tiers.ts'
import type { SubscriptionRow } from '../../state/tables.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { knownCustomer } from './customer.ts'
import { asked, type PaidTier, type Shop } from './shop.ts'
import { tierOfPrice } from './subscription-of.ts'
import { synchronise } from './synchronise.ts'

/** Whether a subscription can be moved to another tier: it is in order, and not in that tier. */
export const canChangeTo = (tier: PaidTier, row: Pick<SubscriptionRow, 'status' | 'tier'> | null) =>
  row !== null && (row.status === 'active' || row.status === 'trialing') && row.tier !== null && row.tier !== tier

/**
 * Moves an account's subscription to another tier. Up: the rest of the period is charged at once, and it takes effect when
 * that is paid; where the bank wants to ask its customer, the page to do so at is returned. Down: at once, the rest of the
 * period is credited. (The billing portal changes no subscription that has a metered price.)
 * @throws HoldshortError CONFLICT when there is no subscription in order, STRIPE_FAILED.
 */
export async function changePlan(
  dependencies: AccountDependencies,
  shop: Shop,
  account_id: string,
  tier: PaidTier,
): Promise<string | null> {
  const { state, logger } = dependencies
  const { stripe, offers } = shop
  const customer = await knownCustomer(state, account_id)
  const row = customer && (await synchronise(dependencies, shop, customer.customer_id))
  if (row?.tier === tier) return null
  if (!row?.subscription_id || !canChangeTo(tier, row))
    throw new HoldshortError('CONFLICT', 'there is no subscription in order that could be changed')
  const { items } = await asked(logger, stripe.subscriptions.retrieve(row.subscription_id))
  const up = tierCovers(tier, row.tier!)
  const order: Stripe.SubscriptionUpdateParams = {
    items: itemsFor(tier, items.data, offers),
    proration_behavior: up ? 'always_invoice' : 'create_prorations',
    ...(up && { payment_behavior: 'pending_if_incomplete' }),
    expand: ['latest_invoice'],
  }
  const { pending_update, latest_invoice } = await asked(
    logger,
    stripe.subscriptions.update(row.subscription_id, order),
  )
  await synchronise(dependencies, shop, row.customer_id)
  const unpaid = pending_update !== null && latest_invoice !== null && typeof latest_invoice === 'object'
  return unpaid ? (latest_invoice.hosted_invoice_url ?? null) : null
}

/** The monthly price is replaced; a metered one stays, for what was metered by it is yet to be billed, and that of the tier is added. */
function itemsFor(
  tier: PaidTier,
  items: Pick<Stripe.SubscriptionItem, 'id' | 'price'>[],
  offers: Shop['offers'],
): Stripe.SubscriptionUpdateParams.Item[] {
  const { price, overage } = offers[tier]!
  const monthly = items.filter((each) => tierOfPrice(each.price, offers) !== null).map(({ id }) => ({ id, price }))
  const metered = overage === null || items.some((each) => each.price.id === overage.price)
  return metered ? monthly : [...monthly, { price: overage.price }]
}
