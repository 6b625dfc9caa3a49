import type { Tier } from '../../../config/domain.ts'
import { tierCovers } from '../../../config/tiers.ts'
import type { GrantRow, SubscriptionRow } from '../../state/tables.ts'

/**
 * Whether a subscription gives its tier, by its status in Stripe's words; what is not here gives none. The plan of an
 * account is the higher of this and of the operator's grants:
 *
 * | subscription | no grant | running grant | grant that is over |
 * |---|---|---|---|
 * | none, `incomplete`, `incomplete_expired`, `unpaid`, `canceled`, `paused` | free | the grant's tier | free |
 * | `trialing`, `active`, `past_due` | the subscription's tier | the higher of both | the subscription's tier |
 *
 * `past_due`: Stripe still tries to collect, so the plan stays. Cancelled to the end of its period, it stays `active` until
 * Stripe says `canceled`. All keys and connections of the account have its tier, from the next call on. When an account
 * comes into a paid tier its newest keys beyond the tier's number are revoked; falling to free revokes none, so that a late
 * payment brings all of them back.
 */
export const GIVES_TIER: Readonly<Record<string, boolean>> = {
  trialing: true,
  active: true,
  past_due: true,
  incomplete: false,
  incomplete_expired: false,
  unpaid: false,
  canceled: false,
  paused: false,
}

/** Statuses after which nothing more can come of a subscription, so that another may be bought. */
const ENDED = new Set(['none', 'canceled', 'incomplete_expired'])

/** What an account may, and why. */
export interface Plan {
  tier: Tier
  why: 'subscription' | 'grant' | null
  /** First instant that a grant no longer holds; null for good. */
  until: string | null
}

type Grant = Pick<GrantRow, 'tier' | 'until' | 'ended_at'>
type Subscription = Pick<SubscriptionRow, 'tier' | 'status'>

/** Whether a grant holds at `now`. */
export const isRunning = ({ until, ended_at }: Grant, now: number) =>
  ended_at === null && (until === null || now < Date.parse(until))

/** Whether a subscription gives its tier. */
export const givesTier = ({ status, tier }: Subscription) => tier !== null && GIVES_TIER[status] === true

/** Whether an account has a subscription that may yet be charged, so that it must not buy a second one. */
export const isBound = (subscription: Pick<SubscriptionRow, 'status'> | null) =>
  subscription !== null && !ENDED.has(subscription.status)

/** The plan that grants and a subscription come to, by the table above. */
export function planOf(grants: Grant[], subscription: Subscription | null, now: number): Plan {
  let plan: Plan = { tier: 'free', why: null, until: null }
  if (subscription?.tier && givesTier(subscription))
    plan = { tier: subscription.tier, why: 'subscription', until: null }
  for (const grant of grants)
    if (isRunning(grant, now) && !tierCovers(plan.tier, grant.tier))
      plan = { tier: grant.tier, why: 'grant', until: grant.until }
  return plan
}
