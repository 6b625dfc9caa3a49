import type Stripe from 'stripe'
import type { SubscriptionRow } from '../../api/state/tables.ts'
import { tierCovers } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { canStillBeCharged, grantsTier } from './plan.ts'
import { PAID_TIERS, type PaidTier, type StripeBilling } from './stripe-client.ts'

/** The columns of `subscriptions` that come from Stripe. */
export type StoredSubscription = Pick<
  SubscriptionRow,
  'subscription_id' | 'tier' | 'status' | 'current_period_end' | 'cancel_at_period_end'
>

const NONE: StoredSubscription = {
  subscription_id: null,
  tier: null,
  status: 'none',
  current_period_end: null,
  cancel_at_period_end: 0,
}

/** Metadata key of a price that names its tier. Older prices that some still pay are no longer in the settings and need it. */
const TIER_OF_PRICE = 'holdshort_tier'

/** The tier whose monthly price this is; null for any other price. */
export function tierOfPrice({ id, metadata }: Pick<Stripe.Price, 'id' | 'metadata'>, offers: StripeBilling['offers']) {
  const named = metadata[TIER_OF_PRICE]
  return PAID_TIERS.find((tier) => offers[tier]?.price === id) ?? PAID_TIERS.find((tier) => tier === named) ?? null
}

/** The subscription of a customer that is stored: the one with the highest granted tier, else one that may still be charged, else the newest. */
export function storedSubscription(all: Stripe.Subscription[], offers: StripeBilling['offers']): StoredSubscription {
  const stored = [...all]
    .sort((a, b) => b.created - a.created)
    .map((subscription) => toStoredSubscription(subscription, offers))
  const granting = (tier: Tier) =>
    stored.find((subscription) => grantsTier(subscription) && subscription.tier && tierCovers(subscription.tier, tier))
  return granting('enterprise') ?? granting('pro') ?? stored.find(canStillBeCharged) ?? stored[0] ?? NONE
}

function toStoredSubscription(subscription: Stripe.Subscription, offers: StripeBilling['offers']): StoredSubscription {
  const { id, status, items, cancel_at_period_end, cancel_at } = subscription
  let tier: PaidTier | null = null
  let end: number | null = null
  for (const { price, current_period_end } of items.data) {
    const named = tierOfPrice(price, offers)
    if (named === null || (tier !== null && tierCovers(tier, named))) continue
    tier = named
    end = current_period_end
  }
  return {
    subscription_id: id,
    tier,
    status,
    current_period_end: end === null ? null : new Date(end * 1000).toISOString(),
    cancel_at_period_end: cancel_at_period_end || cancel_at !== null ? 1 : 0,
  }
}
