import type { LightMyRequestResponse } from 'fastify'
import Stripe from 'stripe'
import type { Tier } from '../../../../config/domain.ts'
import { NOW } from '../../example-snapshot.ts'
import { type Harness, openHarness } from '../../harness.ts'
import { type SignedIn, signedIn } from '../people/signed-in-person.ts'
import { type FakeEvent, FakeStripe, type FakeSubscription } from './fake-stripe.ts'

export const SECRET = 'whsec_test'
export const PRICES = { pro: 'price_pro', enterprise: 'price_enterprise' } as const

/** Settings that sell both tiers through a Stripe of this machine. */
export const sellingAt = (url: string): Record<string, string> => ({
  STRIPE_SECRET_KEY: 'sk_test_fake',
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: url,
  STRIPE_PRICE_PRO: PRICES.pro,
  STRIPE_PRICE_ENTERPRISE: PRICES.enterprise,
  STRIPE_OVERAGE_PRICE_PRO: 'price_over_pro',
  STRIPE_METER_PRO: 'calls_pro',
  STRIPE_OVERAGE_PRICE_ENTERPRISE: 'price_over_ent',
  STRIPE_METER_ENTERPRISE: 'calls_enterprise',
})

/** The app with a shop, and the Stripe behind it. */
export interface Selling extends Harness {
  stripe: FakeStripe
  person: (tier?: Tier) => Promise<SignedIn>
  /** Sends an event as Stripe does, signed now, unless said otherwise. */
  deliver: (event: FakeEvent, over?: { secret?: string; at?: number }) => Promise<LightMyRequestResponse>
  /** Sends all events that were not sent yet. */
  deliverAll: () => Promise<void>
  /** Goes to the checkout of a tier and pays there. */
  buy: (buyer: SignedIn, tier: 'pro' | 'enterprise') => Promise<FakeSubscription>
  tierOf: (account_id: string) => Promise<Tier>
}

/** Opens the app with both tiers for sale. */
export async function openSelling(environment: Record<string, string> = {}): Promise<Selling> {
  const stripe = await new FakeStripe(NOW).listen()
  const harness = await openHarness({ ...sellingAt(stripe.url), ...environment })
  const { app, state, controls } = harness
  const delivered = new Set<FakeEvent>()
  const deliver: Selling['deliver'] = (event, { secret = SECRET, at = controls.now } = {}) => {
    delivered.add(event)
    return app.inject(signedRequest(JSON.stringify(event), secret, at))
  }
  const deliverAll = async () => {
    for (const event of stripe.events.filter((each) => !delivered.has(each))) await deliver(event)
  }
  return {
    ...harness,
    stripe,
    deliver,
    deliverAll,
    person: (tier = 'free') => signedIn(harness, { tier }),
    async buy(buyer, tier) {
      const { headers } = await buyer.post('/plans/checkout', { tier }, '/plans')
      const subscription = stripe.pay(sessionIn(headers.location))
      await deliverAll()
      return subscription
    },
    async tierOf(account_id) {
      const search = state.db.selectFrom('accounts').select('tier').where('id', '=', account_id)
      return (await search.executeTakeFirstOrThrow()).tier
    },
  }
}

/** The session of the page that a checkout leads to. */
export const sessionIn = (location: unknown) => String(location).split('/').at(-1)!

/** A request to the webhook with a text and its signature. */
export function signedRequest(payload: string, secret: string, at: number) {
  const timestamp = Math.floor(at / 1000)
  const { webhooks } = new Stripe('sk_test_fake')
  const signature = webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return {
    ...({ method: 'POST', url: '/api/stripe/webhook', payload } as const),
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  }
}
