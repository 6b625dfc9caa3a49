import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { TIERS } from '../../config/tiers.ts'
import { HOUR_MS, type Tier } from '../../config/vocabulary.ts'
import { NOW, snapshotAt, THIS_HOUR } from './example-snapshot.ts'
import { historyOf, measured } from './fake-snapshot.ts'
import { shareHarness } from './harness.ts'

const { call, controls } = shareHarness()

/** Expected values written by hand from spec.md section 8 and contract.md. It is Saturday 21 November, 09:20 in New York. */

test('the tiers cost what the specification says', () => {
  const { free, pro, enterprise } = TIERS
  expect([free, pro, enterprise].map((tier) => tier.price_usd_per_month)).toEqual([0, 99, 499])
  expect([free, pro, enterprise].map((tier) => tier.overage_usd_per_1000)).toEqual([null, 3, 1])
})

type Expected = (answer: LightMyRequestResponse) => void

const needs =
  (required_tier: 'pro' | 'enterprise'): Expected =>
  (answer) =>
    expect(answer.json()).toMatchObject({ status: 403, code: 'PREMIUM_REQUIRED', required_tier })

/** Expects 400 for a parameter. */
const wrong =
  (parameter: string): Expected =>
  (answer) =>
    expect(answer.json()).toMatchObject({ status: 400, code: 'INVALID_PARAMETER', errors: [{ parameter }] })

const fine: Expected = ({ statusCode }) => expect(statusCode).toBe(200)

/** Expects a wait-times answer with a granularity; with `terminal`, each queue has terminals with checkpoints. */
function isWaits(waits: Record<string, unknown>, granularity: 'airport' | 'terminal'): void {
  const terminals = granularity === 'airport' ? [] : [{ terminal: 'T4', checkpoints: [{ checkpoint: 'Main' }] }]
  const queue = { average_wait_minutes: expect.any(Number), terminals }
  expect(waits).toMatchObject({ granularity, security: queue, check_in: queue, immigration: queue })
}

const waits =
  (granularity: 'airport' | 'terminal'): Expected =>
  (answer) => {
    fine(answer)
    isWaits(answer.json(), granularity)
  }

/** Expects predictions with a number of hours, each with or without terminals. */
const hours =
  (count: number, granularity: 'airport' | 'terminal'): Expected =>
  (answer) => {
    fine(answer)
    const { horizon_hours, hours } = answer.json()
    const terminals = granularity === 'airport' ? undefined : [expect.objectContaining({ terminal: 'T4' })]
    expect(horizon_hours).toBe(granularity === 'airport' ? 24 : 168)
    expect(hours.map((hour: { terminals?: object[] }) => hour.terminals)).toEqual(new Array(count).fill(terminals))
  }

/** Expects a history with a number of observed hours of the airport, and as many of its terminal or none. */
const observed =
  (count: number, granularity: 'airport' | 'terminal'): Expected =>
  (answer) => {
    fine(answer)
    const { hours, coverage, pattern } = answer.json()
    const named = hours.map(({ terminal }: { terminal: string | null }) => terminal)
    const ofTerminal = granularity === 'airport' ? [] : new Array(count).fill('T4')
    expect(named).toEqual([...new Array(count).fill(null), ...ofTerminal])
    expect(coverage).toBe(1)
    // Every hour of the week, if the period is at least a week.
    if (count >= 168) expect(pattern).toHaveLength(168)
  }

/** Expects CSV with a header line and a number of rows of the airport and of its terminal. */
const csv =
  (ofAirport: number, ofTerminal: number): Expected =>
  (answer) => {
    fine(answer)
    const rows = answer.body.trimEnd().split('\r\n').slice(1)
    expect(rows.filter((row) => row.startsWith('JFK,all,'))).toHaveLength(ofAirport)
    expect(rows.filter((row) => row.startsWith('JFK,T4,'))).toHaveLength(ofTerminal)
  }

const bulk =
  (found: number): Expected =>
  (answer) => {
    fine(answer)
    const { data, not_found } = answer.json()
    expect([data.length, not_found.length]).toEqual([1, found - 1])
    isWaits(data[0], 'terminal')
  }

const ANY: [Expected, Expected, Expected] = [fine, fine, fine]
const JFK = '/api/v1/airports/JFK'
const asCsv = { headers: { accept: 'text/csv' } }
/** `count` codes: JFK and unknown ones. */
const codes = (count: number): InjectOptions => {
  const unknown = Array.from(
    { length: 99 },
    (_, index) => `Q${String.fromCharCode(65 + (index % 26), 65 + index / 26)}`,
  )
  return { method: 'POST', payload: { codes: ['JFK', ...unknown].slice(0, count) } }
}

/** Every endpoint and period with the answers for free, Pro and Enterprise. */
const TABLE: [string, [free: Expected, pro: Expected, enterprise: Expected], InjectOptions?][] = [
  ['/api/v1/airports', ANY],
  ['/api/v1/airports?limit=200', ANY],
  ['/api/v1/airports', ANY, asCsv],
  ['/api/v1/coverage', ANY],
  [`${JFK}/delays`, ANY],
  [`${JFK}/leave-by?departure=2026-11-22T17:30`, ANY],
  [`${JFK}/leave-by?departure=2026-11-20T17:30`, [wrong('departure'), wrong('departure'), wrong('departure')]],
  ['/api/agent/me', ANY],

  [`${JFK}/wait-times`, [needs('pro'), waits('airport'), waits('terminal')]],

  // On Pro today and tomorrow are the next 24 hours; on Enterprise today has 15 hours left, and the 168 hours end on the 28th at 09:00.
  [`${JFK}/predictions`, [needs('pro'), hours(24, 'airport'), hours(24, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-21`, [needs('pro'), hours(24, 'airport'), hours(15, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-22`, [needs('pro'), hours(24, 'airport'), hours(24, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-23`, [needs('pro'), needs('enterprise'), hours(24, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-27`, [needs('pro'), needs('enterprise'), hours(24, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-28`, [needs('pro'), needs('enterprise'), hours(9, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-29`, [needs('pro'), wrong('date'), wrong('date')]],
  [`${JFK}/predictions?date=2026-11-20`, [needs('pro'), wrong('date'), wrong('date')]],
  [`${JFK}/predictions?days=1`, [needs('pro'), hours(24, 'airport'), hours(24, 'terminal')]],
  [`${JFK}/predictions?days=2`, [needs('pro'), needs('enterprise'), hours(48, 'terminal')]],
  [`${JFK}/predictions?days=7`, [needs('pro'), needs('enterprise'), hours(168, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-21&days=2`, [needs('pro'), hours(24, 'airport'), hours(39, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-21&days=3`, [needs('pro'), needs('enterprise'), hours(63, 'terminal')]],
  [`${JFK}/predictions?date=2026-11-22&days=2`, [needs('pro'), needs('enterprise'), hours(48, 'terminal')]],
  [`${JFK}/predictions?days=8`, [needs('pro'), wrong('days'), wrong('days')]],
  [`${JFK}/predictions?days=1`, [needs('pro'), csv(24, 0), csv(24, 24)], asCsv],

  [`${JFK}/historical`, [needs('pro'), observed(168, 'airport'), observed(168, 'terminal')]],
  [`${JFK}/historical?days=1`, [needs('pro'), observed(24, 'airport'), observed(24, 'terminal')]],
  [`${JFK}/historical?days=7`, [needs('pro'), observed(168, 'airport'), observed(168, 'terminal')]],
  [`${JFK}/historical?days=8`, [needs('pro'), needs('enterprise'), observed(192, 'terminal')]],
  [`${JFK}/historical?days=30`, [needs('pro'), needs('enterprise'), observed(720, 'terminal')]],
  [`${JFK}/historical?days=90`, [needs('pro'), needs('enterprise'), observed(2_160, 'terminal')]],
  [`${JFK}/historical?days=91`, [needs('pro'), wrong('days'), wrong('days')]],
  // Seven local days and the 9 full hours of today; 90 of them began in summer time, an hour earlier.
  [`${JFK}/historical?from=2026-11-14`, [needs('pro'), observed(177, 'airport'), observed(177, 'terminal')]],
  [`${JFK}/historical?from=2026-11-13`, [needs('pro'), needs('enterprise'), observed(201, 'terminal')]],
  [`${JFK}/historical?from=2026-11-01&to=2026-11-01`, [needs('pro'), needs('enterprise'), observed(25, 'terminal')]],
  [`${JFK}/historical?from=2026-08-23`, [needs('pro'), needs('enterprise'), observed(2_170, 'terminal')]],
  [`${JFK}/historical?from=2026-08-22`, [needs('pro'), wrong('from'), wrong('from')]],
  [`${JFK}/historical?days=7`, [needs('pro'), csv(168, 0), csv(168, 168)], asCsv],
  [`${JFK}/historical?days=90`, [needs('pro'), needs('enterprise'), csv(2_160, 2_160)], asCsv],

  ['/api/v1/airports/bulk', [needs('enterprise'), needs('enterprise'), wrong('codes')], codes(0)],
  ['/api/v1/airports/bulk', [needs('enterprise'), needs('enterprise'), bulk(1)], codes(1)],
  ['/api/v1/airports/bulk', [needs('enterprise'), needs('enterprise'), bulk(50)], codes(50)],
  ['/api/v1/airports/bulk', [needs('enterprise'), needs('enterprise'), wrong('codes')], codes(51)],
]

test('every tier at every endpoint, period and granularity', async () => {
  const queue = measured(NOW, 14)
  const observedHours = Array.from({ length: 92 * 24 }, (_, back) => THIS_HOUR - (92 * 24 - back) * HOUR_MS)
  controls.snapshot = snapshotAt(NOW, {
    queues: { 'JFK security': queue, 'JFK checkin': queue, 'JFK immigration': queue },
    history: [historyOf('JFK', observedHours, () => 125), historyOf('JFK', observedHours, () => 80, 'T4')],
  })
  for (const [url, expected, options] of TABLE) {
    // The free tier has 30 requests a minute.
    controls.now += 2_500
    for (const [index, tier] of (['free', 'pro', 'enterprise'] as const).entries()) {
      const answer = await call(tier, url, options)
      try {
        expected[index]!(answer)
      } catch (cause) {
        throw new Error(`${tier} at ${url}: ${(cause as Error).message}`, { cause })
      }
    }
    const without = await call(null, url, options)
    expect([without.statusCode, without.json().code], url).toEqual([401, 'INVALID_API_KEY'])
    expect(without.headers['www-authenticate']).toContain('resource_metadata=')
  }
})

test('each tier gets its limits and features', async () => {
  const free = ['airports', 'delays', 'mcp_free_tools']
  const pro = [...free, 'wait_times', 'predictions_24h', 'history_7d', 'mcp_paid_tools']
  const expected: Record<Tier, [number, number, string[]]> = {
    free: [30, 1_000, free],
    pro: [300, 5_000, pro],
    enterprise: [1_000, 100_000, [...pro, 'predictions_7d', 'history_90d', 'terminals', 'bulk']],
  }
  for (const [tier, [requests_per_minute, calls_per_month, features]] of Object.entries(expected))
    expect((await call(tier as Tier, '/api/agent/me')).json()).toMatchObject({
      tier,
      features,
      limits: { requests_per_minute, calls_per_month },
    })
})
