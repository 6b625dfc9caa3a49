import type { GrantRow, SubscriptionRow } from '../../api/state/tables.ts'
import { tierCovers } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'

/**
 * Whether a subscription with this Stripe status grants its tier; a status that is not listed grants none. The plan of an
 * account is the higher of its subscription and the operator's grants:
 *
 * | subscription | no grant | active grant | expired grant |
 * |---|---|---|---|
 * | none, `incomplete`, `incomplete_expired`, `unpaid`, `canceled`, `paused` | free | the grant's tier | free |
 * | `trialing`, `active`, `past_due` | the subscription's tier | the higher of both | the subscription's tier |
 *
 * `past_due`: Stripe still tries to collect, so the plan stays. A subscription that is cancelled to the end of its period stays
 * `active` until Stripe reports `canceled`. All keys and connections of the account have its tier from the next call on. When
 * an account enters a paid tier, its newest keys beyond the tier's limit are revoked. Falling to free revokes none, so that a
 * late payment restores all of them.
 */
export const STATUS_GRANTS_TIER: Readonly<Record<string, boolean>> = {
  trialing: true,
  active: true,
  past_due: true,
  incomplete: false,
  incomplete_expired: false,
  unpaid: false,
  canceled: false,
  paused: false,
}

/** Statuses of a subscription that has ended, so that a new one may be bought. */
const ENDED = new Set(['none', 'canceled', 'incomplete_expired'])

/** The tier of an account and what grants it. */
export interface Plan {
  tier: Tier
  why: 'subscription' | 'grant' | null
  /** The instant at which the grant ends; null when it does not end. */
  until: string | null
}

type Grant = Pick<GrantRow, 'tier' | 'until' | 'ended_at'>
type Subscription = Pick<SubscriptionRow, 'tier' | 'status'>

/** Whether a grant is active at `now` (epoch milliseconds). */
const isActiveGrant = ({ until, ended_at }: Grant, now: number) =>
  ended_at === null && (until === null || now < Date.parse(until))

/** Whether a subscription grants its tier. */
export const grantsTier = ({ status, tier }: Subscription) => tier !== null && STATUS_GRANTS_TIER[status] === true

/** Whether an account has a subscription that may still be charged, so that it must not buy a second one. */
export const canStillBeCharged = (subscription: Pick<SubscriptionRow, 'status'> | null) =>
  subscription !== null && !ENDED.has(subscription.status)

/** The plan of an account with these grants and this subscription, by the table above. */
export function effectivePlan(grants: Grant[], subscription: Subscription | null, now: number): Plan {
  let plan: Plan = { tier: 'free', why: null, until: null }
  if (subscription?.tier && grantsTier(subscription))
    plan = { tier: subscription.tier, why: 'subscription', until: null }
  for (const grant of grants)
    if (isActiveGrant(grant, now) && !tierCovers(plan.tier, grant.tier))
      plan = { tier: grant.tier, why: 'grant', until: grant.until }
  return plan
}
