import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Predictions } from '../../answers/questions/get-predictions.ts'
import type { AccountDependencies } from '../../api/accounts/dependencies.ts'
import { DAY_MS, isoUtc, type Tier } from '../../config/domain.ts'
import { archiveCall } from '../../jobs/calls/archive.ts'
import { type CallServer, implementCall } from '../../jobs/calls/define-call.ts'
import { openSocketClient, serveOnSocket } from '../../jobs/transports/socket.ts'
import { createArchiveAnswerer } from '../../pipeline/archive.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { ARCHIVE_NOW, OBSERVED_HOURS, openArchiveWarehouse } from '../archive-fixture.ts'
import { expectBilled, openHarness, shareHarness } from './harness.ts'
import { call as callTool, connect } from './mcp-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdshort-as-of-'))
let warehouse: Warehouse
let server: CallServer
beforeAll(async () => {
  warehouse = await openArchiveWarehouse(folder)
  const archive = implementCall(
    archiveCall,
    createArchiveAnswerer(warehouse, () => ARCHIVE_NOW),
  )
  server = await serveOnSocket(join(folder, 's'), [archive])
})
afterAll(async () => {
  await server.close()
  await warehouse.close()
  await rm(folder, { recursive: true })
})

/** The app with a pipeline that answers questions about the past over its socket. */
const harness = shareHarness({}, { pipelineClient: openSocketClient(join(folder, 's')) })
const { call } = harness

const JFK = '/api/v1/airports/JFK'
const THEN = isoUtc(ARCHIVE_NOW - DAY_MS)
const predictions = (as_of: string, more = '') => `${JFK}/predictions?as_of=${as_of}${more}`
const historical = (as_of: string, more = '') => `${JFK}/historical?as_of=${as_of}${more}`
const asCsv = { headers: { accept: 'text/csv' } }

describe('predictions with as_of', () => {
  test('returns the forecast issued before, with its backtest and what was observed since', async () => {
    const answer = await call('enterprise', predictions(THEN, '&days=2'))
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-cache' })
    const { hours, ...rest } = answer.json<Predictions>()
    expect(rest).toMatchObject({
      airport: 'JFK',
      date: '2026-11-20',
      as_of: '2026-11-20T14:20:00Z',
      issued_at: '2026-11-20T14:00:07.222Z',
      unavailable_reason: null,
      horizon_hours: 168,
      simulated: false,
      model: { version: 'model:JFK@2026-11-20T04Z', backtest: { mae_minutes: 3.2, samples: 500 } },
    })
    expect(hours).toHaveLength(48)
    const mean = (terminal: string) =>
      OBSERVED_HOURS.find((row) => row.terminal === terminal && row.hour === '2026-11-20T14:00:00Z')!.mean
    expect(hours[0]).toEqual({
      time: '2026-11-20T14:00:00Z',
      local_time: '2026-11-20T09:00:00-05:00',
      wait_minutes: 20,
      low: 15,
      high: 29,
      confidence: 0.73,
      status: 'unknown',
      open_probability: null,
      over_15: 0.9,
      over_30: 0.087,
      observed_minutes: mean(''),
      terminals: [
        {
          terminal: 'T4',
          wait_minutes: 60,
          low: 55,
          high: 69,
          confidence: 0.73,
          status: 'unknown',
          open_probability: null,
          observed_minutes: mean('T4'),
        },
      ],
    })
    // Nothing is known yet about the 24 hours after that.
    expect(hours.map(({ observed_minutes }) => observed_minutes === null)).toEqual([
      ...Array(24).fill(false),
      ...Array(24).fill(true),
    ])
  })

  test('accepts offsets and fractions of a second; days and dates count from as_of', async () => {
    const local = (await call('pro', predictions('2026-11-20T09:20:00.000-05:00'))).json()
    expect(local).toMatchObject({ as_of: '2026-11-20T14:20:00Z', date: '2026-11-20' })
    expect(local.hours).toHaveLength(24)
    // issued_at as as_of finds the same forecast; a millisecond earlier finds the one before.
    for (const [as_of, issued_at] of [
      ['2026-11-20T14:00:07.222Z', '2026-11-20T14:00:07.222Z'],
      ['2026-11-20T14:00:07.221Z', '2026-11-18T14:00:07Z'],
    ] as const)
      expect((await call('pro', predictions(as_of))).json()).toMatchObject({ as_of, issued_at })
    expect((await call('pro', predictions(THEN, '&date=2026-11-21'))).json().hours).toEqual(local.hours)
    const past = await call('pro', predictions(THEN, '&date=2026-11-19'))
    expect(past.json().errors).toMatchObject([{ parameter: 'date', message: expect.stringContaining('2026-11-20') }])
  })

  test('returns no hours where no past forecast exists: another airport, or long after the last one', async () => {
    const { controls } = harness
    const none = (await call('pro', `/api/v1/airports/LGA/predictions?as_of=${THEN}`)).json()
    expect(none).toMatchObject({ model: null, issued_at: null, hours: [] })
    expect(none.unavailable_reason).toContain('worldwide prior')
    controls.now = ARCHIVE_NOW + 9 * DAY_MS
    const later = (await call('enterprise', predictions(isoUtc(ARCHIVE_NOW + 8 * DAY_MS)))).json()
    expect(later).toMatchObject({ model: null, unavailable_reason: 'no forecast was made in the 7 days before' })
  })
})

test('an offset may lack its colon, as generated Python clients write it; a day that does not exist is refused', async () => {
  const local = `${new Date(ARCHIVE_NOW - DAY_MS - 5 * 3_600_000).toISOString().slice(0, 19)}.000000-0500`
  const answer = await call('enterprise', predictions(local))
  expect(answer.json()).toMatchObject({ as_of: '2026-11-20T14:20:00Z', issued_at: '2026-11-20T14:00:07.222Z' })
  for (const wrong of ['2026-11-31T14:20:00.000000%2B0000', '2026-11-20T14:20:00%2B', '2026-11-20T14:20:00Z0000'])
    expect((await call('enterprise', predictions(wrong))).statusCode, wrong).toBe(400)
})

test('history with as_of has only what was known then, and the number of withheld hours', async () => {
  const as_of = ARCHIVE_NOW - DAY_MS
  const answer = (await call('enterprise', historical(isoUtc(as_of), '&days=3'))).json()
  expect(answer).toMatchObject({ from: '2026-11-17T14:00:00Z', to: '2026-11-20T14:00:00Z', as_of: THEN })
  const within = OBSERVED_HOURS.filter(({ hour }) => hour >= answer.from && hour < answer.to)
  const known = within.filter(({ available_at }) => Date.parse(available_at) <= as_of)
  expect(answer.hours).toHaveLength(known.length)
  expect(answer.withheld_hours).toBe((within.length - known.length) / 2)
  expect(answer.withheld_hours).toBeGreaterThan(0)
  for (const { time, basis, source } of answer.hours) {
    expect(source).toBe(known.find(({ hour }) => hour === time)?.source)
    expect(basis).toBe(source === 'crowd' ? 'reported' : 'measured')
  }
  expect(answer.coverage).toBeCloseTo(known.length / 2 / 72, 3)
  const pro = (await call('pro', historical(isoUtc(as_of), '&days=3'))).json()
  expect(pro.hours).toHaveLength(known.length / 2)
})

test('REST and MCP return the same answer', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  for (const [name, url, text] of [
    ['get_wait_time_predictions', predictions(THEN, '&days=1'), /as forecast at 09:00 on Fri 20 Nov.*observed 1/s],
    [
      'get_historical_wait_times',
      historical(THEN, '&days=1'),
      /As it was known at 09:20 on Fri 20 Nov; 1 hour known only later/,
    ],
  ] as const) {
    const result = await callTool(client, name, { iata: 'JFK', days: 1, as_of: THEN, detail: 'full' })
    const more = expect.toBeOneOf([null, expect.any(String)])
    expect(result.structuredContent, name).toEqual({ ...(await harness.call('enterprise', url)).json(), more })
    expect(result.content[0]!.text).toMatch(text)
  }
})

test('CSV has the observed minutes and the issue time', async () => {
  const [header, first] = (await call('pro', predictions(THEN), asCsv)).body.split('\r\n')
  expect(header).toBe(
    'airport,terminal,time,local_time,wait_minutes,low,high,confidence,status,open_probability,over_15,over_30,observed_minutes,issued_at',
  )
  expect(first).toMatch(
    /^JFK,all,2026-11-20T14:00:00Z,2026-11-20T09:00:00-05:00,20,15,29,0.73,unknown,,0.9,0.087,\d+,2026-11-20T14:00:07.222Z$/,
  )
  const history = (await call('pro', historical(THEN), asCsv)).body.split('\r\n')
  expect(history[0]).toBe('airport,terminal,time,mean,p50,p90,max,samples,basis,source,as_of')
  expect(history[1]).toMatch(/,2026-11-20T14:20:00Z$/)
})

test('an answer is billed once, and a 304 is not billed', async () => {
  const first = await call('pro', predictions(THEN))
  const again = await call('pro', predictions(THEN), { headers: { 'if-none-match': String(first.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await call('pro', predictions('2027-01-01T00:00:00Z'))
  await expectBilled({ call }, 'pro', { getPredictions: 1 })
})

type Expected = (answer: Awaited<ReturnType<typeof call>>) => void
const hours =
  (count: number): Expected =>
  (answer) =>
    expect([answer.statusCode, answer.json().hours?.length], answer.body.slice(0, 200)).toEqual([200, count])
const needs =
  (tier: Tier): Expected =>
  (answer) =>
    expect([answer.statusCode, answer.json().required_tier], answer.body).toEqual([403, tier])
const wrong =
  (parameter: string, message: string): Expected =>
  (answer) =>
    expect([answer.statusCode, answer.json().errors?.[0]], answer.body).toEqual([
      400,
      { parameter, message: expect.stringContaining(message) },
    ])

const back = (days: number) => isoUtc(ARCHIVE_NOW - days * DAY_MS)
/** What free, Pro and Enterprise get. */
const TABLE: [string, [free: Expected, pro: Expected, enterprise: Expected]][] = [
  [predictions(back(1)), [needs('pro'), hours(24), hours(24)]],
  [predictions(back(1), '&days=1'), [needs('pro'), hours(24), hours(24)]],
  [predictions(back(1), '&days=7'), [needs('pro'), needs('enterprise'), hours(168)]],
  [predictions(back(1), '&date=2026-11-22'), [needs('pro'), needs('enterprise'), hours(24)]],
  [predictions(back(0)), [needs('pro'), hours(24), hours(24)]],
  // Before the first forecast, before the reach of Pro, and before the retention.
  [
    predictions(back(4)),
    [needs('pro'), wrong('as_of', '2026-11-18T14:00:07Z'), wrong('as_of', '2026-11-18T14:00:07Z')],
  ],
  [predictions(back(8)), [needs('pro'), needs('enterprise'), wrong('as_of', 'oldest forecast kept for JFK')]],
  [predictions(back(121)), [needs('pro'), wrong('as_of', back(120)), wrong('as_of', back(120))]],
  [predictions(back(-1)), [needs('pro'), wrong('as_of', 'future'), wrong('as_of', 'future')]],
  [predictions('yesterday'), [needs('pro'), wrong('as_of', 'like 2026-'), wrong('as_of', 'like 2026-')]],
  [predictions('2026-11-20T14:00:00'), [needs('pro'), wrong('as_of', 'offset'), wrong('as_of', 'offset')]],
  // The + of an offset is a space unless it is escaped.
  [predictions('2026-11-20T14:00:00+01:00'), [needs('pro'), wrong('as_of', '%2B'), wrong('as_of', '%2B')]],
  [predictions('2026-11-20T15:00:00%2B01:00', '&days=1'), [needs('pro'), hours(24), hours(24)]],
  [predictions('', ''), [needs('pro'), wrong('as_of', 'must be'), wrong('as_of', 'must be')]],

  // Pro sees the last seven days also with `as_of`, not seven days before each of them.
  [historical(back(7), '&days=7'), [needs('pro'), needs('enterprise'), hours(0)]],
  [historical(back(7)), [needs('pro'), hours(0), hours(0)]],
  [historical(back(3), '&days=4'), [needs('pro'), hours(47), hours(94)]],
  [historical(back(3), '&days=5'), [needs('pro'), needs('enterprise'), hours(94)]],
  [historical(back(3), '&from=2026-11-14'), [needs('pro'), hours(47), hours(94)]],
  [historical(back(3), '&from=2026-11-13'), [needs('pro'), needs('enterprise'), hours(94)]],
  [historical(back(3)), [needs('pro'), hours(47), hours(94)]],
  [historical(back(1), '&days=8'), [needs('pro'), needs('enterprise'), hours(188)]],
  [historical(back(8)), [needs('pro'), needs('enterprise'), hours(0)]],
  [historical(back(1_101)), [needs('pro'), wrong('as_of', back(1_100)), wrong('as_of', back(1_100))]],
  [historical(back(-1)), [needs('pro'), wrong('as_of', 'future'), wrong('as_of', 'future')]],
  [
    historical(back(1), '&from=2026-11-21'),
    [needs('pro'), wrong('from', 'day of `as_of`'), wrong('from', '2026-11-20')],
  ],
  [
    `/api/v1/airports/JFK/delays?as_of=${THEN}`,
    Array(3).fill(wrong('as_of', 'not a known parameter')) as [Expected, Expected, Expected],
  ],
]

test('every tier with every period and error', async () => {
  for (const [url, expected] of TABLE)
    for (const [at, tier] of (['free', 'pro', 'enterprise'] as const).entries()) {
      const answer = await call(tier, url)
      try {
        expected[at]!(answer)
      } catch (cause) {
        throw new Error(`${tier} at ${url}: ${(cause as Error).message}`, { cause })
      }
    }
})

test('without a pipeline returns 503 with Retry-After, not billed, while other requests are answered', async () => {
  const { call } = await openHarness({}, {
    pipelineClient: openSocketClient(join(folder, 'nobody')),
  } as Partial<AccountDependencies>)
  for (const url of [predictions(THEN), historical(THEN)]) {
    const away = await call('pro', url)
    expect([away.statusCode, away.json().code, away.headers['retry-after']]).toEqual([503, 'ARCHIVE_UNAVAILABLE', '5'])
  }
  const now = await call('pro', `${JFK}/predictions`)
  expect(now.statusCode).toBe(200)
  for (const name of ['as_of', 'issued_at']) expect(now.json()).not.toHaveProperty(name)
  expect(now.json().hours[0]).not.toHaveProperty('observed_minutes')
  expect((await call('pro', '/api/agent/me')).json().usage.calls).toBe(1)
})
