import { Redis } from 'ioredis'
import { test as always, describe, expect, onTestFinished, vi } from 'vitest'
import { issueKey, revokeKey } from '../../../../api/accounts/keys/keys.ts'
import { TIERS } from '../../../../config/tiers.ts'
import { redisInstalled, redisOfTest } from '../../../jobs/redis/redis-server.ts'
import { NOW } from '../../example-snapshot.ts'
import { openHarness, temporaryFolder } from '../../harness.ts'
import { distributedVariant } from './gate-variants.ts'

const test = always.skipIf(!redisInstalled)
const PORT = 16_393
const URL = '/api/v1/airports/JFK/delays'

const again = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Says something to Redis as an operator would. */
async function tell(redis_url: string, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(redis_url)
  await work(redis)
  redis.disconnect()
}

async function installation(folder?: string) {
  const redis = await redisOfTest(PORT, folder)
  const make = distributedVariant(redis.url)
  const state = await make.state(temporaryFolder())
  const gate = await make.gate(state)
  return { redis, make, state, gate }
}

describe('Redis away (needs redis-server)', () => {
  test('calls are answered 503 at once, changes are refused and undone; both recover by themselves', async () => {
    const redis = await redisOfTest(PORT)
    const { call, keys, state } = await openHarness({ REDIS_URL: redis.url })
    expect((await call('pro', URL)).statusCode).toBe(200)
    await redis.kill()
    const away = await call('pro', URL)
    expect([away.statusCode, away.json().code, away.headers['retry-after']]).toEqual([503, 'GATE_UNAVAILABLE', '1'])
    const from = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('free', URL)))
    expect(performance.now() - from).toBeLessThan(1_500)
    expect(answers.every(({ statusCode }) => statusCode === 503)).toBe(true)
    // What cannot be a key needs nobody to be asked.
    expect((await call(null, URL, { headers: { 'x-api-key': 'hs_live_no' } })).statusCode).toBe(401)

    const accounts = () => state.db.selectFrom('accounts').select('id').execute()
    const before = await accounts()
    await expect(revokeKey(state, keys.pro.key_id, NOW)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    await expect(issueKey(state, { tier: 'pro' }, NOW)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    expect(await accounts()).toEqual(before)

    await redis.start()
    await again(async () => expect((await call('pro', URL)).statusCode).toBe(200))
    await again(async () => expect(await revokeKey(state, keys.pro.key_id, NOW)).toBe(true))
    expect((await call('pro', URL)).statusCode).toBe(401)
    expect((await call('enterprise', URL)).statusCode).toBe(200)
  })

  test('a Redis that hangs hangs nobody: 503 within two seconds, and calls go on when it goes on', async () => {
    const { redis, gate, state } = await installation()
    const { key } = await issueKey(state, { tier: 'pro' }, NOW)
    expect((await gate.admit(key, NOW, true)).refusal).toBeNull()
    redis.signal('SIGSTOP')
    const from = performance.now()
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    expect(performance.now() - from).toBeLessThan(3_500)
    expect(gate.decisions.unavailable).toBe(1)
    redis.signal('SIGCONT')
    await again(async () => expect((await gate.admit(key, NOW, true)).refusal).toBeNull())
  })

  test('killed −9 under load and started again, empty: no passing without limits', async () => {
    const { redis, make, gate, state } = await installation()
    const other = await make.gate(state)
    const { key } = await issueKey(state, { tier: 'free' }, NOW)
    let [admitted, refused, unavailable] = [0, 0, 0]
    let loaded = true
    const load = [gate, other].map(async (one) => {
      while (loaded)
        try {
          if ((await one.admit(key, NOW, true)).refusal) refused++
          else admitted++
        } catch (error) {
          expect(error).toMatchObject({ code: 'GATE_UNAVAILABLE' })
          unavailable++
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
    })
    await again(async () => expect(refused).toBeGreaterThan(50))
    expect(admitted).toBe(TIERS.free.requests_per_minute)
    await redis.kill()
    await again(async () => expect(unavailable).toBeGreaterThan(10))
    await redis.start()
    refused = 0
    await again(async () => expect(refused).toBeGreaterThan(50))
    loaded = false
    await Promise.all(load)
    // The minute begins anew, once.
    expect(admitted).toBe(2 * TIERS.free.requests_per_minute)
  })
})

describe('what Redis remembers wrongly (needs redis-server)', () => {
  test('restored from an old dump: a revoked key stays revoked, and the month is that of the state', async () => {
    const { redis, gate, state } = await installation(temporaryFolder())
    const revoked = await issueKey(state, { tier: 'free' }, NOW)
    const kept = await issueKey(state, { tier: 'free' }, NOW)
    const spend = async (calls: number, from: number) => {
      for (let i = 0; i < calls; i++) (await gate.admit(kept.key, from + i * 3_000, true)).settle(true, 'getDelays')
    }
    await gate.admit(revoked.key, NOW, true)
    await spend(10, NOW)
    await tell(redis.url, (admin) => admin.save())
    await spend(200, NOW + 60_000)
    const underWay = await gate.admit(kept.key, NOW + 700_000, true)
    await revokeKey(state, revoked.key_id, NOW)
    await redis.kill()
    await redis.start()
    const remaining = async () => (await gate.admit(kept.key, NOW + 3_600_000, false)).quotas.month?.remaining
    await again(async () => expect(await remaining()).toBe(1_000 - 210))
    // Its place was taken in a count that is gone: in the new one there is none to give back.
    underWay.settle(false, '')
    expect(await remaining()).toBe(1_000 - 210)
    await expect(gate.admit(revoked.key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('emptied while in use: keys and months are read again', async () => {
    const { redis, gate, state } = await installation()
    const { key, key_id } = await issueKey(state, { tier: 'free' }, NOW)
    for (let i = 0; i < 5; i++) (await gate.admit(key, NOW, true)).settle(true, 'getDelays')
    await tell(redis.url, (admin) => admin.flushall())
    expect((await gate.admit(key, NOW, false)).quotas.month?.remaining).toBe(1_000 - 5)
    await tell(redis.url, (admin) => admin.flushall())
    await revokeKey(state, key_id, NOW)
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('a Redis that is there later than the api: 503 until then', async () => {
    const redis = await redisOfTest(PORT)
    const make = distributedVariant(redis.url)
    const state = await make.state(temporaryFolder())
    const { key } = await issueKey(state, { tier: 'pro' }, NOW)
    await redis.kill()
    const { RedisLimiter } = await import('../../../../api/data/gate/redis-limiter.ts')
    const { DistributedGate } = await import('../../../../api/data/gate/distributed-gate.ts')
    const connection = new RedisLimiter(redis.url)
    onTestFinished(() => connection.close())
    const gate = new DistributedGate(state, connection)
    await expect(gate.admit(key, NOW, true)).rejects.toMatchObject({ code: 'GATE_UNAVAILABLE' })
    await gate.flush(NOW)
    await redis.start()
    await again(async () => expect((await gate.admit(key, NOW, true)).refusal).toBeNull())
  })
})
