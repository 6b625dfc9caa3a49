import { spawn } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import { grantPlan } from '../../../../api/accounts/billing/grants.ts'
import { overageCalls } from '../../../../api/accounts/billing/overage.ts'
import { reportOverage } from '../../../../api/accounts/billing/report-overage.ts'
import { addUsage } from '../../../../api/data/gate/usage.ts'
import { HOUR_MS } from '../../../../config/domain.ts'
import { projectFile } from '../../../../config/paths.ts'
import { readSettings } from '../../../../config/settings.ts'
import type { SignedIn } from '../people/signed-in.ts'
import { openSelling, PRICES, type Selling, sellingAt } from './selling.ts'

async function openBilling() {
  const selling = await openSelling()
  const { state, controls, stripe } = selling
  const settings = readSettings(sellingAt(stripe.url))
  const use = ({ account_id }: SignedIn, calls: number) =>
    addUsage(state.db, [
      { account_id, day: new Date(controls.now).toISOString().slice(0, 10), endpoint: 'getWaitTimes', calls },
    ])
  return { ...selling, use, tell: () => reportOverage({ settings, state }, controls.now) }
}

/** What each meter came to, by customer. */
function metered({ stripe }: Selling, meter = 'calls_pro') {
  const told = [...stripe.metered.values()].filter(({ event_name }) => event_name === meter)
  return told.reduce((sum, fields) => sum + Number(fields['payload[value]']), 0)
}

test('overage is what goes beyond the included calls, and never less than was told', () => {
  expect(overageCalls(4_999, { included_calls: 5_000, calls: 0 })).toBe(0)
  expect(overageCalls(5_001, { included_calls: 5_000, calls: 0 })).toBe(1)
  expect(overageCalls(5_500, { included_calls: 100_000, calls: 400 })).toBe(400)
})

test('each call beyond the month’s is told once, and the month before is closed in the first days of the next', async () => {
  const billing = await openBilling()
  const { controls, stripe, use, tell } = billing
  const ada = await billing.person()
  await billing.buy(ada, 'pro')
  await use(ada, 5_000)
  await tell()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 120)
  await Promise.all([tell(), tell()])
  await tell()
  expect(metered(billing)).toBe(120)
  await use(ada, 30)
  await tell()
  expect(metered(billing)).toBe(150)
  const row = await billing.state.db.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
  expect([...stripe.metered].map(([id, fields]) => [id, fields['payload[stripe_customer_id]']])).toEqual([
    [`${ada.account_id}:2026-11:0-120`, row.customer_id],
    [`${ada.account_id}:2026-11:120-150`, row.customer_id],
  ])

  await use(ada, 7)
  controls.now = Date.parse('2026-12-01T00:10:00Z')
  await use(ada, 40)
  await tell()
  expect(metered(billing)).toBe(157)
  controls.now = Date.parse('2026-12-04T00:00:00Z')
  await tell()
  const rows = await billing.state.db.selectFrom('overage_reports').selectAll().orderBy('month').execute()
  expect(rows.map(({ month, calls }) => [month, calls])).toEqual([
    ['2026-11', 157],
    ['2026-12', 0],
  ])
})

test('calls before the purchase, and calls under a higher plan of the month, are not billed', async () => {
  const billing = await openBilling()
  const { controls, state, stripe, use, tell, deliverAll } = billing
  const [ada, ben, cleo] = [await billing.person(), await billing.person(), await billing.person()]
  // Granted Pro, 9,000 calls, then bought.
  await grantPlan(state, ada.account_id, { tier: 'pro', until: null, note: null }, controls.now)
  await use(ada, 9_000)
  await billing.buy(ada, 'pro')
  await tell()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 10)
  await tell()
  expect(metered(billing)).toBe(10)
  // Enterprise for a while, then Pro.
  const { id } = await billing.buy(ben, 'enterprise')
  await use(ben, 60_000)
  await tell()
  stripe.change(id, { price: PRICES.pro })
  await deliverAll()
  await tell()
  expect(metered(billing)).toBe(10)
  // Unpaid and paid again: what was told stays told, what is free stays free.
  const { id: late } = await billing.buy(cleo, 'pro')
  await use(cleo, 8_000)
  await tell()
  expect(metered(billing)).toBe(3_010)
  for (const status of ['unpaid', 'active']) stripe.change(late, { status })
  await deliverAll()
  await use(cleo, 5)
  await tell()
  expect(metered(billing)).toBe(3_015)
  // Without a subscription nothing is told.
  stripe.change(late, { status: 'canceled' })
  await deliverAll()
  await use(cleo, 50)
  await tell()
  expect(metered(billing)).toBe(3_015)
})

test('refused, it is told later; of unknown outcome, it is repeated under its name, and given up when that is no more sure', async () => {
  const billing = await openBilling()
  const { controls, state, stripe, use, tell } = billing
  const ada = await billing.person()
  await billing.buy(ada, 'pro')
  await use(ada, 5_100)
  const lost = () => {
    stripe.beforeAnswer = (request) => {
      if (request.includes('meter_events')) throw new Error('lost')
    }
  }
  stripe.meters.clear()
  await tell()
  stripe.meters.add('calls_pro')
  lost()
  await tell()
  stripe.beforeAnswer = () => undefined
  await use(ada, 1)
  await tell()
  await tell()
  expect([...stripe.metered.keys()].map((key) => key.split(':')[2])).toEqual(['0-100', '100-101'])

  lost()
  await use(ada, 9)
  await tell()
  stripe.metered.clear()
  stripe.beforeAnswer = () => undefined
  controls.now += 21 * HOUR_MS
  await tell()
  expect(stripe.metered.size).toBe(0)
  await use(ada, 2)
  await tell()
  expect(metered(billing)).toBe(2)
  const row = await state.db.selectFrom('overage_reports').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ calls: 112, telling: null })
})

// The killed program opens the SQLite file of the folder.
const onSqlite = inject('postgresql') ? () => undefined : test
onSqlite('kill −9 between Stripe’s taking it and our writing it bills no call twice', async () => {
  const billing = await openBilling()
  const { controls, stripe, dataDir, use } = billing
  const ada = await billing.person()
  await billing.buy(ada, 'pro')
  await use(ada, 5_300)
  const run = (kill: boolean) =>
    new Promise<string | null>((done, fail) => {
      const program = projectFile('dist', 'test', 'programs', 'report-overage.js')
      const env = { ...process.env, ...sellingAt(stripe.url), HOLDSHORT_DATA_DIR: dataDir }
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
  // The first repeats what was cut off, the second tells what came since.
  for (let time = 0; time < 2; time++) expect(await run(false)).toBeNull()
  expect(metered(billing)).toBe(311)
})
