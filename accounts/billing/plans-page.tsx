import { z } from 'zod'
import type { SubscriptionRow } from '../../api/state/tables.ts'
import { contactUri } from '../../config/contact.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { TIERS, tierCovers } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { grouped, LinkButton, Moment, Section } from '../../site/pages/elements.tsx'
import { ButtonForm, Form, sendPage } from '../../site/pages/frame.tsx'
import type { AddPages } from '../../site/pages/page-scope.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { requireSignIn } from '../people/signed-in.ts'
import { canChangeTo, changePlan } from './change-plan.ts'
import { openCheckout, openPortal } from './checkout.ts'
import { findCustomer } from './customer.ts'
import { canStillBeCharged, effectivePlan, grantsTier, type Plan } from './plan.ts'
import { PlanTerms, type Term } from './plan-terms.tsx'
import { type Offer, openStripeBilling, PAID_TIERS, type PaidTier, type StripeBilling } from './stripe-client.ts'
import { SubscriptionState } from './subscription-state.tsx'
import { synchroniseSubscription } from './synchronise-subscription.ts'

/** The origins of Stripe's own pages, which our forms redirect to. */
const STRIPE_ORIGINS = ['https://checkout.stripe.com', 'https://billing.stripe.com', 'https://invoice.stripe.com']

const PlanRequest = z.object({ tier: z.enum(PAID_TIERS) })

/** Adds `/plans`, which shows the plans, and the forms that buy and change them where plans are for sale. */
export const addPlanPages: AddPages = async (pages, dependencies) => {
  const billing = await openStripeBilling(dependencies.settings)
  const { settings, state, clock = Date.now } = dependencies
  const ownerOnly = { preHandler: requireSignIn }

  pages.get('/plans', async (request, reply) => {
    const account_id = request.visitor?.account_id
    const view: PlansView = {
      plan: account_id === undefined ? null : await currentPlan(dependencies, account_id),
      subscription: account_id === undefined ? null : await findCustomer(state, account_id),
      billing,
      contact: settings.contact,
      sla_percent: settings.sla_percent,
      isOpen: settings.open_pages === 'airports',
    }
    const formTargets = billing ? STRIPE_ORIGINS : []
    return sendPage(request, reply, { title: 'Plans', body: <Plans view={view} />, formTargets })
  })
  if (!billing) return

  pages.post('/plans/checkout', ownerOnly, async ({ body, visitor }, reply) => {
    const url = await openCheckout(dependencies, billing, visitor!, requestedOffer(billing, body))
    if (url !== null) return reply.redirect(url, 303)
    const customer = await findCustomer(state, visitor!.account_id)
    return reply.redirect(await openPortal(dependencies, billing, customer!), 303)
  })

  // Stripe leads here after the payment. Its event may come later, or never: the plan that was paid must not wait for it.
  pages.get('/plans/bought', ownerOnly, async ({ visitor }, reply) => {
    const row = await findCustomer(state, visitor!.account_id)
    const read = row && isDueAfterPayment(row, clock()) ? await readPaid(dependencies, billing, row) : row
    return reply.redirect(`/dashboard?done=${read && grantsTier(read) ? 'bought' : 'paying'}`, 303)
  })

  pages.get('/plans/change', ownerOnly, async (request, reply) => {
    const { tier } = requestedOffer(billing, request.query)
    const customer = await findCustomer(state, request.visitor!.account_id)
    if (!customer?.tier || !canChangeTo(tier, customer)) return reply.redirect('/plans', 303)
    const body = <ConfirmChange from={customer.tier} to={tier} />
    return sendPage(request, reply, { title: `Change to ${TIERS[tier].name}`, body, formTargets: STRIPE_ORIGINS })
  })

  pages.post('/plans/change', ownerOnly, async ({ body, visitor }, reply) => {
    const { tier } = requestedOffer(billing, body)
    return reply.redirect((await changePlan(dependencies, billing, visitor!.account_id, tier)) ?? '/plans', 303)
  })

  pages.post('/plans/portal', ownerOnly, async ({ visitor }, reply) => {
    const customer = await findCustomer(state, visitor!.account_id)
    return reply.redirect(customer ? await openPortal(dependencies, billing, customer) : '/plans', 303)
  })
}

/** A page that is loaded again and again asks Stripe no more often. */
const REREAD_MS = 5_000

const isDueAfterPayment = (row: SubscriptionRow, now: number) =>
  !grantsTier(row) && Math.abs(now - Date.parse(row.as_of)) >= REREAD_MS

/** The subscription as Stripe has it; as it is stored where Stripe does not answer, and its event brings it. */
const readPaid = (dependencies: AccountDependencies, billing: StripeBilling, row: SubscriptionRow) =>
  synchroniseSubscription(dependencies, billing, row.customer_id).catch((error: unknown) => {
    if (error instanceof HoldshortError && error.code === 'STRIPE_FAILED') return row
    throw error
  })

/** The tier that a request names, with its offer. @throws ParameterError for a tier that is not for sale. */
function requestedOffer({ offers }: StripeBilling, input: unknown): { tier: PaidTier; offer: Offer } {
  const tier = PlanRequest.safeParse(input).data?.tier
  const offer = tier && offers[tier]
  if (!tier || !offer) throw ParameterError.of('tier', 'is not sold here')
  return { tier, offer }
}

async function currentPlan({ state: { db }, clock = Date.now }: AccountDependencies, account_id: string) {
  const grants = await db.selectFrom('grants').selectAll().where('account_id', '=', account_id).execute()
  return effectivePlan(grants, await findCustomer({ db }, account_id), clock())
}

interface PlansView {
  /** Null when nobody is signed in. */
  plan: Plan | null
  subscription: SubscriptionRow | null
  /** Null if plans are granted by the operator. */
  billing: Pick<StripeBilling, 'offers'> | null
  contact: string
  /** The availability that the operator promises to Enterprise; undefined when nothing is promised. */
  sla_percent: number | undefined
  /** Whether pages show waits without an account. */
  isOpen: boolean
}

const Plans = ({ view }: { view: PlansView }) => (
  <>
    {view.plan && <CurrentPlan plan={view.plan} view={view} />}
    <div class="plans">
      {(Object.keys(TIERS) as Tier[]).map((tier) => (
        <TierCard tier={tier} view={view} />
      ))}
    </div>
    {view.billing && (
      <p class="hint">
        Payments are made at Stripe; we never see a card. The months in which calls are counted are calendar months in
        UTC.
      </p>
    )}
    <Section id="rule" title="What is free">
      <p>
        One rule, the same on pages, over REST and over MCP:{' '}
        <strong>what a traveller needs to decide is free; figures to build a product on are paid.</strong>
      </p>
      <ul>
        <li>
          Free: any airport now with the range to expect, when to leave, comparisons, delays, weather, terminals,
          lounges, rules of baggage and borders, reports of travellers, and the whole record of the forecasts.
        </li>
        <li>
          {view.isOpen
            ? 'Pages show each airport with its terminals and the next 24 hours, to everybody.'
            : 'This installation shows waits on its pages only to accounts of Pro or higher.'}
        </li>
        <li>
          Pro and Enterprise: waits and forecasts by the hour as data, history, live requests; Enterprise also by
          terminal and for many airports at once.
        </li>
      </ul>
      <p>
        <a href="/docs/tiers">Each operation and tool with its plan</a>
      </p>
    </Section>
  </>
)

/** Recommended for a customer with a product of their own. */
const RECOMMENDED: Tier = 'pro'
const MEANT_FOR: Record<Tier, string> = {
  free: 'To try it, and for an assistant of your own.',
  pro: 'Recommended for an app or an agent with users.',
  enterprise: 'For airlines, airports and travel companies.',
}

function TierCard({ tier, view }: { tier: Tier; view: PlansView }) {
  const { name, price_usd_per_month } = TIERS[tier]
  const current = view.plan?.tier === tier
  const isRecommended = tier === RECOMMENDED && view.plan?.tier !== 'enterprise'
  return (
    <section
      class={isRecommended ? 'plan recommended' : 'plan'}
      aria-labelledby={`plan-${tier}`}
      data-current={current ? '' : undefined}
    >
      <h2 id={`plan-${tier}`}>{name}</h2>
      <p class="for">{MEANT_FOR[tier]}</p>
      <p>
        <strong>{grouped(price_usd_per_month)} USD</strong> a month
      </p>
      <PlanTerms tier={tier} promised={promiseOf(tier, view)} />
      {current ? <p class="live">Your plan</p> : <NextStep tier={tier} view={view} />}
    </section>
  )
}

/** The promised availability, which /status measures. */
const promiseOf = (tier: Tier, { sla_percent }: PlansView): Term[] =>
  tier === 'enterprise' && sla_percent !== undefined
    ? [['Availability promised', `${sla_percent} %; /status shows what was measured`]]
    : []

/** The one button of a plan: how to begin with it, buy it, change to it, or ask the operator for it. */
function NextStep({ tier, view: { plan, billing, subscription, contact } }: { tier: Tier; view: PlansView }) {
  const { name } = TIERS[tier]
  if (tier === 'free') return plan === null ? <NextLink href="/signup" text="Sign up" isSecond /> : null
  if (!billing) return <NextLink href={contactUri(contact)} text={`Ask for ${name}`} />
  if (!billing.offers[tier]) return null
  if (plan === null) return <NextLink href="/sign-in?next=%2Fplans" text={`Sign in to buy ${name}`} />
  if (canChangeTo(tier, subscription))
    return <NextLink href={`/plans/change?tier=${tier}`} text={`Change to ${name}`} isSecond />
  if (canStillBeCharged(subscription)) return null
  return (
    <Form action="/plans/checkout">
      <input type="hidden" name="tier" value={tier} />
      <button>Buy {name}</button>
    </Form>
  )
}

const NextLink = (props: Parameters<typeof LinkButton>[0]) => (
  <p>
    <LinkButton {...props} />
  </p>
)

function CurrentPlan({ plan, view: { subscription, billing } }: { plan: Plan; view: PlansView }) {
  return (
    <>
      <p class="lead">
        Your plan is <strong>{TIERS[plan.tier].name}</strong>
        {plan.why === 'grant' && ', granted by the operator of this installation'}
        {plan.why === 'grant' && plan.until !== null && (
          <>
            {' '}
            until <Moment instant={plan.until} />
          </>
        )}
        .
      </p>
      {subscription && canStillBeCharged(subscription) && (
        <BoundSubscription subscription={subscription} billing={billing} />
      )}
      {subscription && !canStillBeCharged(subscription) && subscription.subscription_id !== null && billing && (
        <ButtonForm action="/plans/portal" text="Past invoices" />
      )}
    </>
  )
}

interface BoundSubscriptionProps {
  subscription: SubscriptionRow
  billing: PlansView['billing']
}

function BoundSubscription({ subscription, billing }: BoundSubscriptionProps) {
  return (
    <>
      <SubscriptionState subscription={subscription} />
      {billing && (
        <Form action="/plans/portal">
          <button>Open the billing portal</button>
          <p class="hint">For invoices, cards and cancelling.</p>
        </Form>
      )}
    </>
  )
}

function ConfirmChange({ from, to }: { from: Tier; to: PaidTier }) {
  const { name, price_usd_per_month, max_keys } = TIERS[to]
  return (
    <>
      <p class="lead">
        {name} costs {grouped(price_usd_per_month)} USD a month.
      </p>
      <p>
        {tierCovers(to, from)
          ? 'You are charged now for the difference over the rest of the paid period. The plan starts as soon as that is paid.'
          : `The change takes effect at once, and the difference over the rest of the paid period is credited to your next invoice. If you have more than ${max_keys} keys, the newest are revoked.`}
      </p>
      <Form action="/plans/change">
        <input type="hidden" name="tier" value={to} />
        <button>Change to {name}</button> <LinkButton href="/plans" text={`Keep ${TIERS[from].name}`} isSecond />
      </Form>
    </>
  )
}
