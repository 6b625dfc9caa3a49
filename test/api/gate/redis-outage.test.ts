import { Redis } from 'ioredis'
import { test as always, describe, expect, onTestFinished, vi } from 'vitest'
import { issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import { TIERS } from '../../../config/tiers.ts'
import { redisInstalled, redisOfTest } from '../../jobs/redis/redis-server.ts'
import { NOW } from '../example-snapshot.ts'
import { openHarness, temporaryFolder } from '../harness.ts'
import { distributedVariant } from './gate-variants.ts'

const test = always.skipIf(!redisInstalled)
const PORT = 16_393
const URL = '/api/v1/airports/JFK/delays'

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Runs administrative commands on Redis. */
async function administer(redis_url: string, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(redis_url)
  await work(redis)
  redis.disconnect()
}

async function installation(folder?: string) {
  const redis = await redisOfTest(PORT, folder)
  const variant = distributedVariant(redis.url)
  const state = await variant.state(temporaryFolder())
  const gate = await variant.gate(state)
  return { redis, variant, state, gate }
}

describe('while Redis is unavailable (needs redis-server)', () => {
  test('answers calls 503 at once and refuses changes without storing them; both recover without a restart', async () => {
    const redis = await redisOfTest(PORT)
    const { app, call, keys, state } = await openHarness({ REDIS_URL: redis.url })
    const faults = async () => (await app.inject('/health')).json().faults.map(({ code }: { code: string }) => code)
    expect((await call('pro', URL)).statusCode).toBe(200)
    expect(await faults()).toEqual([])
    await redis.kill()
    const unavailable = await call('pro', URL)
    expect([unavailable.statusCode, unavailable.json().code, unavailable.headers['retry-after']]).toEqual([
      503,
      'GATE_UNAVAILABLE',
      '1',
    ])
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('free', URL)))
    expect(performance.now() - from).toBeLessThan(1_500)
    expect(answers.every(({ statusCode }) => statusCode === 503)).toBe(true)
    await eventually(async () => expect(await faults()).toEqual(['GATE_UNAVAILABLE']))
    // A malformed key is refused without Redis.
    expect((await call(null, URL, { headers: { 'x-api-key': 'hs_live_no' } })).statusCode).toBe(401)

    const accounts = () => state.db.selectFrom('accounts').select('id').execute()
    const before = await accounts()
    await expect(revokeKey(state, keys.pro.key_id, NOW)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    await expect(issueKey(state, { tier: 'pro' }, NOW)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    expect(await accounts()).toEqual(before)

    await redis.start()
    await eventually(async () => expect((await call('pro', URL)).statusCode).toBe(200))
    await eventually(async () => expect(await revokeKey(state, keys.pro.key_id, NOW)).toBe(true))
    expect((await call('pro', URL)).statusCode).toBe(401)
    expect((await call('enterprise', URL)).statusCode).toBe(200)
    expect(await faults()).toEqual([])
  })

  test('answers 503 within two seconds while Redis hangs, and decides again when Redis resumes', async () => {
    const { redis, gate, state } = await installation()
    const { key } = await issueKey(state, { tier: 'pro' }, NOW)
    expect((await gate.admit(key, NOW, true)).refusal).toBeNull()
    redis.signal('SIGSTOP')
    const from = performance.now()
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    expect(performance.now() - from).toBeLessThan(3_500)
    expect(gate.decisions.unavailable).toBe(1)
    redis.signal('SIGCONT')
    await eventually(async () => expect((await gate.admit(key, NOW, true)).refusal).toBeNull())
  })

  test('admits no call without limits when Redis is killed under load and restarted empty', async () => {
    const { redis, variant, gate, state } = await installation()
    const other = await variant.gate(state)
    const { key } = await issueKey(state, { tier: 'free' }, NOW)
    let admitted = 0
    let refused = 0
    let unavailable = 0
    let loaded = true
    const load = [gate, other].map(async (candidate) => {
      while (loaded)
        try {
          if ((await candidate.admit(key, NOW, true)).refusal) refused++
          else admitted++
        } catch (error) {
          expect(error).toMatchObject({ code: 'GATE_UNAVAILABLE' })
          unavailable++
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
    })
    await eventually(async () => expect(refused).toBeGreaterThan(50))
    expect(admitted).toBe(TIERS.free.requests_per_minute)
    await redis.kill()
    await eventually(async () => expect(unavailable).toBeGreaterThan(10))
    await redis.start()
    refused = 0
    await eventually(async () => expect(refused).toBeGreaterThan(50))
    loaded = false
    await Promise.all(load)
    // The window of the minute starts empty once more.
    expect(admitted).toBe(2 * TIERS.free.requests_per_minute)
  })
})

describe('when Redis holds outdated values (needs redis-server)', () => {
  test('a revoked key stays revoked and the month is that of the state after Redis was restored from an old dump', async () => {
    const { redis, gate, state } = await installation(temporaryFolder())
    const revoked = await issueKey(state, { tier: 'free' }, NOW)
    const active = await issueKey(state, { tier: 'free' }, NOW)
    const makeBilledCalls = async (calls: number, from: number) => {
      for (let i = 0; i < calls; i++) (await gate.admit(active.key, from + i * 3_000, true)).settle(true, 'getDelays')
    }
    await gate.admit(revoked.key, NOW, true)
    await makeBilledCalls(10, NOW)
    await administer(redis.url, (admin) => admin.save())
    await makeBilledCalls(200, NOW + 60_000)
    const inProgress = await gate.admit(active.key, NOW + 700_000, true)
    await revokeKey(state, revoked.key_id, NOW)
    await redis.kill()
    await redis.start()
    const remaining = async () => (await gate.admit(active.key, NOW + 3_600_000, false)).quotas.month?.remaining
    await eventually(async () => expect(await remaining()).toBe(1_000 - 210))
    // The call was counted before the restart, so it must not be taken out of the new count.
    inProgress.settle(false, '')
    expect(await remaining()).toBe(1_000 - 210)
    await expect(gate.admit(revoked.key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('reads keys and months again after Redis was emptied while in use', async () => {
    const { redis, gate, state } = await installation()
    const { key, key_id } = await issueKey(state, { tier: 'free' }, NOW)
    for (let i = 0; i < 5; i++) (await gate.admit(key, NOW, true)).settle(true, 'getDelays')
    await administer(redis.url, (admin) => admin.flushall())
    expect((await gate.admit(key, NOW, false)).quotas.month?.remaining).toBe(1_000 - 5)
    await administer(redis.url, (admin) => admin.flushall())
    await revokeKey(state, key_id, NOW)
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('answers 503 until Redis is started after the api', async () => {
    const redis = await redisOfTest(PORT)
    const variant = distributedVariant(redis.url)
    const state = await variant.state(temporaryFolder())
    const { key } = await issueKey(state, { tier: 'pro' }, NOW)
    await redis.kill()
    const { RedisLimiter } = await import('../../../api/gate/redis-limiter.ts')
    const { DistributedGate } = await import('../../../api/gate/distributed-gate.ts')
    const limiter = new RedisLimiter(redis.url)
    onTestFinished(() => limiter.close())
    const gate = new DistributedGate(state, limiter)
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    await gate.flush(NOW)
    await redis.start()
    await eventually(async () => expect((await gate.admit(key, NOW, true)).refusal).toBeNull())
  })
})
