import { expect, test } from 'vitest'
import { openSharedHostQueues } from '../../../jobs/redis/shared-host-queues.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { redisForTests, redisInstalled } from './redis-server.ts'

const redis_url = redisForTests(16_431)
const PACE_MS = 200

test.runIf(EXHAUSTIVE && redisInstalled)(
  'two machines send one request at a time to a host and keep its pace together, and do not wait for another host (needs redis-server)',
  async () => {
    const options = { redis_url, prefix: `queues${process.pid}` }
    const machines = [openSharedHostQueues(options), openSharedHostQueues(options)]
    const started: number[] = []
    const ended: number[] = []
    let open = 0
    const ask = async (machine: number) => {
      const end = await machines[machine]?.acquire('a.example', PACE_MS, 20_000)
      expect(end).toBeTypeOf('function')
      open += 1
      expect(open).toBe(1)
      started.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, 50))
      open -= 1
      ended.push(performance.now())
      await end?.()
    }
    const asking = Promise.all([ask(0), ask(1), ask(0), ask(1)])
    const before = performance.now()
    await (await machines[0]?.acquire('b.example', PACE_MS, 1_000))?.()
    expect(performance.now() - before).toBeLessThan(PACE_MS)
    await asking
    for (let index = 1; index < started.length; index += 1)
      expect((started[index] ?? 0) - (ended[index - 1] ?? 0)).toBeGreaterThanOrEqual(PACE_MS - 5)
    // A host that is asked all the time is given up.
    const held = await machines[0]?.acquire('c.example', 0, 1_000)
    expect(await machines[1]?.acquire('c.example', 0, 300)).toBeNull()
    await held?.()
    for (const { close } of machines) close()
  },
)

test('a machine goes on alone, with its own pace, when Redis does not answer', async () => {
  // Nothing listens there.
  const queues = openSharedHostQueues({ redis_url: 'redis://127.0.0.1:1' })
  const end = queues.acquire('a.example', 1_000, 10_000)
  queues.close()
  expect(await end).toBeTypeOf('function')
})
