import { z } from 'zod'
import { ParameterError } from '../../../config/errors.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { AddPages } from '../../site/pages/add-pages.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { mustBeSignedIn } from '../people/visitor.ts'
import { canChangeTo, changePlan } from './change-plan.ts'
import { openCheckout, openPortal } from './checkout.ts'
import { findCustomer } from './customer.ts'
import { effectivePlan } from './plan.ts'
import { changeBody, plansBody } from './plans-page.ts'
import { type Offer, openStripeBilling, PAID_TIERS, type PaidTier, type StripeBilling } from './stripe-client.ts'

/** Where Stripe's own pages are, which a form of ours leads to. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com', 'https://invoice.stripe.com']

const Order = z.object({ tier: z.enum(PAID_TIERS) })

/** `/plans`: what there is, and how to come by it. */
export const addPlanPages: AddPages = async (pages, dependencies) => {
  const shop = await openStripeBilling(dependencies.settings)
  const { settings, state } = dependencies

  pages.get('/plans', { schema: { hide: true } }, async (request, reply) => {
    const account_id = request.visitor?.account_id
    const body = plansBody({
      plan: account_id === undefined ? null : await currentPlan(dependencies, account_id),
      subscription: account_id === undefined ? null : await findCustomer(state, account_id),
      shop,
      contact: settings.contact,
      form: (action, inner) => form(request, reply, action, inner),
    })
    return sendPage(request, reply, { title: 'Plans', body, formTargets: shop ? STRIPE_PAGES : [] })
  })
  if (!shop) return

  pages.post(
    '/plans/checkout',
    { schema: { hide: true }, preHandler: mustBeSignedIn },
    async ({ body, visitor }, reply) => {
      const url = await openCheckout(dependencies, shop, visitor!, parseOrder(shop, body))
      if (url !== null) return reply.redirect(url, 303)
      const customer = await findCustomer(state, visitor!.account_id)
      return reply.redirect(await openPortal(dependencies, shop, customer!), 303)
    },
  )

  pages.get('/plans/change', { schema: { hide: true }, preHandler: mustBeSignedIn }, async (request, reply) => {
    const { tier } = parseOrder(shop, request.query)
    const customer = await findCustomer(state, request.visitor!.account_id)
    if (!customer?.tier || !canChangeTo(tier, customer)) return reply.redirect('/plans', 303)
    const body = changeBody(tier, customer.tier, (action, inner) => form(request, reply, action, inner))
    return sendPage(request, reply, { title: `Change to ${TIERS[tier].name}`, body, formTargets: STRIPE_PAGES })
  })

  pages.post(
    '/plans/change',
    { schema: { hide: true }, preHandler: mustBeSignedIn },
    async ({ body, visitor }, reply) => {
      const { tier } = parseOrder(shop, body)
      return reply.redirect((await changePlan(dependencies, shop, visitor!.account_id, tier)) ?? '/plans', 303)
    },
  )

  pages.post('/plans/portal', { schema: { hide: true }, preHandler: mustBeSignedIn }, async ({ visitor }, reply) => {
    const customer = await findCustomer(state, visitor!.account_id)
    return reply.redirect(customer ? await openPortal(dependencies, shop, customer) : '/plans', 303)
  })
}

/** The tier that is asked for. @throws ParameterError for one that is not sold. */
function parseOrder({ offers }: StripeBilling, given: unknown): { tier: PaidTier; offer: Offer } {
  const tier = Order.safeParse(given).data?.tier
  const offer = tier && offers[tier]
  if (!tier || !offer) throw new ParameterError([{ parameter: 'tier', message: 'is not sold here' }])
  return { tier, offer }
}

async function currentPlan({ state: { db }, clock = Date.now }: AccountDependencies, account_id: string) {
  const grants = await db.selectFrom('grants').selectAll().where('account_id', '=', account_id).execute()
  return effectivePlan(grants, await findCustomer({ db }, account_id), clock())
}
