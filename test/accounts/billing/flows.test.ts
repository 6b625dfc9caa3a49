import { expect, test } from 'vitest'
import { grantPlan, revokeGrant } from '../../../accounts/billing/grants.ts'
import { issueFurtherKey } from '../../../accounts/keys/keys.ts'
import { type BillingHarness, openBilling, PRICES, sessionIdOf } from './billing-setup.ts'

const WAITS = '/api/v1/airports/JFK/wait-times'

async function issueKeyCaller(billing: BillingHarness, account_id: string) {
  const { key } = await issueFurtherKey(billing.state, account_id, billing.controls.now)
  return async () => {
    const answer = await billing.app.inject({ url: WAITS, headers: { 'x-api-key': key } })
    return answer.statusCode
  }
}

const audited = async ({ state }: BillingHarness, account_id: string) => {
  const rows = await state.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('actor', '=', 'stripe')
    .execute()
  return rows.map(({ action, detail }) => [action, JSON.parse(detail)] as const)
}

test('buying Pro makes an existing key a Pro key from the next call on', async () => {
  const billing = await openBilling()
  const ada = await billing.createPerson()
  const call = await issueKeyCaller(billing, ada.account_id)
  expect(await call()).toBe(403)
  const answer = await ada.post('/plans/checkout', { tier: 'pro' }, '/plans')
  expect(answer.statusCode).toBe(303)
  const session = billing.stripe.sessions.get(sessionIdOf(answer.headers.location))!
  expect(session).toMatchObject({ client_reference_id: ada.account_id, prices: [PRICES.pro, 'price_over_pro'] })
  expect(billing.stripe.customers.get(session.customer)).toMatchObject({
    email: ada.email,
    'metadata[account_id]': ada.account_id,
  })
  // The session is open but not paid.
  expect(await call()).toBe(403)
  billing.stripe.pay(session.id)
  await billing.deliverAll()
  expect(await call()).toBe(200)
  expect(await audited(billing, ada.account_id)).toEqual([['plan_changed', { from: 'free', to: 'pro' }]])
})

test('an upgrade applies at once, a downgrade revokes the newest keys above the limit, a cancellation keeps the tier to the period’s end', async () => {
  const billing = await openBilling()
  const { stripe, state, controls, tierOf, deliverAll } = billing
  const { account_id, ...ada } = await billing.createPerson()
  const { id } = await billing.buy({ account_id, ...ada }, 'pro')
  stripe.change(id, { price: PRICES.enterprise })
  await deliverAll()
  expect(await tierOf(account_id)).toBe('enterprise')
  const keys: string[] = []
  for (let attempt = 0; attempt < 7; attempt++) {
    controls.now += 1_000
    keys.push((await issueFurtherKey(state, account_id, controls.now)).key_id)
  }
  stripe.change(id, { price: PRICES.pro })
  await deliverAll()
  expect(await tierOf(account_id)).toBe('pro')
  const revoked = async () => {
    const rows = await state.db.selectFrom('keys').selectAll().where('account_id', '=', account_id).execute()
    return rows
      .filter((key) => key.revoked_at !== null)
      .map((key) => key.id)
      .sort()
  }
  expect(await revoked()).toEqual(keys.slice(5).sort())
  expect((await audited(billing, account_id)).filter(([action]) => action === 'key_revoked')).toEqual(
    keys.slice(5).map((key_id) => ['key_revoked', { key_id, name: null, reason: 'plan' }]),
  )

  stripe.change(id, { cancel_at_period_end: true })
  await deliverAll()
  expect(await tierOf(account_id)).toBe('pro')
  expect((await ada.get('/plans')).body).toContain('Your subscription is cancelled and ends on')
  stripe.change(id, { status: 'canceled' })
  await deliverAll()
  expect(await tierOf(account_id)).toBe('free')
  expect(await revoked()).toHaveLength(2)
})

test('a failed payment keeps the plan during retries, loses it when unpaid and restores it when paid', async () => {
  const billing = await openBilling()
  const { stripe, controls, tierOf, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id, customer } = await billing.buy(ada, 'pro')
  const calls = [await issueKeyCaller(billing, ada.account_id), await issueKeyCaller(billing, ada.account_id)]
  stripe.invoice(customer, 'invoice.payment_failed')
  stripe.change(id, { status: 'past_due' })
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('pro')
  expect((await ada.get('/plans')).body).toContain('The last payment failed.')
  for (const call of calls) expect(await call()).toBe(200)
  stripe.change(id, { status: 'unpaid' })
  await deliverAll()
  // The keys stay active as free keys.
  for (const call of calls) expect(await call()).toBe(403)
  controls.now += 60_000
  stripe.change(id, { status: 'active' })
  await deliverAll()
  for (const call of calls) expect(await call()).toBe(200)
  const log = await audited(billing, ada.account_id)
  expect(log.map(([action]) => action)).toEqual(
    expect.arrayContaining(['plan_changed', 'payment_failed', 'plan_changed', 'plan_changed']),
  )
  expect(log.filter(([action]) => action === 'payment_failed')).toHaveLength(1)
})

test('of a grant and a subscription the higher tier counts, and each ends independently', async () => {
  const billing = await openBilling()
  const { stripe, state, controls, tierOf, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'pro')
  await grantPlan(state, ada.account_id, { tier: 'enterprise', until: null, note: 'a friend' }, controls.now)
  expect(await tierOf(ada.account_id)).toBe('enterprise')
  stripe.change(id, { status: 'canceled' })
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('enterprise')
  const page = (await ada.get('/plans')).body
  expect(page).toContain('granted by the operator of this installation')
  expect(page).not.toContain('a friend')
  await billing.buy(ada, 'pro')
  await revokeGrant(state, ada.account_id, controls.now)
  expect(await tierOf(ada.account_id)).toBe('pro')
})

test('an older price grants the tier in its metadata, and no tier without that metadata', async () => {
  const billing = await openBilling()
  const { stripe, tierOf, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id, items } = await billing.buy(ada, 'pro')
  stripe.change(id, { price: 'price_of_last_year' })
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('free')
  items.data[0]!.price.metadata.holdshort_tier = 'pro'
  stripe.change(id, {})
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('pro')
})

test('an upgrade is charged at once and applies when paid, a downgrade applies at once; metered prices stay', async () => {
  const billing = await openBilling()
  const { stripe, tierOf, deliverAll } = billing
  const ada = await billing.createPerson()
  expect((await ada.post('/plans/change', { tier: 'pro' }, '/plans')).statusCode).toBe(409)
  const { id, items } = await billing.buy(ada, 'pro')
  const page = await ada.get('/plans')
  expect(page.body).toContain('href="/plans/change?tier=enterprise"')
  expect(page.body).not.toContain('/plans/change?tier=pro')
  const change = async (tier: string) =>
    (await ada.post('/plans/change', { tier }, `/plans/change?tier=${tier}`)).headers.location
  stripe.bankRequiresConfirmation = true
  expect(await change('enterprise')).toBe('https://invoice.stripe.com/i/in_change')
  expect(await tierOf(ada.account_id)).toBe('pro')
  stripe.bankRequiresConfirmation = false
  expect(await change('enterprise')).toBe('/plans')
  // The tier changes without waiting for the event.
  expect(await tierOf(ada.account_id)).toBe('enterprise')
  const prices = () => items.data.map(({ price }) => price.id)
  expect(prices()).toEqual([PRICES.enterprise, 'price_over_pro', 'price_over_ent'])
  expect(await change('pro')).toBe('/plans')
  await deliverAll()
  expect(await tierOf(ada.account_id)).toBe('pro')
  expect(prices()).toEqual([PRICES.pro, 'price_over_pro', 'price_over_ent'])
  stripe.change(id, { status: 'past_due' })
  await deliverAll()
  expect((await ada.get('/plans')).body).not.toContain('/plans/change')
})

test('a change that Stripe refuses, to a price in another currency, says what to do; one that Stripe does not answer, to try again', async () => {
  const billing = await openBilling()
  const { stripe } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  const change = () => ada.post('/plans/change', { tier: 'enterprise' }, '/plans/change?tier=enterprise')
  stripe.foreignPrices.add(PRICES.enterprise)
  const refused = await change()
  expect(refused.statusCode).toBe(502)
  expect(refused.body).toContain('Cancel it in the billing portal and buy the other plan once it has ended')
  expect(refused.body).not.toContain('try again')
  stripe.beforeAnswer = () => {
    throw new Error('no answer')
  }
  expect((await change()).body).toContain('try again in a minute')
})

test('a customer of an older metered price keeps it, and gets no second price of its meter', async () => {
  const billing = await openBilling({ STRIPE_OVERAGE_PRICE_PRO: 'price_over_pro_of_2027' })
  const { stripe } = billing
  stripe.meterOfPrice.set('price_over_pro_of_2027', 'mtr_pro')
  const ada = await billing.createPerson()
  const { items } = await billing.buy(ada, 'pro')
  Object.assign(items.data[1]!.price, { id: 'price_over_pro' })
  for (const tier of ['enterprise', 'pro', 'enterprise', 'pro'])
    await ada.post('/plans/change', { tier }, `/plans/change?tier=${tier}`)
  expect(items.data.map(({ price }) => price.id)).toEqual([PRICES.pro, 'price_over_pro', 'price_over_ent'])
})
