import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { JobDefinition } from '../../../jobs/schedule/definition.ts'
import { createLocalRunner } from '../../../jobs/schedule/local-runner.ts'
import { createRedisRunner } from '../../../jobs/schedule/redis-runner.ts'
import type { JobRunner, JobWork, RunnerOptions } from '../../../jobs/schedule/runner.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { redisForTests, redisInstalled } from '../redis/redis-server.ts'

const redis_url = redisForTests(16_379)

function job(over: Partial<JobDefinition> = {}): JobDefinition {
  return {
    name: 'collect:a',
    kind: 'collect',
    source: 'a',
    every_seconds: 3_600,
    first_after_seconds: 3_600,
    attempts: 1,
    backoff_ms: 10,
    timeout_ms: 5_000,
    ...over,
  }
}
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

type Make = (
  jobs: JobDefinition[],
  work: JobWork,
  options?: Partial<RunnerOptions & { prefix: string }>,
) => Promise<JobRunner>
const local: Make = async (jobs, work, options) => createLocalRunner(jobs, work, { concurrency: 4, ...options })
let installations = 0
const redis: Make = (jobs, work, options) =>
  createRedisRunner(jobs, work, {
    concurrency: 4,
    redis_url,
    prefix: `test${process.pid}-${installations++}`,
    ...options,
  })

describe.each([
  ['local', local, true],
  ['redis (needs redis-server)', redis, redisInstalled && EXHAUSTIVE],
] as const)('%s runner', (_name, make, available) => {
  const it = test.skipIf(!available)

  it('runs every job on its own schedule until stopped', async () => {
    const seen: string[] = []
    const jobs = [
      job({ every_seconds: 0.2, first_after_seconds: 0 }),
      job({ name: 'refresh', kind: 'refresh', every_seconds: 0.4, first_after_seconds: 0 }),
    ]
    const runner = await make(jobs, async ({ name }) => void seen.push(name))
    await runner.start()
    await sleep(1_500)
    await runner.stop()
    const after = seen.length
    const collects = seen.filter((name) => name === 'collect:a').length
    expect(collects).toBeGreaterThanOrEqual(4)
    expect(collects).toBeGreaterThan(after - collects)
    await sleep(400)
    expect(seen.length).toBe(after)
  })

  it('never runs two of one job at once, however slow it is', async () => {
    let now = 0
    let most = 0
    let runs = 0
    const runner = await make([job({ every_seconds: 0.1, first_after_seconds: 0 })], async () => {
      now += 1
      runs += 1
      most = Math.max(most, now)
      await sleep(350)
      now -= 1
    })
    await runner.start()
    await Promise.all([sleep(1_300), runner.runNow('collect:a')])
    await runner.stop()
    expect(most).toBe(1)
    expect(runs).toBeGreaterThanOrEqual(2)
  })

  it('tries again with a doubled pause, then reports the failure and goes on', async () => {
    const failures: [number, boolean][] = []
    let tries = 0
    const runner = await make(
      [job({ attempts: 3 })],
      async () => {
        tries += 1
        throw new Error('no')
      },
      { onFailure: (_job, _error, attempt, final) => void failures.push([attempt, final]) },
    )
    await runner.start()
    await runner.runNow('collect:a')
    expect(failures).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    await runner.runNow('collect:a')
    expect(tries).toBe(6)
    await runner.stop()
  })

  it('tells a run that takes too long to stop, and is not held up by one that does not listen', async () => {
    let reported = false
    const failures: string[] = []
    const runner = await make(
      [job({ timeout_ms: 100 }), job({ name: 'upkeep', kind: 'upkeep', source: null })],
      async ({ name }, signal) => {
        if (name === 'upkeep') return
        signal.addEventListener('abort', () => {
          reported = true
        })
        await sleep(20_000)
      },
      { onFailure: ({ name }) => void failures.push(name) },
    )
    await runner.start()
    await runner.runNow('collect:a')
    expect(reported).toBe(true)
    expect(failures).toEqual(['collect:a'])
    await runner.runNow('upkeep')
    await runner.stop()
  })

  it('stops within its grace while a job is under way', async () => {
    const runner = await make([job()], () => sleep(30_000))
    await runner.start()
    void runner.runNow('collect:a').catch(() => undefined)
    await sleep(200)
    const from = Date.now()
    await runner.stop(1_000)
    expect(Date.now() - from).toBeLessThan(3_000)
  })
})

test.skipIf(!redisInstalled)(
  'jobs that a machine with its clock an hour ahead scheduled are run by the others once it is gone',
  async () => {
    const prefix = `ahead${process.pid}`
    const jobs = [job({ every_seconds: 1, first_after_seconds: 1 })]
    const hourAhead = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000)
    const ahead = await redis(jobs, async () => undefined, { prefix })
    await ahead.start()
    await ahead.stop()
    hourAhead.mockRestore()
    let runs = 0
    const countRun = async () => {
      runs += 1
    }
    const other = await redis(jobs, countRun, { prefix })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await other.start()
    vi.advanceTimersToNextTimer()
    await vi.waitUntil(() => runs > 0, 10_000)
    await other.stop()
  },
)

test.skipIf(!redisInstalled)('two processes that share a Redis never run one job twice at once', async () => {
  let now = 0
  let most = 0
  const work: JobWork = async () => {
    now += 1
    most = Math.max(most, now)
    await sleep(150)
    now -= 1
  }
  const prefix = `shared${process.pid}`
  const options = { concurrency: 4, redis_url, prefix }
  const runners = [
    await createRedisRunner([job({ every_seconds: 0.1, first_after_seconds: 0 })], work, options),
    await createRedisRunner([job({ every_seconds: 0.1, first_after_seconds: 0 })], work, options),
  ]
  for (const runner of runners) await runner.start()
  await Promise.all(runners.map((runner) => runner.runNow('collect:a')))
  await sleep(600)
  for (const runner of runners) await runner.stop()
  expect(most).toBe(1)
})
