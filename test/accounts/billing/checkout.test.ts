import { expect, test } from 'vitest'
import { deleteCustomer } from '../../../accounts/billing/customer.ts'
import { hashPassword } from '../../../accounts/people/passwords.ts'
import { QUERIES, TOOLS } from '../../../bin/service/registry.ts'
import { readSettings } from '../../../config/settings.ts'
import { openHarness } from '../../api/harness.ts'
import { openBilling, sessionIdOf, stripeSettings } from './billing-setup.ts'

const PASSWORD = 'four words and then some'

test('only one checkout of an account can be paid, opened concurrently or one after the other', async () => {
  const billing = await openBilling()
  const { stripe } = billing
  const ada = await billing.createPerson()
  await ada.get('/plans')
  const open = () => [...stripe.sessions.values()].filter(({ status }) => status === 'open')
  const answers = await Promise.all(
    (['pro', 'enterprise', 'pro', 'pro'] as const).map((tier) => ada.post('/plans/checkout', { tier }, '/plans')),
  )
  const sessionIds = answers
    .filter(({ statusCode }) => statusCode === 303)
    .map(({ headers }) => sessionIdOf(headers.location))
  expect(sessionIds.length).toBeGreaterThanOrEqual(1)
  for (const answer of answers) expect([303, 409]).toContain(answer.statusCode)
  expect(open()).toHaveLength(1)
  expect(sessionIds).toContain(open()[0]!.id)
  expect(stripe.customers.size).toBe(1)

  const second = await ada.post('/plans/checkout', { tier: 'enterprise' }, '/plans')
  expect(open().map(({ id }) => id)).toEqual([sessionIdOf(second.headers.location)])
})

test('an account whose subscription may still be charged is redirected to the portal, also when it paid a moment ago', async () => {
  const billing = await openBilling()
  const { stripe, tierOf, deliverAll } = billing
  const ada = await billing.createPerson()
  const first = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  const form = await ada.get('/plans')
  // Paid, but no event has arrived yet.
  const { id, customer } = stripe.pay(sessionIdOf(first.headers.location))
  const token = /name="_csrf" value="([^"]+)"/.exec(form.body)![1]!
  const again = await ada.post('/plans/checkout', { tier: 'enterprise', _csrf: token }, '/plans')
  expect(again.headers.location).toBe(`https://billing.stripe.com/p/${customer}`)
  expect(await tierOf(ada.account_id)).toBe('pro')
  await deliverAll()
  for (const status of ['past_due', 'unpaid', 'paused', 'incomplete']) {
    stripe.change(id, { status })
    await deliverAll()
    expect((await ada.get('/plans')).body, status).not.toContain('action="/plans/checkout"')
    const answer = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
    expect(answer.headers.location, status).toContain('billing.stripe.com')
  }
  stripe.change(id, { status: 'canceled' })
  await deliverAll()
  const anew = await ada.post('/plans/checkout', { tier: 'enterprise' }, '/plans')
  expect(anew.headers.location).toContain('checkout.stripe.com')
  expect(stripe.sessions.size).toBe(2)
})

test('a checkout that breaks off leaves no session that could be paid besides the next one', async () => {
  const billing = await openBilling()
  const { stripe } = billing
  const ada = await billing.createPerson()
  await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  stripe.beforeAnswer = (request) => {
    if (request.endsWith('/expire')) throw new Error('lost')
  }
  const broken = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  expect(broken.statusCode).toBe(303)
  stripe.beforeAnswer = (request) => {
    if (request === 'POST /v1/checkout/sessions') throw new Error('lost')
  }
  const failed = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  expect(failed.statusCode).toBe(502)
  expect(failed.body).toContain('STRIPE_FAILED')
  expect(failed.body).not.toMatch(/sk_test|127\.0\.0\.1/)
  stripe.beforeAnswer = () => undefined
  const last = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  const sessionIds = [broken, last].map(({ headers }) => sessionIdOf(headers.location))
  expect(sessionIds.map((id) => stripe.sessions.get(id)!.status)).toEqual(['expired', 'open'])
})

test('a customer that Stripe has deleted is created again and can buy again', async () => {
  const billing = await openBilling()
  const { stripe, tierOf, deliverAll, state } = billing
  const settings = readSettings(stripeSettings(stripe.url))
  const ada = await billing.createPerson()
  const { customer } = await billing.buy(ada, 'pro')
  await deleteCustomer({ settings, state }, ada.account_id)
  await deleteCustomer({ settings, state }, ada.account_id)
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('free')
  const { customer: another } = await billing.buy(ada, 'pro')
  expect(another).not.toBe(customer)
  expect(await tierOf(ada.account_id)).toBe('pro')
})

test('a plan that was paid begins when its buyer returns, although no event of Stripe arrives', async () => {
  const { stripe, controls, tierOf, createPerson } = await openBilling()
  const ada = await createPerson()
  const { headers } = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  const back = async () => (await ada.get('/plans/bought')).headers.location
  controls.now += 60_000
  expect(await back()).toBe('/dashboard?done=paying')
  const asked = stripe.requests.length
  expect(await back()).toBe('/dashboard?done=paying')
  expect(stripe.requests.length, 'asked once in five seconds').toBe(asked)
  controls.now += 5_000
  stripe.pay(sessionIdOf(headers.location))
  stripe.beforeAnswer = () => {
    throw new Error('lost')
  }
  expect(await back()).toBe('/dashboard?done=paying')
  stripe.beforeAnswer = () => undefined
  expect(await back()).toBe('/dashboard?done=bought')
  expect(await tierOf(ada.account_id)).toBe('pro')
  expect((await ada.get('/dashboard?done=bought')).body).toContain('Your plan has begun')
})

test('the customer of a plan that was paid stays at Stripe when its account is deleted, and the page says so', async () => {
  const billing = await openBilling()
  const { stripe, state } = billing
  const ada = await billing.createPerson()
  const password_hash = await hashPassword(PASSWORD)
  await state.db.updateTable('people').set({ password_hash }).where('id', '=', ada.person_id).execute()
  const { customer, id } = await billing.buy(ada, 'pro')
  stripe.change(id, { status: 'canceled' })
  await billing.deliverAll()
  expect((await ada.get('/account')).body).toContain('What Stripe knows of a paid plan')
  const left = await ada.post('/account/delete', { typed_email: ada.email, delete_password: PASSWORD }, '/account')
  expect(left.body).toContain('What Stripe knows of a paid plan')
  expect([...stripe.customers.keys()]).toEqual([customer])
})

test('nobody pays for an account that was deleted, and one that was paid meanwhile is not deleted', async () => {
  const billing = await openBilling()
  const { stripe, state, tierOf } = billing
  const password_hash = await hashPassword(PASSWORD)
  const leaving = async () => {
    const person = await billing.createPerson()
    await state.db.updateTable('people').set({ password_hash }).where('id', '=', person.person_id).execute()
    const { headers } = await person.post('/plans/checkout', { tier: 'pro' }, '/plans')
    const fields = { typed_email: person.email, delete_password: PASSWORD }
    const leave = () => person.post('/account/delete', fields, '/account')
    return { ...person, leave, session: sessionIdOf(headers.location) }
  }
  const ada = await leaving()
  expect((await ada.get('/account')).body).not.toContain('What Stripe knows')
  expect((await ada.leave()).body).toMatch(/Your account is deleted\.(?!.*What Stripe knows)/s)
  expect(stripe.sessions.get(ada.session)!.status).toBe('expired')
  // Stripe has nothing to keep of a person who bought nothing.
  expect(stripe.customers.size).toBe(0)

  // Paid, but no event has arrived yet.
  const ben = await leaving()
  stripe.pay(ben.session)
  const refused = await ben.leave()
  expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('cancel it at Stripe first')])
  expect(await tierOf(ben.account_id)).toBe('pro')

  // Opened with the keys of another mode.
  const cleo = await leaving()
  stripe.sessions.delete(cleo.session)
  expect((await cleo.post('/plans/checkout', { tier: 'pro' }, '/plans')).headers.location).toContain('checkout.stripe')
  stripe.sessions.clear()
  expect((await cleo.leave()).body).toContain('Your account is deleted.')
})

test('each account has its own customer and portal, whatever fields a form contains', async () => {
  const billing = await openBilling()
  const { stripe, tierOf } = billing
  const ada = await billing.createPerson()
  const ben = await billing.createPerson()
  const cleo = await billing.createPerson()
  const { customer } = await billing.buy(ada, 'pro')
  await ben.post('/plans/checkout', { tier: 'pro' }, '/plans')
  const fields = { customer, customer_id: customer, account_id: ada.account_id, tier: 'pro' }
  const portal = await ben.post('/plans/portal', fields, '/plans')
  expect(portal.headers.location).toMatch(/^https:\/\/billing\.stripe\.com\/p\/cus_/)
  expect(portal.headers.location).not.toContain(customer)
  // An account without a customer has no portal.
  expect((await cleo.post('/plans/portal', fields, '/plans')).headers.location).toBe('/plans')
  await cleo.post('/plans/checkout', fields, '/plans')
  expect([...stripe.sessions.values()].filter((session) => session.customer === customer)).toHaveLength(1)
  expect(await tierOf(ben.account_id)).toBe('free')
})

test('forms are refused without a session, with a forged token and for tiers that are not sold', async () => {
  const billing = await openBilling({
    STRIPE_PRICE_ENTERPRISE: '',
    STRIPE_OVERAGE_PRICE_ENTERPRISE: '',
    STRIPE_METER_ENTERPRISE: '',
  })
  const { app, stripe } = billing
  const ada = await billing.createPerson()
  for (const url of ['/plans/checkout', '/plans/portal']) {
    expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode, url).toBeGreaterThanOrEqual(400)
    expect((await ada.post(url, { tier: 'pro', _csrf: 'forged' }, '/plans')).statusCode, url).toBe(403)
  }
  for (const tier of ['enterprise', 'free', '', 'constructor'])
    expect((await ada.post('/plans/checkout', { tier }, '/plans')).statusCode, tier).toBe(400)
  expect(stripe.sessions.size).toBe(0)
  const page = await ada.get('/plans')
  expect(page.body).toContain('Buy Pro')
  expect(page.body).not.toContain('Buy Enterprise')
  expect(page.headers['content-security-policy']).toContain(
    "form-action 'self' https://checkout.stripe.com https://billing.stripe.com https://invoice.stripe.com;",
  )
})

test('without Stripe the page shows the contact and sells nothing', async () => {
  const { app } = await openHarness({ HOLDSHORT_CONTACT: 'ops@airport.aero' })
  const page = await app.inject('/plans')
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<a class="button" href="mailto:ops@airport.aero">Ask for Pro</a>')
  expect(page.body).not.toMatch(/method="post"|Stripe/)
  expect(page.headers['content-security-policy']).toContain("form-action 'self';")
  expect((await app.inject({ method: 'POST', url: '/plans/checkout' })).statusCode).toBe(404)
})

test('what /plans calls paid is what the operations and tools refuse to a free account', () => {
  const paid = [...QUERIES, ...TOOLS.map(({ query }) => query)].filter(({ tier }) => tier !== 'free')
  expect([...new Set(paid.map(({ name }) => name))].sort()).toEqual([
    'bulkWaitTimes',
    'getAcris',
    'getHistorical',
    'getImmigration',
    'getLiveWaitTime',
    'getPredictions',
    'getWaitTimes',
  ])
})
