import { test as always, describe, expect, inject, vi } from 'vitest'
import { issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import type { Gate } from '../../../api/gate/admission.ts'
import { monthEnd } from '../../../api/gate/billing-month.ts'
import { keyReader } from '../../../api/gate/credentials.ts'
import { addUsage, usageByEndpoint } from '../../../api/gate/usage.ts'
import { newKey } from '../../../api/state/key-format.ts'
import { TIERS } from '../../../config/tiers.ts'
import { DAY_MS, type Tier } from '../../../config/vocabulary.ts'
import { redisForTests } from '../../jobs/redis/redis-server.ts'
import { NOW } from '../example-snapshot.ts'
import { expectBilled, openHarness, temporaryFolder } from '../harness.ts'
import { type GateVariant, gateVariants } from './gate-variants.ts'

const URL = '/api/v1/airports/JFK/delays'
const redis_url = redisForTests(16_391)

async function gateWith({ state: openState, gate }: GateVariant, tier: Tier) {
  const data_dir = temporaryFolder()
  const state = await openState(data_dir)
  const { key, key_id, account_id } = await issueKey(state, { tier }, NOW)
  return { data_dir, state, gate: await gate(state), key, key_id, account_id }
}

/** Makes billed calls 3 seconds apart, so that the limit per minute never refuses one. */
async function makeBilledCalls(gate: Gate, key: string, calls: number, from: number): Promise<void> {
  for (let i = 0; i < calls; i++) {
    const { refusal, settle } = await gate.admit(key, from + i * 3_000, true)
    expect(refusal).toBeNull()
    settle(true, 'getDelays')
  }
}

describe.each(gateVariants(redis_url))('%s', (_name, variant) => {
  const test = always.skipIf(!variant.available)

  describe('limit per minute', () => {
    test('of 200 concurrent calls, admits exactly the limit and answers the others 429 with Retry-After', async () => {
      const { call } = await openHarness(variant.environment)
      const answers = await Promise.all(Array.from({ length: 200 }, () => call('free', URL)))
      const statuses = answers.map(({ statusCode }) => statusCode)
      expect(statuses.filter((status) => status === 200)).toHaveLength(30)
      expect(statuses.filter((status) => status === 429)).toHaveLength(170)
      const refused = answers.find(({ statusCode }) => statusCode === 429)!
      expect(refused.headers['retry-after']).toBe('60')
      expect(refused.json()).toMatchObject({
        code: 'rate_limited',
        error: 'rate_limited',
        scope: 'minute',
        retry_after_seconds: 60,
      })
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '60',
      })
    })

    test('a clock that is set to and fro makes nobody wait longer than the window', async () => {
      const { gate, key } = await gateWith(variant, 'free')
      const { requests_per_minute } = TIERS.free
      for (const jump of [3 * 365 * DAY_MS, DAY_MS, -DAY_MS, 0]) {
        const instant = NOW + jump
        const outcomes = []
        for (let i = 0; i < requests_per_minute + 2; i++) outcomes.push(await gate.admit(key, instant, false))
        const refused = outcomes.filter(({ refusal }) => refusal !== null)
        expect(refused.length, `after ${jump}`).toBeGreaterThanOrEqual(2)
        for (const { refusal } of refused) expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(60)
        expect((await gate.admit(key, instant + 61_000, false)).refusal, `a minute after ${jump}`).toBeNull()
      }
    })

    test('counts 304 and 4xx answers, and the headers count down', async () => {
      const { call } = await openHarness(variant.environment)
      const first = await call('free', URL)
      expect(first.headers['ratelimit-policy']).toBe('"minute";q=30;w=60, "month";q=1000')
      expect(first.headers.ratelimit).toBe(`"minute";r=29;t=60, "month";r=999;t=${(monthEnd(NOW) - NOW) / 1000}`)
      await call('free', URL, { headers: { 'if-none-match': String(first.headers.etag) } })
      const fourth = await call('free', '/api/v1/airports/QQQ/delays')
      expect(fourth.headers['x-ratelimit-remaining']).toBe('27')
    })
  })

  describe('limit per month', () => {
    test('a clock that goes back over the end of a month finds what was used in it', async () => {
      const { gate, key, account_id, state } = await gateWith(variant, 'free')
      const end = monthEnd(NOW)
      const { calls_per_month } = TIERS.free
      await addUsage(state.db, [{ account_id, day: '2026-11-01', endpoint: 'getDelays', calls: calls_per_month }])
      expect((await gate.admit(key, end - 5_000, true)).refusal?.scope).toBe('month')
      expect((await gate.admit(key, end + 5_000, true)).refusal).toBeNull()
      expect((await gate.admit(key, end - 4_000, true)).refusal?.scope).toBe('month')
      await gate.flush(end)
      expect((await gate.admit(key, end - 3_000, true)).refusal?.scope).toBe('month')
      expect((await gate.admit(key, end + 6_000, true)).quotas.month?.remaining).toBe(calls_per_month - 2)
    })

    test('bills only answers with a body: not 304, HEAD, 4xx, 429, 5xx or the account endpoints', async () => {
      const { call, controls } = await openHarness(variant.environment)
      const { headers } = await call('free', URL)
      await call('free', URL, { headers: { 'if-none-match': String(headers.etag) } })
      await call('free', URL, { method: 'HEAD' })
      await call('free', '/api/v1/airports/QQQ/delays')
      await call('free', '/api/v1/airports?limit=0')
      await call('free', '/api/v1/airports/JFK/wait-times')
      const snapshot = controls.snapshot
      controls.snapshot = null
      await call('free', URL)
      controls.snapshot = snapshot
      await call('free', '/api/v1/airports')
      for (let i = 0; i < 40; i++) await call('free', '/api/v1/airports/QQQ/delays')
      controls.now += 60_000
      await expectBilled({ call }, 'free', { getDelays: 1, listAirports: 1 })
      const { usage } = (await call('free', '/api/agent/me')).json()
      expect(usage).toMatchObject({ month: '2026-11', calls: 2, remaining: 998, overage_calls: 0 })
    })

    test('admits exactly the monthly calls of the free tier under concurrency, then answers 429 with scope month until the month ends', async () => {
      const { gate, key } = await gateWith(variant, 'free')
      await makeBilledCalls(gate, key, TIERS.free.calls_per_month - 10, NOW)
      const later = NOW + 3_600_000
      const admissions = await Promise.all(Array.from({ length: 25 }, () => gate.admit(key, later, true)))
      expect(admissions.filter(({ refusal }) => refusal === null)).toHaveLength(10)
      const refusal = admissions.at(-1)!.refusal!
      expect([refusal.scope, refusal.retryAfterSeconds]).toEqual(['month', (monthEnd(later) - later) / 1000])
      const next = await gate.admit(key, monthEnd(later), true)
      expect(next.refusal).toBeNull()
    })

    test('the headers of a refused call are those of the limit that refused it: nothing left, and the time of Retry-After', async () => {
      const { call, state, keys, controls } = await openHarness(variant.environment)
      const { account_id } = keys.free
      await addUsage(state.db, [{ account_id, day: '2026-11-02', endpoint: 'getDelays', calls: 999 }])
      expect((await call('free', URL)).statusCode).toBe(200)
      const refused = await call('free', URL)
      const seconds = (monthEnd(NOW) - NOW) / 1000
      expect(refused.json()).toMatchObject({ scope: 'month', retry_after_seconds: seconds })
      expect(refused.json().detail).toContain('2026-12-01T00:00:00Z')
      expect(refused.headers).toMatchObject({
        'retry-after': String(seconds),
        ratelimit: `"minute";r=29;t=60, "month";r=0;t=${seconds}`,
        'x-ratelimit-limit': '1000',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(seconds),
      })
      // Calls that are never billed are still admitted, until the minute is full as well.
      let last = await call('free', '/api/agent/me')
      expect([last.statusCode, last.headers['x-ratelimit-limit']]).toEqual([200, '30'])
      while (last.statusCode === 200) last = await call('free', '/api/agent/me')
      controls.now += 20_000
      last = await call('free', '/api/agent/me')
      expect(last.json()).toMatchObject({ scope: 'minute', retry_after_seconds: 40 })
      expect(last.headers).toMatchObject({
        'retry-after': '40',
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '40',
      })
    })

    test('a failed flush keeps the counts for the next flush', async () => {
      const { gate, state, key, account_id } = await gateWith(variant, 'free')
      await makeBilledCalls(gate, key, 2, NOW)
      await state.db.schema.alterTable('usage').renameTo('usage_away').execute()
      await expect(gate.flush(NOW)).rejects.toThrow()
      await state.db.schema.alterTable('usage_away').renameTo('usage').execute()
      await makeBilledCalls(gate, key, 1, NOW + 60_000)
      await gate.flush(NOW)
      expect(await usageByEndpoint(state.db, account_id, '2026-11')).toEqual([{ endpoint: 'getDelays', calls: 3 }])
    })

    // On PostgreSQL without Redis, processes see each other's usage at their next lookup of a key (docs/operate/several-machines.md).
    const unlessOnServer = inject('postgresql') ? () => undefined : test
    unlessOnServer('adds up the usage of two processes on one file', async () => {
      const { data_dir, gate, state, key, account_id } = await gateWith(variant, 'free')
      const other = await variant.state(data_dir)
      const otherGate = await variant.gate(other)
      await makeBilledCalls(gate, key, 4, NOW)
      await makeBilledCalls(otherGate, key, 5, NOW)
      await gate.flush(NOW)
      await otherGate.flush(NOW)
      expect(await usageByEndpoint(state.db, account_id, '2026-11')).toEqual([{ endpoint: 'getDelays', calls: 9 }])
      await vi.waitFor(async () => {
        const admission = await gate.admit(key, NOW + 120_000, false)
        expect(admission.quotas.month!.remaining).toBe(1_000 - 9)
      })
    })
  })

  test('refuses malformed keys without a database lookup', async () => {
    const { state, gate: known, key } = await gateWith(variant, 'pro')
    expect((await known.admit(key, NOW, true)).refusal).toBeNull()
    let lookups = 0
    const reader = keyReader(state)
    const counting = {
      ...reader,
      read: (...parameters: Parameters<typeof reader.read>) => {
        lookups++
        return reader.read(...parameters)
      },
    }
    const gate = await variant.gate(state, counting)
    const malformed = [key.replace('hs_live_', 'hs_agent_'), key.slice(0, -6), `${key} `, '', 'x'.repeat(100_000)]
    for (const text of malformed)
      await expect(async () => gate.admit(text, NOW, true), text.slice(0, 60)).rejects.toMatchObject({
        code: 'INVALID_API_KEY',
      })
    expect(lookups).toBe(0)
    expect(gate.decisions.invalid_key).toBe(malformed.length)
    await expect(async () => gate.admit(newKey('live'), NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(lookups).toBe(1)
  })

  describe('revocation', () => {
    test('takes effect on the very next call when another process revokes the key, over a real port', async () => {
      const { app, keys, state, dataDir } = await openHarness(variant.environment)
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const status = async (key: string) => (await fetch(address + URL, { headers: { 'x-api-key': key } })).status
      const commandLine = await variant.state(dataDir)
      for (let i = 0; i < 20; i++) {
        const { key, key_id } = await issueKey(state, { tier: 'pro' }, NOW)
        expect(await status(key)).toBe(200)
        expect(await revokeKey(commandLine, key_id, NOW)).toBe(true)
        expect(await status(key)).toBe(401)
      }
      expect(await status(keys.free.key)).toBe(200)
    })
    test('refuses a call whose lookup runs while the key is revoked, and caches nothing', async () => {
      const { state, key, key_id } = await gateWith(variant, 'pro')
      const reader = keyReader(state)
      let lookups = 0
      const gate = await variant.gate(state, {
        ...reader,
        async read(presented, now) {
          const found = await reader.read(presented, now)
          // The row has been read and is not cached yet.
          if (lookups++ === 0) await revokeKey(state, key_id, NOW)
          return found
        },
      })
      for (let i = 0; i < 2; i++)
        await expect(async () => gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
      expect(lookups).toBeGreaterThan(1)
    })
  })
})
