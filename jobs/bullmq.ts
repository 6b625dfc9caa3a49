import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { JobDefinition } from './definition.ts'
import { lockKey, takeLock } from './redis-lock.ts'
import { type JobRunner, JobStopped, type JobWork, type RunnerOptions, runAttempts } from './runner.ts'

export interface RedisRunnerOptions extends RunnerOptions {
  redis_url: string
  /** Keys of one installation; tests use their own. */
  prefix?: string
}

/** Keys of an installation in Redis begin with this. */
export const REDIS_PREFIX = 'holdshort'

/**
 * Runs jobs over Redis by BullMQ job schedulers, so that several machines share the work. A lock a job name, held and
 * extended while it runs, keeps two runs of one job from overlapping anywhere; a dead holder's lock ends by itself.
 */
export async function createRedisRunner(
  definitions: JobDefinition[],
  work: JobWork,
  options: RedisRunnerOptions,
): Promise<JobRunner> {
  const prefix = options.prefix ?? REDIS_PREFIX
  const connect = () => new Redis(options.redis_url, { maxRetriesPerRequest: null })
  const [redis, ...others] = [connect(), connect(), connect(), connect()]
  const [forQueue, forWorker, forEvents] = others as [Redis, Redis, Redis]
  const queue = new Queue('jobs', { connection: forQueue, prefix })
  const finished = new QueueEvents('jobs', { connection: forEvents, prefix })
  const stopping = new AbortController()
  const byName = new Map(definitions.map((job) => [job.name, job]))

  const exclusively = async (job: JobDefinition) => {
    const release = await takeLock(redis, prefix, job.name)
    if (release === null) {
      options.onSkip?.(job)
      return 'skipped'
    }
    const { settled } = await runAttempts(job, work, stopping.signal, options)
    const released = settled.then(release)
    await Promise.race([released, new Promise((resolve) => setTimeout(resolve, 50))])
    return 'ran'
  }

  const worker = new Worker(
    'jobs',
    async (queued: Job) => {
      const job = byName.get(queued.name)
      return job && !stopping.signal.aborted ? exclusively(job) : 'skipped'
    },
    { connection: forWorker, prefix, concurrency: options.concurrency, autorun: false },
  )

  return {
    start: async () => {
      const kept = new Set(byName.keys())
      for (const scheduler of await queue.getJobSchedulers())
        if (!kept.has(scheduler.key)) await queue.removeJobScheduler(scheduler.key)
      const started = Date.now()
      for (const job of definitions) {
        await queue.upsertJobScheduler(
          job.name,
          { every: job.every_seconds * 1_000, startDate: started + job.first_after_seconds * 1_000 },
          { name: job.name, opts: { removeOnComplete: true, removeOnFail: 100 } },
        )
      }
      void worker.run()
    },
    runNow: async (name) => {
      if (!byName.has(name)) throw new Error(`no job is called ${name}`)
      if (!worker.isRunning()) void worker.run()
      const job = await queue.add(name, {}, { removeOnComplete: true, removeOnFail: 100 })
      const outcome: unknown = await job.waitUntilFinished(finished)
      while (outcome === 'skipped' && (await redis.exists(lockKey(prefix, name))))
        await new Promise((resolve) => setTimeout(resolve, 50))
    },
    stop: async (graceMs = 4_000) => {
      stopping.abort(new JobStopped('stopping'))
      await Promise.race([worker.close(), new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())])
      await Promise.allSettled([queue.close(), finished.close()])
      for (const connection of [redis, forQueue, forWorker, forEvents]) connection.disconnect()
    },
  }
}
