import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { PRICES } from './billing-setup.ts'
import { metered, openMeteredBilling } from './metered-billing.ts'

/** A Pro account; `during` runs one report an hour for some hours, with a call in each. */
async function openPro() {
  const billing = await openMeteredBilling()
  const { controls, use, report } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  await use(ada, 5_100)
  const during = async (hours: number) => {
    for (let hour = 0; hour < hours; hour++) {
      controls.now += HOUR_MS
      await use(ada, 1)
      await report().catch(() => undefined)
    }
  }
  return { ...billing, ada, during }
}

const away = { lists: 'GET /v1/subscriptions', events: 'POST /v1/billing/meter_events' }

test.each([
  ['Stripe fails', away.lists, 500],
  ['the key is revoked', away.lists, 401],
  ['too many requests are sent', away.lists, 429],
  ['the key is revoked between two requests', away.events, 401],
  ['the key may not write meter events', away.events, 403],
  ['Stripe takes no more events', away.events, 429],
])('no call is lost or billed twice while %s for a day and a half', async (_what, request, status) => {
  const billing = await openPro()
  const { stripe, during, report } = billing
  stripe.refused.set(request, status)
  await during(36)
  expect(stripe.metered.size).toBe(0)
  stripe.refused.clear()
  await report()
  await report()
  expect(metered(billing)).toBe(136)
})

test('no call is lost while Stripe cannot be reached from before the end of a month until a week after it', async () => {
  const { stripe, controls, during, report, use, ada } = await openPro()
  controls.now = Date.parse('2026-11-28T00:00:00Z')
  stripe.beforeAnswer = () => {
    throw new Error('no answer')
  }
  await during(30)
  controls.now = Date.parse('2026-12-08T00:00:00Z')
  await use(ada, 5_003)
  await report().catch(() => undefined)
  stripe.beforeAnswer = () => undefined
  await report()
  await report()
  expect([...stripe.metered.keys()]).toEqual([`${ada.account_id}:2026-11:0-130`, `${ada.account_id}:2026-12:0-3`])
})

test('who buys or moves up in the last minutes of a month has its allowance in that month', async () => {
  const { stripe, controls, deliverAll, report, use, createPerson, buy } = await openMeteredBilling()
  controls.now = Date.parse('2026-11-30T23:50:00Z')
  const [ada, ben] = [await createPerson(), await createPerson()]
  await buy(ada, 'pro')
  const { id } = await buy(ben, 'pro')
  await report()
  stripe.change(id, { price: PRICES.enterprise })
  await deliverAll()
  for (const person of [ada, ben]) await use(person, person === ada ? 5_000 : 50_000)
  controls.now = Date.parse('2026-12-01T00:05:00Z')
  await report()
  expect(stripe.metered.size).toBe(0)
})

test('a month that begins while Stripe is away has the allowance of the tier with which it began', async () => {
  const { stripe, controls, deliverAll, report, use, createPerson, buy } = await openMeteredBilling()
  controls.now = Date.parse('2026-11-20T00:00:00Z')
  const ben = await createPerson()
  const { id } = await buy(ben, 'enterprise')
  await use(ben, 100_010)
  stripe.refused.set(away.lists, 500)
  controls.now = Date.parse('2026-12-02T00:00:00Z')
  await use(ben, 60_000)
  await report().catch(() => undefined)
  stripe.refused.clear()
  stripe.change(id, { price: PRICES.pro })
  await deliverAll()
  await report()
  expect([...stripe.metered.keys()]).toEqual([`${ben.account_id}:2026-11:0-10`])
})
