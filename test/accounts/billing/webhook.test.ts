import { expect, test } from 'vitest'
import { rereadSubscriptions } from '../../../accounts/billing/reread-subscriptions.ts'
import { readSettings } from '../../../config/settings.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { openHarness } from '../../api/harness.ts'
import { openBilling, sessionIdOf, signedRequest, stripeSettings, WEBHOOK_SECRET } from './billing-setup.ts'

test('there is no webhook without Stripe, and incomplete Stripe settings prevent the start', async () => {
  const { app } = await openHarness()
  const request = signedRequest('{}', WEBHOOK_SECRET, NOW)
  expect((await app.inject(request)).statusCode).toBe(404)
  await expect(openHarness({ STRIPE_SECRET_KEY: 'sk_test_fake' })).rejects.toThrow(
    /STRIPE_WEBHOOK_SECRET: .*\n.*STRIPE_PRICE_PRO/,
  )
  const half = {
    STRIPE_SECRET_KEY: 'sk_test_fake',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICE_PRO: 'price_pro',
  }
  await expect(openHarness({ ...half, STRIPE_METER_PRO: 'calls' })).rejects.toThrow(/set together/)
})

test('a request without a valid, recent signature gets the same 400 whatever is wrong and changes nothing', async () => {
  const billing = await openBilling()
  const { app, stripe, controls, deliver, state, tierOf } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  const event = stripe.change([...stripe.subscriptions.keys()][0]!, { status: 'canceled' })
  const good = signedRequest(JSON.stringify(event), WEBHOOK_SECRET, controls.now)
  const signature = good.headers['stripe-signature']
  const { 'stripe-signature': _, ...unsigned } = good.headers
  const attempts = {
    'wrong secret': await deliver(event, { secret: 'whsec_other' }),
    'old signature': await deliver(event, { now: controls.now - 301_000 }),
    'no signature': await app.inject({ ...good, headers: unsigned }),
    'empty signature': await app.inject({ ...good, headers: { ...good.headers, 'stripe-signature': '' } }),
    nonsense: await app.inject({ ...good, headers: { ...good.headers, 'stripe-signature': 't=9,v1=\u00ff,v0=' } }),
    'another body': await app.inject({ ...good, payload: JSON.stringify({ ...event, type: 'invoice.paid' }) }),
    'same bytes, one more': await app.inject({ ...good, payload: `${good.payload} ` }),
    'no body': await app.inject({ ...good, payload: '' }),
    'not JSON': await app.inject(signedRequest('{"id":', WEBHOOK_SECRET, controls.now)),
    'thin event': await app.inject(signedRequest('{"object":"v2.core.event"}', WEBHOOK_SECRET, controls.now)),
  }
  const problems = new Set<string>()
  for (const [name, answer] of Object.entries(attempts)) {
    expect(answer.statusCode, name).toBe(400)
    const { detail, code } = answer.json()
    problems.add(`${code} ${detail}`)
    expect(answer.body, name).not.toMatch(/whsec|tolerance|timestamp|signatures found/i)
  }
  expect(problems).toEqual(new Set(['INVALID_PARAMETER body: is not a signed event']))
  const put = (headers: Record<string, string>, payload = 'x') =>
    app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload })
  expect((await put({ 'content-type': 'text/plain' })).statusCode).toBe(415)
  expect((await put(good.headers, JSON.stringify({ x: 'y'.repeat(262_144) }))).statusCode).toBe(413)
  expect((await app.inject('/api/stripe/webhook')).statusCode).toBe(405)
  expect(await tierOf(ada.account_id)).toBe('pro')

  // Signed but irrelevant events are answered and ignored.
  const before = await state.db.selectFrom('stripe_events').selectAll().execute()
  const bodies = [
    '[]',
    '7',
    '"x"',
    '{}',
    'null',
    '{"id":"evt_x","type":"customer.subscription.updated","created":1,"data":null}',
    JSON.stringify({ ...event, id: 'evt_y', type: 'charge.refunded' }),
    JSON.stringify({ ...event, id: 'evt_z', data: { object: { id: 'sub_9', customer: 'cus_unknown' } } }),
    JSON.stringify({ ...event, id: { $ne: 1 } }),
  ]
  for (const body of bodies)
    expect((await app.inject(signedRequest(body, WEBHOOK_SECRET, controls.now))).statusCode, body).toBe(200)
  expect(await state.db.selectFrom('stripe_events').selectAll().execute()).toEqual(before)
  expect(await tierOf(ada.account_id)).toBe('pro')
  // The signature is still valid for the original event, even beside another one.
  const late = await app.inject({ ...good, headers: { ...good.headers, 'stripe-signature': `${signature},v1=0` } })
  expect(late.statusCode).toBe(200)
  expect(await tierOf(ada.account_id)).toBe('free')
})

test('while Stripe cannot be read an event is answered 502, and when Stripe repeats it, it is applied once', async () => {
  const billing = await openBilling()
  const { stripe, deliver, state, tierOf } = billing
  const ada = await billing.createPerson()
  const { id, customer } = await billing.buy(ada, 'pro')
  stripe.beforeAnswer = () => {
    throw new Error('down')
  }
  stripe.change(id, { status: 'past_due' })
  const event = stripe.invoice(customer, 'invoice.payment_failed')
  const answer = await deliver(event)
  expect(answer.statusCode).toBe(502)
  expect(answer.json().code).toBe('STRIPE_FAILED')
  stripe.beforeAnswer = () => undefined
  // Delivered concurrently and then once more.
  const answers = await Promise.all([deliver(event), deliver(event), deliver(event)])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  await deliver(event)
  expect(await tierOf(ada.account_id)).toBe('pro')
  const failed = await state.db.selectFrom('audit').selectAll().where('action', '=', 'payment_failed').execute()
  expect(failed).toHaveLength(1)
  expect(JSON.parse(failed[0]!.detail)).toEqual({ invoice_id: event.data.object['id'] })
})

test('deleting a customer at Stripe ends its plan', async () => {
  const billing = await openBilling()
  const { stripe, deliver, tierOf } = billing
  const ada = await billing.createPerson()
  const { id, customer } = await billing.buy(ada, 'enterprise')
  const event = stripe.change(id, { status: 'canceled' })
  stripe.customers.delete(customer)
  expect((await deliver(event)).statusCode).toBe(200)
  expect(await tierOf(ada.account_id)).toBe('free')
})

test('a change whose event was lost is read within hours, and a customer of another mode keeps the plan', async () => {
  const billing = await openBilling()
  const { stripe, state, controls, tierOf } = billing
  const settings = readSettings(stripeSettings(stripe.url))
  const reread = () => rereadSubscriptions({ settings, state, clock: () => controls.now }, controls.now)
  const [ada, bob, eve] = [await billing.createPerson(), await billing.createPerson(), await billing.createPerson()]
  const { id } = await billing.buy(ada, 'pro')
  const other = await billing.buy(eve, 'enterprise')
  const { headers } = await bob.post('/plans/checkout', { tier: 'pro' }, '/plans')
  const bobs = stripe.pay(sessionIdOf(headers.location))
  stripe.change(id, { status: 'canceled' })
  stripe.customers.delete(other.customer)
  const tiers = async () => [await tierOf(ada.account_id), await tierOf(bob.account_id), await tierOf(eve.account_id)]
  controls.now += 5 * HOUR_MS
  await reread()
  expect(await tiers()).toEqual(['pro', 'free', 'enterprise'])
  controls.now += 2 * HOUR_MS
  await reread()
  expect(await tiers()).toEqual(['free', 'pro', 'enterprise'])
  // Read while the clock was a year ahead.
  controls.now += 365 * 24 * HOUR_MS
  await reread()
  controls.now -= 365 * 24 * HOUR_MS
  stripe.change(bobs.id, { status: 'canceled' })
  await reread()
  expect(await tiers()).toEqual(['free', 'free', 'enterprise'])
  // All have been read: nothing is asked of Stripe before they are due again.
  const { length } = stripe.requests
  controls.now += HOUR_MS
  await reread()
  expect(stripe.requests).toHaveLength(length)
})
