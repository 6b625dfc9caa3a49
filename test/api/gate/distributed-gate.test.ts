import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { test as always, describe, expect, onTestFinished } from 'vitest'
import { insertAccountWithKey, issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import { monthOf } from '../../../api/gate/billing-month.ts'
import { DistributedGate } from '../../../api/gate/distributed-gate.ts'
import { RedisLimiter } from '../../../api/gate/redis-limiter.ts'
import { callsOfMonth } from '../../../api/gate/usage.ts'
import { openState } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import { repetitions } from '../../exhaustive.ts'
import { redisForTests, redisInstalled } from '../../jobs/redis/redis-server.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'
import { distributedVariant } from './gate-variants.ts'

const redis_url = redisForTests(16_392)
const test = always.skipIf(!redisInstalled)
const variant = distributedVariant(redis_url)
const PROGRAM = projectFile('dist', 'bin', 'holdshort.js')

/** Two instances of one installation, each with its own state and gate on the same file and the same Redis. */
async function twoInstances(tier: Tier) {
  const data_dir = temporaryFolder()
  const here = await variant.state(data_dir)
  const there = await variant.state(data_dir)
  const gates = [await variant.gate(here), await variant.gate(there)] as const
  return { data_dir, here, there, gates, ...(await issueKey(here, { tier }, NOW)) }
}

describe('two instances (needs redis-server)', () => {
  test('enforce one limit per minute exactly under 200 concurrent calls', async () => {
    const { gates, key } = await twoInstances('free')
    const calls = Array.from({ length: 200 }, (_, i) => gates[i % 2]!.admit(key, NOW, false))
    const admissions = await Promise.all(calls)
    expect(admissions.filter(({ refusal }) => refusal === null)).toHaveLength(TIERS.free.requests_per_minute)
    expect((await gates[1].admit(key, NOW + 60_000, false)).quotas.minute.remaining).toBe(29)
  })

  test('enforce one limit per month exactly under 200 concurrent calls, and their usage adds up', async () => {
    const { gates, key, account_id, here } = await twoInstances('free')
    const before = TIERS.free.calls_per_month - 20
    const day = new Date(NOW).toISOString().slice(0, 10)
    await here.db.insertInto('usage').values({ account_id, day, endpoint: 'getDelays', calls: before }).execute()
    // 3 seconds apart, so that the limit per minute refuses none.
    const calls = Array.from({ length: 200 }, (_, i) => gates[i % 2]!.admit(key, NOW + i * 3_000, true))
    const admissions = await Promise.all(calls)
    const admitted = admissions.filter(({ refusal }) => refusal === null)
    expect(admitted).toHaveLength(20)
    expect(admissions.filter(({ refusal }) => refusal?.scope === 'month')).toHaveLength(180)
    for (const { settle } of admitted) settle(true, 'getDelays')
    for (const gate of gates) await gate.flush(NOW)
    expect(await callsOfMonth(here.db, account_id, monthOf(NOW))).toBe(TIERS.free.calls_per_month)
  })

  test('a call that one instance does not bill can be made at the other', async () => {
    const { gates, key, account_id, here } = await twoInstances('free')
    const row = { account_id, day: '2026-11-02', endpoint: 'getDelays', calls: TIERS.free.calls_per_month - 1 }
    await here.db.insertInto('usage').values(row).execute()
    const { settle } = await gates[0].admit(key, NOW, true)
    expect((await gates[1].admit(key, NOW, true)).refusal?.scope).toBe('month')
    settle(false, '')
    settle(false, '')
    // `release` does not wait for Redis; a later command on the same connection runs after it.
    await gates[0].admit(key, NOW, false)
    expect((await gates[1].admit(key, NOW, true)).refusal).toBeNull()
    expect((await gates[1].admit(key, NOW, true)).refusal?.scope).toBe('month')
  })

  test('a key revoked by one instance is refused by the other on the very next call, repeatedly, under load', async () => {
    const revocations = repetitions(60, 300)
    const { gates, here } = await twoInstances('free')
    const issued = await here.changeAccess(async (transaction) => {
      const keys = []
      for (let i = 0; i < revocations + 2; i++)
        keys.push(await insertAccountWithKey(transaction, here.pepper, { tier: 'enterprise' }, NOW))
      return keys
    })
    const [busy, other, ...keys] = issued
    let loaded = true
    let calls = 0
    const load = [busy!, other!].map(async ({ key }, i) => {
      for (; loaded; calls++) {
        await gates[i]!.admit(key, NOW + calls * 60, true)
        await sleep(1)
      }
    })
    for (const { key, key_id } of keys) {
      expect((await gates[1].admit(key, NOW, false)).refusal).toBeNull()
      expect(await revokeKey(here, key_id, NOW)).toBe(true)
      await expect(gates[1].admit(key, NOW, false)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    }
    loaded = false
    await Promise.all(load)
    expect(keys).toHaveLength(revocations)
    expect(calls).toBeGreaterThan(revocations / 3)
  }, 60_000)

  test('a call admitted while its key is being revoked does not keep the key in the cache', async () => {
    const { gates, here, key, key_id } = await twoInstances('pro')
    const { refusal } = await here.changeAccess(async (transaction) => {
      const revoked_at = new Date(NOW).toISOString()
      await transaction.updateTable('keys').set({ revoked_at }).where('id', '=', key_id).execute()
      // Not committed yet: the other instance still reads the key as valid, and Redis caches that.
      return gates[1].admit(key, NOW, false)
    })
    expect(refusal).toBeNull()
    await expect(async () => gates[1].admit(key, NOW, false)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('a credential that expires is refused by every instance', async () => {
    const state = await variant.state(temporaryFolder())
    const limiter = new RedisLimiter(redis_url)
    onTestFinished(() => limiter.close())
    await limiter.ready(2_000)
    const { account_id } = await issueKey(state, { tier: 'pro' }, NOW)
    let lookups = 0
    const gate = new DistributedGate(state, limiter, {
      wellFormed: () => true,
      read: async () => {
        lookups++
        const caller = { kind: 'connection', id: `grant-${account_id}`, account_id, tier: 'pro' } as const
        return { caller, expires: NOW + 1_000 }
      },
    })
    for (const offset_ms of [0, 500, 999])
      expect((await gate.admit('token', NOW + offset_ms, true)).caller.kind).toBe('connection')
    expect(lookups).toBe(1)
    await expect(gate.admit('token', NOW + 1_000, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })
})

describe('changes by other processes (needs redis-server)', () => {
  test('a key revoked by the command line with the same Redis is refused on the very next call', async () => {
    const { gates, data_dir, key, key_id } = await twoInstances('pro')
    expect((await gates[0].admit(key, NOW, true)).refusal).toBeNull()
    const env = { ...process.env, REDIS_URL: redis_url, HOLDSHORT_DATA_DIR: data_dir }
    await promisify(execFile)(process.execPath, [PROGRAM, 'keys', 'revoke', key_id], { env })
    await expect(gates[0].admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })

  test('a change made without REDIS_URL, or by a process killed before it announced it, is applied at the next flush', async () => {
    const { gates, data_dir, key, key_id } = await twoInstances('pro')
    for (const gate of gates) await gate.flush(NOW)
    expect((await gates[0].admit(key, NOW, true)).refusal).toBeNull()
    const withoutRedis = await openState({ data_dir })
    await revokeKey(withoutRedis, key_id, NOW)
    await withoutRedis.close()
    await sleep(60)
    await gates[1].flush(NOW)
    await expect(gates[0].admit(key, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })
})
