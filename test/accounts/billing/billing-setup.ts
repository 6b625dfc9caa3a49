import Stripe from 'stripe'
import type { Tier } from '../../../config/vocabulary.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { openHarness } from '../../api/harness.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { type FakeEvent, FakeStripe } from './fake-stripe.ts'

export const WEBHOOK_SECRET = 'whsec_test'
export const PRICES = { pro: 'price_pro', enterprise: 'price_enterprise' } as const

/** Settings that sell both tiers through the Stripe at `url`. */
export const stripeSettings = (url: string): Record<string, string> => ({
  STRIPE_SECRET_KEY: 'sk_test_fake',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_URL: url,
  STRIPE_PRICE_PRO: PRICES.pro,
  STRIPE_PRICE_ENTERPRISE: PRICES.enterprise,
  STRIPE_OVERAGE_PRICE_PRO: 'price_over_pro',
  STRIPE_METER_PRO: 'calls_pro',
  STRIPE_OVERAGE_PRICE_ENTERPRISE: 'price_over_ent',
  STRIPE_METER_ENTERPRISE: 'calls_enterprise',
})

/** Opens the app with both tiers for sale. */
export async function openBilling(environment: Record<string, string> = {}) {
  const stripe = await new FakeStripe(NOW).listen()
  const harness = await openHarness({ ...stripeSettings(stripe.url), ...environment })
  const { app, state, controls } = harness
  const delivered = new Set<FakeEvent>()
  /** Sends an event as Stripe does. */
  const deliver = (event: FakeEvent, { secret = WEBHOOK_SECRET, now = controls.now } = {}) => {
    delivered.add(event)
    return app.inject(signedRequest(JSON.stringify(event), secret, now))
  }
  const deliverAll = async () => {
    for (const event of stripe.events.filter((sent) => !delivered.has(sent))) await deliver(event)
  }
  return {
    ...harness,
    stripe,
    deliver,
    deliverAll,
    createPerson: (tier: Tier = 'free') => createSignedInPerson(harness, { tier }),
    /** Opens the checkout of a tier and pays. */
    async buy(buyer: SignedInPerson, tier: 'pro' | 'enterprise') {
      const { headers } = await buyer.post('/plans/checkout', { tier }, '/plans')
      const subscription = stripe.pay(sessionIdOf(headers.location))
      await deliverAll()
      return subscription
    },
    async tierOf(account_id: string) {
      const search = state.db.selectFrom('accounts').select('tier').where('id', '=', account_id)
      return (await search.executeTakeFirstOrThrow()).tier
    },
  }
}
export type BillingHarness = Awaited<ReturnType<typeof openBilling>>

/** The id of the checkout session in a redirect's address. */
export const sessionIdOf = (location: unknown) => String(location).split('/').at(-1)!

/** A webhook request with a payload and its signature. */
export function signedRequest(payload: string, secret: string, signed_ms: number) {
  const timestamp = Math.floor(signed_ms / 1000)
  const { webhooks } = new Stripe('sk_test_fake')
  const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return {
    method: 'POST' as const,
    url: '/api/stripe/webhook',
    payload,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  }
}
