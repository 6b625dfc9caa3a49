import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { openRedis, type RedisOptions } from '../redis/connection.ts'
import { lockKey, takeLock } from '../redis/lock.ts'
import type { JobDefinition } from './definition.ts'
import { type JobRunner, JobStopped, type JobWork, type RunnerOptions, runAttempts } from './runner.ts'

const LOCK_CHECK_MS = 50
/**
 * The jobs of a worker that is dead or frozen are given to another one after this time and one interval at most. The lock of
 * the job, which lives as long, keeps the frozen one from asking the source when it wakes.
 */
const STALLED_MS = 15_000
const STALLED_CHECK_MS = 5_000
/** A job is never given up because its workers died: the next one runs it. */
const MAX_STALLED = 1_000

/** How often jobs that are due too late are looked for. */
const LATE_CHECK_MS = 10_000
/** Clocks that agree differ by less. */
const CLOCK_SLACK_MS = 30_000

/**
 * Runs jobs over Redis by BullMQ job schedulers, so that several machines share the work. A lock per job name, held and
 * extended while the job runs, keeps two runs of one job from overlapping on any machine.
 */
export async function createRedisRunner(
  definitions: JobDefinition[],
  work: JobWork,
  options: RunnerOptions & RedisOptions & { onUnreachable?: (error: Error) => void },
): Promise<JobRunner> {
  const redis = openRedis(options)
  const { prefix, connect } = redis
  const lockConnection = connect()
  /** Jobs wait while Redis is away; each outage is logged once. */
  let isReported = false
  lockConnection
    .on('ready', () => {
      isReported = false
    })
    .on('error', (error: Error) => {
      if (!isReported) options.onUnreachable?.(error)
      isReported = true
    })
  const ignoreError = () => undefined
  const queue = new Queue('jobs', { connection: connect(), prefix }).on('error', ignoreError)
  const finished = new QueueEvents('jobs', { connection: connect(), prefix }).on('error', ignoreError)
  const stopping = new AbortController()
  const byName = new Map(definitions.map((job) => [job.name, job]))

  const runLocked = async (job: JobDefinition) => {
    const release = await takeLock(lockConnection, prefix, job.name)
    if (release === null) {
      options.onSkip?.(job)
      return 'skipped'
    }
    const { settled } = await runAttempts(job, work, stopping.signal, options, release.isHeld)
    const released = settled.then(release)
    await Promise.race([released, sleep(LOCK_CHECK_MS)])
    return 'ran'
  }

  const worker = new Worker(
    'jobs',
    async (queued: Job) => {
      const job = byName.get(queued.name)
      return job && !stopping.signal.aborted ? runLocked(job) : 'skipped'
    },
    {
      connection: connect(),
      prefix,
      concurrency: options.concurrency,
      autorun: false,
      lockDuration: STALLED_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED,
    },
  ).on('error', ignoreError)

  const schedule = (job: JobDefinition, now: number) =>
    queue.upsertJobScheduler(
      job.name,
      { every: job.every_seconds * 1_000, startDate: now + job.first_after_seconds * 1_000 },
      { name: job.name, opts: { removeOnComplete: true, removeOnFail: 100 } },
    )
  /**
   * Schedules jobs anew that are due later than they can be: a machine whose clock is ahead dates them by it, and once it is gone
   * the others would wait for as long. The clock of Redis decides, so that a machine whose clock is behind judges as the others do.
   */
  const scheduleLate = async () => {
    const now = Number((await lockConnection.time())[0]) * 1_000
    for (const { key, next = 0 } of await queue.getJobSchedulers()) {
      const job = byName.get(key)
      if (!job) continue
      const latest = now + Math.max(job.every_seconds, job.first_after_seconds) * 1_000 + CLOCK_SLACK_MS
      if (next <= latest) continue
      await queue.removeJobScheduler(key)
      await schedule(job, now)
    }
  }
  let lateCheck: NodeJS.Timeout | undefined

  return {
    start: async () => {
      for (const scheduler of await queue.getJobSchedulers())
        if (!byName.has(scheduler.key)) await queue.removeJobScheduler(scheduler.key)
      const started = Date.now()
      for (const job of definitions) await schedule(job, started)
      lateCheck = setInterval(() => void scheduleLate().catch(ignoreError), LATE_CHECK_MS).unref()
      void worker.run()
    },
    runNow: async (name) => {
      if (!byName.has(name)) throw new Error(`no job is called ${name}`)
      if (!worker.isRunning()) void worker.run()
      const job = await queue.add(name, {}, { removeOnComplete: true, removeOnFail: 100 })
      const outcome: unknown = await job.waitUntilFinished(finished)
      // Another run holds the lock: wait for that run to end.
      while (outcome === 'skipped' && (await lockConnection.exists(lockKey(prefix, name)))) await sleep(LOCK_CHECK_MS)
    },
    stop: async (graceMs = 4_000) => {
      stopping.abort(new JobStopped('stopping'))
      clearInterval(lateCheck)
      await Promise.race([worker.close(), sleep(graceMs, undefined, { ref: false })])
      await redis.close([queue.close(), finished.close()])
    },
  }
}
