import { z } from 'zod'
import { ParameterError } from '../../config/errors.ts'
import type { AppDependencies } from '../dependencies.ts'
import { form, sendPage } from '../pages/frame.ts'
import type { AddPages } from '../pages/index.ts'
import { mustBeSignedIn } from '../pages/visitor.ts'
import { openCheckout, openPortal } from './checkout.ts'
import { knownCustomer } from './customer.ts'
import { planOf } from './plan-of.ts'
import { plansBody } from './plans-page.ts'
import { openShop, PAID_TIERS } from './shop.ts'

/** Where Stripe's own pages are, which a form of ours leads to. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://billing.stripe.com']

const Order = z.object({ tier: z.enum(PAID_TIERS) })

/** `/plans`: what there is, and how to come by it. */
export const addPlanPages: AddPages = (pages, dependencies) => {
  const shop = openShop(dependencies.settings)
  const { settings, state } = dependencies

  pages.get('/plans', { schema: { hide: true } }, async (request, reply) => {
    const account_id = request.visitor?.account_id
    const body = plansBody({
      plan: account_id === undefined ? null : await currentPlan(dependencies, account_id),
      subscription: account_id === undefined ? null : await knownCustomer(state, account_id),
      ...{ shop, contact: settings.contact },
      form: (action, inner) => form(request, reply, action, inner),
    })
    return sendPage(request, reply, { title: 'Plans', body, formTargets: shop ? STRIPE_PAGES : [] })
  })
  if (!shop) return

  pages.post(
    '/plans/checkout',
    { schema: { hide: true }, preHandler: mustBeSignedIn },
    async ({ body, visitor }, reply) => {
      const tier = Order.safeParse(body).data?.tier
      const offer = tier && shop.offers[tier]
      if (!tier || !offer) throw new ParameterError([{ parameter: 'tier', message: 'is not sold here' }])
      const url = await openCheckout(dependencies, shop, visitor!, { tier, offer })
      if (url !== null) return reply.redirect(url, 303)
      const customer = await knownCustomer(state, visitor!.account_id)
      return reply.redirect(await openPortal(dependencies, shop, customer!), 303)
    },
  )

  pages.post('/plans/portal', { schema: { hide: true }, preHandler: mustBeSignedIn }, async ({ visitor }, reply) => {
    const customer = await knownCustomer(state, visitor!.account_id)
    return reply.redirect(customer ? await openPortal(dependencies, shop, customer) : '/plans', 303)
  })
}

async function currentPlan({ state: { db }, clock = Date.now }: AppDependencies, account_id: string) {
  const grants = await db.selectFrom('grants').selectAll().where('account_id', '=', account_id).execute()
  return planOf(grants, await knownCustomer({ db }, account_id), clock())
}
