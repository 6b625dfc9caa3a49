import { expect, test } from 'vitest'
import { EVENTS } from '../../accounts/billing/webhook.ts'
import { checkStripe } from '../../bin/doctor/check-stripe.ts'
import { readSettings } from '../../config/settings.ts'
import { stripeSettings } from '../accounts/billing/billing-setup.ts'
import { FakeStripe } from '../accounts/billing/fake-stripe.ts'

const SITE = 'https://waits.example'

const meter = (event_name: string) => ({
  id: `mtr_${event_name}`,
  event_name,
  status: 'active',
  default_aggregation: { formula: 'sum' },
  customer_mapping: { event_payload_key: 'stripe_customer_id', type: 'by_id' },
  value_settings: { event_payload_key: 'value' },
})
const monthly = (id: string, unit_amount: number) => ({
  id,
  active: true,
  currency: 'usd',
  unit_amount,
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed', meter: null },
})
const metered = (id: string, unit_amount_decimal: string, counted: string) => ({
  id,
  active: true,
  currency: 'usd',
  unit_amount_decimal,
  recurring: { interval: 'month', interval_count: 1, usage_type: 'metered', meter: counted },
})

async function verdictWith(change: (stripe: FakeStripe) => void, key = 'sk_test_fake') {
  const stripe = await new FakeStripe(Date.now()).listen()
  const prices = [
    monthly('price_pro', 9_900),
    monthly('price_enterprise', 49_900),
    metered('price_over_pro', '0.3', 'mtr_calls_pro'),
    metered('price_over_ent', '0.1', 'mtr_calls_enterprise'),
  ]
  for (const price of prices) stripe.catalogue.set(`prices/${price.id}`, price)
  stripe.catalogue.set('billing/meters', [meter('calls_pro'), meter('calls_enterprise')])
  const endpoint = { url: `${SITE}/api/stripe/webhook`, status: 'enabled', enabled_events: [...EVENTS] }
  stripe.catalogue.set('webhook_endpoints', [endpoint])
  change(stripe)
  const own = { HOLDSHORT_SITE_URL: SITE, STRIPE_SECRET_KEY: key }
  return checkStripe(readSettings({ ...stripeSettings(stripe.url), ...own }))
}

test('says that all is well when prices, meters and events are those of the manual', async () => {
  expect(await verdictWith(() => undefined)).toBe(
    'prices of pro and enterprise, meters and webhook events are as expected',
  )
})

test.each<[string, unknown, string]>([
  ['prices/price_pro', monthly('price_pro', 8_900), 'price_pro costs 89 usd, and /plans says 99 usd'],
  ['prices/price_pro', { ...monthly('price_pro', 9_900), active: false }, 'price_pro is archived'],
  ['prices/price_over_pro', metered('price_over_pro', '3', 'mtr_calls_pro'), 'costs 0.03 usd a call'],
  ['prices/price_over_pro', metered('price_over_pro', '0.3', 'mtr_x'), 'does not count by the meter calls_pro'],
  ['billing/meters', [meter('calls_pro')], 'there is no meter with the event name calls_enterprise'],
  ['webhook_endpoints', [], 'there is no webhook endpoint at https://waits.example/api/stripe/webhook'],
  [
    'webhook_endpoints',
    [{ url: `${SITE}/api/stripe/webhook`, status: 'enabled', enabled_events: ['invoice.paid'] }],
    'does not send checkout.session.completed',
  ],
])('finds what is wrong with %s', async (path, value, says) => {
  expect(await verdictWith((stripe) => stripe.catalogue.set(path, value))).toMatchObject({
    level: 'wrong',
    says: expect.stringContaining(says),
  })
})

test('a key that Stripe refuses is wrong', async () => {
  expect(await verdictWith(() => undefined, 'sk_test_other')).toMatchObject({ level: 'wrong' })
})
