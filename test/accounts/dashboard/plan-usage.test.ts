import { expect, test } from 'vitest'
import { issueFurtherKey } from '../../../accounts/keys/keys.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { openHarness, shareHarness } from '../../api/harness.ts'
import { insertRow } from '../../api/state/insert-row.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { insertUsage, STRIPE_SETTINGS } from './account-rows.ts'

const harness = shareHarness()

const text = (html: string) => html.replace(/<[^>]+>/g, '').replaceAll('\u00a0', ' ')
const sectionOf = (body: string, id: string) => new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(body)![0]
const shown = async (person: SignedInPerson, query = '') => (await person.get(`/dashboard${query}`)).body

/** The calls of each day according to the bars and to the table. */
function daysOf(body: string) {
  // The chart is drawn for phones too.
  const wide = body.slice(body.indexOf('class="plot"'))
  const bars = [...wide.matchAll(/<title>(\d+ [A-Z][a-z]+): ([\d,]+) calls<\/title>/g)]
  const table = /aria-label="Calls by day"[\s\S]*?<\/table>/.exec(body)![0]
  const rows = [...table.matchAll(/<tr><th scope="row">([^<]+?) ?<.*?<td class="number">([\d,]+)</g)]
  const read = (found: RegExpMatchArray[]) => found.map(([, day, calls]) => [day!, Number(calls!.replace(',', ''))])
  return { bars: read(bars), rows: read(rows) }
}

test('a free plan shows the calls used, the calls left and when further calls are refused', async () => {
  const person = await createSignedInPerson(harness)
  await insertUsage(harness, person.account_id, '2026-11-03', 'getDelays', 990)
  const plan = text(sectionOf(await shown(person), 'plan'))
  expect(plan).toContain('Free 0 USD a month')
  expect(plan).toContain('990 of 1,000 calls of November 2026 used, 10 left.')
  expect(plan).toContain('Further calls are refused until 1 December 2026.')
  expect(plan).toContain(
    `Plans are granted by the operator of this installation. Your account is ${person.account_id}.`,
  )
})

test('a paid plan shows its overage cost, and can be changed where plans are for sale', async () => {
  const harness = await openHarness(STRIPE_SETTINGS)
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  await insertUsage(harness, person.account_id, '2026-11-03', 'getDelays', 5_002)
  const html = sectionOf(await shown(person), 'plan')
  const plan = text(html)
  expect(plan).toContain('Pro 99 USD a month')
  expect(plan).toContain('300 requests a minute for each key')
  expect(plan).toContain('5,000 calls a month, then 3 USD per 1,000')
  expect(plan).toContain('5,002 calls in November 2026; the plan includes 5,000. Overage so far: 2 calls, 0.01 USD.')
  expect(html).toContain('href="/plans"')
  expect(plan).not.toContain('operator')
  expect(plan).not.toContain('payment')
  const { account_id } = person
  const stripe = { customer_id: 'cus_1', subscription_id: 'sub_1', current_period_end: '2026-12-21T14:20:00Z' }
  await insertRow(harness.state, 'subscriptions', { account_id, tier: 'pro', ...stripe })
  const planText = async (change: { status?: string; cancel_at_period_end?: number }) => {
    await harness.state.db.updateTable('subscriptions').set(change).execute()
    return text(sectionOf(await shown(person), 'plan'))
  }
  expect(await planText({ status: 'past_due' })).toContain('Your plan continues while the payment is tried again')
  expect(await planText({ status: 'unpaid' })).toContain('to get your plan and keys back')
  expect(await planText({ status: 'paused' })).toContain('Your subscription is paused.')
  const ends = { status: 'active', cancel_at_period_end: 1 }
  expect(await planText(ends)).toContain('Your subscription is cancelled and ends on 21 Dec 2026')
  expect(await planText({ status: 'canceled' })).not.toContain('Your subscription')
})

test('bars, table and GET /api/agent/me agree, including calls still in memory', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const { key } = await issueFurtherKey(harness.state, person.account_id, NOW)
  const headers = { 'x-api-key': key }
  await insertUsage(harness, person.account_id, '2026-11-01', 'getDelays', 1_234)
  await insertUsage(harness, person.account_id, '2026-11-20', 'listAirports', 70)
  await insertUsage(harness, person.account_id, '2026-10-31', 'getDelays', 9)
  const call = (url: string) => harness.app.inject({ url, headers })
  for (let i = 0; i < 3; i++) expect((await call('/api/v1/airports/JFK/wait-times')).statusCode).toBe(200)
  expect((await call('/api/v1/airports/XXX/wait-times')).statusCode).toBe(404)
  const body = await shown(person)
  const { bars, rows } = daysOf(body)
  const total = rows.at(-1)!
  const days = rows.slice(0, -1)
  expect(bars).toEqual(days)
  expect(days).toHaveLength(21)
  expect(days.filter(([, calls]) => calls !== 0)).toEqual([
    ['1 November', 1_234],
    ['20 November', 70],
    ['21 November', 3],
  ])
  const { usage } = (await call('/api/agent/me')).json()
  expect(total).toEqual(['All', 1_307])
  expect(usage).toMatchObject({
    calls: 1_307,
    by_endpoint: { getDelays: 1_234, listAirports: 70, getWaitTimes: 3 },
  })
  const endpoints = /aria-label="Calls by endpoint"[\s\S]*?<\/table>/.exec(body)![0]
  expect(
    [...endpoints.matchAll(/<code>(\w+)<\/code><\/th><td class="number">([\d,]+)/g)].map(([, ...row]) => row),
  ).toEqual([
    ['getDelays', '1,234'],
    ['listAirports', '70'],
    ['getWaitTimes', '3'],
  ])
  expect(text(sectionOf(body, 'plan'))).toContain('1,307 of 5,000 calls')
})

test('months since the account was created can be shown; other months are refused', async () => {
  const person = await createSignedInPerson(harness)
  const { db } = harness.state
  await db
    .updateTable('accounts')
    .set({ created_at: '2026-10-05T00:00:00.000Z' })
    .where('id', '=', person.account_id)
    .execute()
  await insertUsage(harness, person.account_id, '2026-10-31', 'getDelays', 9)
  expect(await shown(person)).toContain('href="/dashboard?month=2026-10#usage"')
  const october = await shown(person, '?month=2026-10')
  const { bars } = daysOf(october)
  expect([bars.length, bars.at(-1)]).toEqual([31, ['31 October', 9]])
  expect(october).toContain('href="/dashboard?month=2026-11#usage"')
  expect(october).not.toContain('month=2026-09')
  expect(text(sectionOf(october, 'plan'))).toContain('0 of 1,000 calls of November 2026')
  for (const wrong of ['2026-09', '2026-12', '2026-11&month=2026-10', '%3Cb%3E']) {
    const answer = await person.get(`/dashboard?month=${wrong}`)
    expect([answer.statusCode, answer.body.includes('from 2026-10 to 2026-11')], wrong).toEqual([400, true])
  }
})

test('an account of a machine whose clock is ahead, in the month after this one, sees this month', async () => {
  const person = await createSignedInPerson(harness)
  const created_at = '2026-12-01T00:00:01.000Z'
  await harness.state.db.updateTable('accounts').set({ created_at }).where('id', '=', person.account_id).execute()
  expect(text(sectionOf(await shown(person), 'plan'))).toContain('0 of 1,000 calls of November 2026')
})

test('a month without calls says so, without a chart of nothing', async () => {
  const body = await shown(await createSignedInPerson(harness))
  expect(body).toContain('<b>0</b> billed calls')
  expect(body).not.toContain('id="usage-chart"')
})

test('a new account sees the first steps; after the first call they are collapsed', async () => {
  const harness = await openHarness({ HOLDSHORT_SITE_URL: 'http://holdshort.example' })
  const person = await createSignedInPerson(harness)
  const steps = sectionOf((await person.get('/dashboard')).body, 'first-steps')
  for (const part of [
    'curl -H &quot;Authorization: Bearer YOUR_KEY&quot; http://holdshort.example/api/v1/airports/JFK/delays',
    'http://holdshort.example/mcp',
    'href="/alerts"',
    'href="/openapi.json"',
  ])
    expect(steps).toContain(part)
  await insertUsage(harness, person.account_id, '2026-11-03', 'getDelays', 1)
  const body = (await person.get('/dashboard')).body
  expect(body).not.toContain('id="first-steps"')
  expect(body).toContain('<summary>How to make a call</summary>')
})

test('the usage of a month has files with the figures of the page, for the owner alone', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  await insertUsage(harness, person.account_id, '2026-11-02', 'getDelays', 41)
  const fileOf = (format: string) => person.get(`/dashboard/usage.${format}?month=2026-11`)
  const page = await shown(person)
  for (const format of ['svg', 'csv', 'json']) {
    expect(page).toContain(`/dashboard/usage.${format}?month=2026-11`)
    const { statusCode, headers } = await fileOf(format)
    expect([format, statusCode, headers['cache-control']]).toEqual([format, 200, 'private, no-store'])
    expect(headers['access-control-allow-origin']).toBeUndefined()
    const stranger = await harness.app.inject(`/dashboard/usage.${format}`)
    expect([stranger.statusCode, stranger.headers.location]).toEqual([303, expect.stringContaining('/sign-in')])
  }
  const { rows, unit, description } = (await fileOf('json')).json()
  expect(rows.filter(({ calls }: { calls: number }) => calls > 0)).toEqual([{ day: '2026-11-02', calls: 41 }])
  expect([unit, description]).toEqual(['calls', '41 calls in all, most on 2 November: 41.'])
  expect((await fileOf('csv')).body).toContain('2026-11-02,41,2026-11,calls')
  expect((await person.get('/dashboard/usage.csv?month=1999-01')).statusCode).toBe(400)
})
