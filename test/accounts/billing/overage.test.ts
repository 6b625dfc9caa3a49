import { spawn } from 'node:child_process'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { grantPlan, revokeGrant } from '../../../accounts/billing/grants.ts'
import { INCLUDE_UNREPORTED_CALLS } from '../../../accounts/billing/overage.ts'
import { projectFile } from '../../../config/paths.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { PRICES, stripeSettings } from './billing-setup.ts'
import { metered, openMeteredBilling } from './metered-billing.ts'

test('each overage call is reported once, and a month is closed in the first days of the next', async () => {
  const billing = await openMeteredBilling()
  const { controls, stripe, use, report } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  await use(ada, 5_000)
  await report()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 120)
  await Promise.all([report(), report()])
  await report()
  expect(metered(billing)).toBe(120)
  await use(ada, 30)
  await report()
  expect(metered(billing)).toBe(150)
  const row = await billing.state.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
  expect([...stripe.metered].map(([id, fields]) => [id, fields['payload[stripe_customer_id]']])).toEqual([
    [`${ada.account_id}:2026-11:0-120`, row.customer_id],
    [`${ada.account_id}:2026-11:120-150`, row.customer_id],
  ])

  await use(ada, 7)
  controls.now = Date.parse('2026-12-01T00:10:00Z')
  await use(ada, 40)
  await report()
  expect(metered(billing)).toBe(157)
  controls.now = Date.parse('2026-12-04T00:00:00Z')
  await report()
  const rows = await billing.state.db.selectFrom('overage_reports').selectAll().orderBy('month').execute()
  expect(rows.map(({ month, calls }) => [month, calls])).toEqual([
    ['2026-11', 157],
    ['2026-12', 0],
  ])
})

test('calls before the purchase and calls on a higher plan of the same month are not billed', async () => {
  const billing = await openMeteredBilling()
  const { controls, state, stripe, use, report, deliverAll } = billing
  const ada = await billing.createPerson()
  const ben = await billing.createPerson()
  const cleo = await billing.createPerson()
  // Pro is granted, 9,000 calls are made, then Pro is bought.
  await grantPlan(state, ada.account_id, { tier: 'pro', until: null, note: null }, controls.now)
  await use(ada, 9_000)
  await billing.buy(ada, 'pro')
  await report()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 10)
  await report()
  expect(metered(billing)).toBe(10)
  // A downgrade from Enterprise to Pro within the month.
  const { id } = await billing.buy(ben, 'enterprise')
  await use(ben, 60_000)
  await report()
  stripe.change(id, { price: PRICES.pro })
  await deliverAll()
  await report()
  expect(metered(billing)).toBe(10)
  // Unpaid and paid again: reported calls stay reported, included calls stay included.
  const { id: late } = await billing.buy(cleo, 'pro')
  await use(cleo, 8_000)
  await report()
  expect(metered(billing)).toBe(3_010)
  for (const status of ['unpaid', 'active']) stripe.change(late, { status })
  await deliverAll()
  await use(cleo, 5)
  await report()
  expect(metered(billing)).toBe(3_015)
  // Without a subscription nothing is reported.
  stripe.change(late, { status: 'canceled' })
  await deliverAll()
  await use(cleo, 50)
  await report()
  expect(metered(billing)).toBe(3_015)
})

test('the last calls before a cancellation are reported with it, once, as of its last period', async () => {
  const billing = await openMeteredBilling()
  const { controls, stripe, use, report, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'pro')
  await use(ada, 5_010)
  await report()
  await use(ada, 7)
  const ended_at = controls.now / 1_000
  const event = stripe.change(id, { status: 'canceled', ended_at })
  await deliverAll()
  expect(metered(billing)).toBe(17)
  expect([...stripe.metered.values()].at(-1)).toMatchObject({ timestamp: String(ended_at - 1) })
  await billing.deliver({ ...event, id: 'evt_again' })
  await report()
  await use(ada, 50)
  await report()
  expect(metered(billing)).toBe(17)
  expect(await billing.tierOf(ada.account_id)).toBe('free')
})

test('a subscription ends although its last calls cannot be reported', async () => {
  const billing = await openMeteredBilling()
  const { stripe, use, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'pro')
  await use(ada, 5_010)
  stripe.beforeAnswer = (request) => {
    if (request === 'POST /v1/billing/meter_events') throw new Error('no answer')
  }
  stripe.change(id, { status: 'canceled' })
  await deliverAll()
  expect(await billing.tierOf(ada.account_id)).toBe('free')
})

test('calls of the month before that were made on a granted plan are not billed by a subscription that is resumed in its closing days', async () => {
  const billing = await openMeteredBilling()
  const { controls, state, stripe, use, report, deliverAll } = billing
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'pro')
  await use(ada, 5_010)
  await report()
  expect(metered(billing)).toBe(10)
  stripe.change(id, { status: 'paused' })
  await deliverAll()
  await grantPlan(state, ada.account_id, { tier: 'enterprise', until: null, note: null }, controls.now)
  await use(ada, 20_000)
  controls.now = Date.parse('2026-12-01T06:00:00Z')
  await revokeGrant(state, ada.account_id, controls.now)
  stripe.change(id, { status: 'active' })
  await deliverAll()
  await report()
  expect(metered(billing)).toBe(10)
})

test('calls on a higher plan of the same month that has no meter are not billed', async () => {
  const billing = await openMeteredBilling({ STRIPE_OVERAGE_PRICE_ENTERPRISE: '', STRIPE_METER_ENTERPRISE: '' })
  const { stripe, use, report, deliverAll } = billing
  const change = async (id: string, price: string) => {
    stripe.change(id, { price })
    await deliverAll()
    await report()
  }
  const ada = await billing.createPerson()
  const { id } = await billing.buy(ada, 'enterprise')
  await use(ada, 60_000)
  await report()
  await change(id, PRICES.pro)
  expect(metered(billing)).toBe(0)
  await use(ada, 20)
  await change(id, PRICES.enterprise)
  expect(metered(billing)).toBe(0)
  await use(ada, 50_000)
  await change(id, PRICES.pro)
  await use(ada, 7)
  await report()
  expect(metered(billing)).toBe(7)
})

test('a refused report is sent later; one with an unknown outcome is repeated with its identifier until Stripe forgets identifiers', async () => {
  const billing = await openMeteredBilling()
  const { controls, state, stripe, use, report } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  await use(ada, 5_100)
  const lost = () => {
    stripe.beforeAnswer = (request) => {
      if (request.includes('meter_events')) throw new Error('lost')
    }
  }
  stripe.meters.clear()
  await report()
  stripe.meters.add('calls_pro')
  lost()
  await report()
  stripe.beforeAnswer = () => undefined
  await use(ada, 1)
  await report()
  await report()
  expect([...stripe.metered.keys()].map((key) => key.split(':')[2])).toEqual(['0-100', '100-101'])

  lost()
  await use(ada, 9)
  await report()
  stripe.metered.clear()
  stripe.beforeAnswer = () => undefined
  controls.now += 21 * HOUR_MS
  await report()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 2)
  await report()
  expect(metered(billing)).toBe(2)
  const row = await state.db.selectFrom('overage_reports').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ calls: 112, telling: null })
})

test('a state that was put back from a backup bills no call twice that it does not know to be reported', async () => {
  const billing = await openMeteredBilling()
  const { controls, state, stripe, use, report } = billing
  const ada = await billing.createPerson()
  const ben = await billing.createPerson()
  for (const person of [ada, ben]) await billing.buy(person, 'pro')
  await use(ada, 5_100)
  await report()
  // The backup: 40 calls are counted and not reported, and the outcome of a report of another account is not known.
  await use(ada, 40)
  await use(ben, 5_070)
  const month = '2026-11'
  await state.db
    .updateTable('overage_reports')
    .set({ telling: 70, telling_since: new Date(controls.now).toISOString() })
    .where('account_id', '=', ben.account_id)
    .execute()
  const backup = {
    usage: await state.db.selectFrom('usage').selectAll().execute(),
    overage_reports: await state.db.selectFrom('overage_reports').selectAll().execute(),
  }
  await use(ada, 3)
  await report()
  expect(metered(billing)).toBe(143 + 70)

  for (const table of ['usage', 'overage_reports'] as const) {
    await state.db.deleteFrom(table).execute()
    await state.db
      .insertInto(table)
      .values(backup[table] as never)
      .execute()
  }
  await sql.raw(INCLUDE_UNREPORTED_CALLS).execute(state.db)
  // Long after Stripe has forgotten its identifiers.
  controls.now += 30 * HOUR_MS
  await report()
  await report()
  expect(metered(billing)).toBe(143 + 70)
  for (const person of [ada, ben]) await use(person, 6)
  await report()
  expect(metered(billing)).toBe(143 + 70 + 12)
  expect([...stripe.metered.keys()].every((identifier) => identifier.includes(month))).toBe(true)
})

// The killed program opens the SQLite file of the folder.
const onSqlite = inject('postgresql') ? () => undefined : test.runIf(EXHAUSTIVE)
onSqlite('kill −9 after Stripe accepted a report and before we stored that bills no call twice', async () => {
  const billing = await openMeteredBilling()
  const { controls, stripe, dataDir, use } = billing
  const ada = await billing.createPerson()
  await billing.buy(ada, 'pro')
  await use(ada, 5_300)
  const run = (kill: boolean) =>
    new Promise<string | null>((done, fail) => {
      const program = projectFile('dist', 'test', 'programs', 'report-overage.js')
      const env = { ...process.env, ...stripeSettings(stripe.url), HOLDSHORT_DATA_DIR: dataDir }
      const child = spawn(process.execPath, [program, String(controls.now)], { env, stdio: 'inherit' })
      stripe.beforeAnswer = (request) => {
        if (kill && request.includes('meter_events')) child.kill('SIGKILL')
      }
      child.on('error', fail)
      child.on('close', (_code, signal) => done(signal))
    })
  expect(await run(true)).toBe('SIGKILL')
  expect(metered(billing)).toBe(300)
  await use(ada, 11)
  // The first run repeats the interrupted report, the second reports the calls since then.
  for (let time = 0; time < 2; time++) expect(await run(false)).toBeNull()
  expect(metered(billing)).toBe(311)
})
