import type { Tier } from '../../../config/domain.ts'
import { TIERS, type TierTerms, tierCovers } from '../../../config/tiers.ts'
import { contactUri } from '../../site/discovery/security-txt.ts'
import { escaped, moment } from '../../site/pages/html.ts'
import type { SubscriptionRow } from '../../state/tables.ts'
import { canChangeTo } from './change-plan.ts'
import { isBound, type Plan } from './plan-of.ts'
import { PAID_TIERS, type PaidTier, type Shop } from './shop.ts'

/** What the page is made of. */
export interface PlansView {
  /** Null for a stranger. */
  plan: Plan | null
  subscription: SubscriptionRow | null
  /** Null where the operator grants plans. */
  shop: Pick<Shop, 'offers'> | null
  contact: string
  /** A form of ours, as HTML. */
  form: (action: string, inner: string) => string
}

/** The body of the page: how things stand, the tiers side by side, and what can be done. */
export function plansBody(view: PlansView): string {
  const cards = (Object.keys(TIERS) as Tier[]).map((tier) => card(tier, view))
  return [standing(view), `<div class="plans">\n${cards.join('\n')}\n</div>`, outlook(view)].filter(Boolean).join('\n')
}

function card(tier: Tier, view: PlansView): string {
  const { name, price_usd_per_month } = TIERS[tier]
  const current = view.plan?.tier === tier
  const lines = termLines(TIERS[tier]).map((line) => `<li>${line}</li>`)
  return `<section class="plan" aria-labelledby="plan-${tier}"${current ? ' data-current' : ''}>
<h2 id="plan-${tier}">${name}</h2>
<p><strong>${price_usd_per_month.toLocaleString('en')} USD</strong> a month</p>
<ul>
${lines.join('\n')}
</ul>
${current ? '<p class="live">Your plan</p>' : ''}${tier === 'free' ? '' : buying(tier, view)}
</section>`
}

const number = (value: number) => value.toLocaleString('en')
const days = (count: number) => `${number(count)} days`

function termLines(terms: TierTerms): string[] {
  const { requests_per_minute, calls_per_month, overage_usd_per_1000, max_keys, bulk_airports } = terms
  return [
    `${number(calls_per_month)} calls a month`,
    overage_usd_per_1000 === null
      ? 'Further calls are refused'
      : `Further calls: ${number(overage_usd_per_1000)} USD per 1,000`,
    `${number(requests_per_minute)} requests a minute`,
    max_keys === 1 ? '1 key' : `Up to ${number(max_keys)} keys`,
    terms.granularity === 'none' ? 'Airports and FAA delays' : `Waits by ${terms.granularity}`,
    terms.prediction_hours === 0
      ? 'No predictions'
      : `Predictions for ${terms.prediction_hours === 24 ? '24 hours' : days(terms.prediction_hours / 24)}`,
    terms.history_days === 0 ? 'No history' : `History of ${days(terms.history_days)}`,
    bulk_airports === 0 ? 'No bulk requests' : `Up to ${number(bulk_airports)} airports in one request`,
  ]
}

/** A button to buy a tier with, where it can be bought. */
function buying(tier: PaidTier, { plan, shop, subscription, form }: PlansView): string {
  if (plan === null || !shop?.offers[tier]) return ''
  if (canChangeTo(tier, subscription))
    return `<p><a class="button second" href="/plans/change?tier=${tier}">Change to ${TIERS[tier].name}</a></p>`
  if (isBound(subscription)) return ''
  const inner = `<input type="hidden" name="tier" value="${tier}"><button>Buy ${TIERS[tier].name}</button>`
  return form('/plans/checkout', inner)
}

const TROUBLES: Record<string, string> = {
  past_due:
    'The last payment failed. Your plan goes on while it is tried again; please see to it in the billing portal.',
  unpaid:
    'The last payment failed for good. Pay the open invoice in the billing portal, and your plan and keys are back.',
  incomplete: 'The first payment has not gone through. Finish it in the billing portal.',
  paused: 'Your subscription is paused. It can be taken up again in the billing portal.',
}

/** How the plan of whoever is signed in stands. */
function standing({ plan, subscription, shop, form }: PlansView): string {
  if (plan === null) return ''
  const lines = [`<p class="lead">Your plan is <strong>${TIERS[plan.tier].name}</strong>${reason(plan)}.</p>`]
  if (subscription && isBound(subscription)) {
    const trouble = TROUBLES[subscription.status]
    if (trouble) lines.push(`<p class="warning">${trouble}</p>`)
    const { cancel_at_period_end, current_period_end: end } = subscription
    if (cancel_at_period_end === 1 && end !== null)
      lines.push(`<p>Your subscription is cancelled and ends on ${moment(end)}.</p>`)
    if (shop)
      lines.push(
        form(
          '/plans/portal',
          '<button>Open the billing portal</button>\n<p class="hint">For invoices, cards and cancelling.</p>',
        ),
      )
  } else if (subscription && subscription.subscription_id !== null && shop)
    lines.push(form('/plans/portal', '<button class="second">Past invoices</button>'))
  return lines.join('\n')
}

function reason({ why, until }: Plan): string {
  if (why !== 'grant') return ''
  return until === null
    ? ', granted by the operator of this installation'
    : `, granted by the operator of this installation until ${moment(until)}`
}

/** What to do next, for those who cannot do it on the spot. */
function outlook({ plan, shop, contact }: PlansView): string {
  if (!shop) {
    const uri = contactUri(contact)
    const whom = uri === null ? escaped(contact) : `<a href="${escaped(uri)}">${escaped(contact)}</a>`
    return `<p>Paid plans are granted by the operator of this installation: ask ${whom}.</p>`
  }
  const paying = `<p class="hint">Payments are made at Stripe; we never see a card. Months of calls are calendar months in UTC.</p>`
  if (plan !== null) return paying
  const sold = PAID_TIERS.filter((tier) => shop.offers[tier]).map((tier) => TIERS[tier].name)
  return `<p><a class="button" href="/sign-in?next=%2Fplans">Sign in to buy ${sold.join(' or ')}</a> <a class="button second" href="/signup">Sign up</a></p>\n${paying}`
}

/** The page that asks whether a subscription is to be changed. */
export function changeBody(tier: PaidTier, from: Tier, form: PlansView['form']): string {
  const { name, price_usd_per_month } = TIERS[tier]
  const effect = tierCovers(tier, from)
    ? 'The difference for the rest of the period that you have paid is charged now, and the plan is yours as soon as it is paid.'
    : `It takes effect at once, and the difference for the rest of the period that you have paid is credited to your next invoice. Of more than ${TIERS[tier].max_keys} keys the newest are revoked.`
  const inner = `<input type="hidden" name="tier" value="${tier}"><button>Change to ${name}</button> <a class="button second" href="/plans">Keep ${TIERS[from].name}</a>`
  return `<p class="lead">${name} costs ${number(price_usd_per_month)} USD a month.</p>\n<p>${effect}</p>\n${form('/plans/change', inner)}`
}
