import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { HoldshortError } from '../config/errors.ts'
import { REDIS_PREFIX } from './bullmq.ts'
import {
  ASK_WITHIN_MS,
  LiveAnswer,
  type LiveAnswerer,
  type LiveCounter,
  type LiveDesk,
  LiveRequest,
  unavailable,
} from './live.ts'
import { type Release, takeLock } from './redis-lock.ts'

export interface RedisLiveOptions {
  redis_url: string
  /** Keys of one installation; tests use their own. */
  prefix?: string
}

const QUEUE = 'live'
const AT_ONCE = 50
/** Finished jobs stay this long, for those who came while they ended. */
const KEPT = { age: 60, count: 1_000 }
/** A dead worker's request is given up after this, not done again: nobody waits any more. */
const STALLED_MS = 5_000
/** What is under way when we are told to stop may take this much longer. */
const GRACE_MS = 1_000
/** Longest pause before Redis is tried again. */
const LONGEST_RETRY_MS = 1_000

/** Redis is away: the connection tries again by itself, and asking says so meanwhile. */
export const silently = () => undefined

/** A connection, and those that the queue derives from it, that try again until they are closed. */
export const connect = ({ redis_url }: RedisLiveOptions, closing: AbortSignal) =>
  new Redis(redis_url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (closing.aborted ? null : Math.min(times * 50, LONGEST_RETRY_MS)),
  }).on('error', silently)

/** Answers live requests of any machine that shares the Redis; each request is answered once, by one worker. */
export async function openRedisCounter(answer: LiveAnswerer, options: RedisLiveOptions): Promise<LiveCounter> {
  const closing = new AbortController()
  const connection = connect(options, closing.signal)
  const worker = new Worker(QUEUE, (job: Job) => answer(LiveRequest.parse(job.data)), {
    connection,
    prefix: options.prefix ?? REDIS_PREFIX,
    concurrency: AT_ONCE,
    lockDuration: STALLED_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: 0,
  }).on('error', silently)
  await worker.waitUntilReady()
  return {
    close: async () => {
      closing.abort()
      await inGrace(worker.close().catch(silently))
      connection.disconnect()
    },
  }
}

/** Puts live requests to whatever worker shares the Redis. Equal requests under way are one. */
export function openRedisDesk(options: RedisLiveOptions, within_ms = ASK_WITHIN_MS): LiveDesk {
  const prefix = options.prefix ?? REDIS_PREFIX
  const closing = new AbortController()
  const [forQueue, forEvents] = [connect(options, closing.signal), connect(options, closing.signal)]
  const queue = new Queue(QUEUE, { connection: forQueue, prefix }).on('error', silently)
  const finished = new QueueEvents(QUEUE, { connection: forEvents, prefix }).on('error', silently)
  // One listener an asker, not a leak.
  for (const emitter of [queue, finished]) emitter.setMaxListeners(0)

  const put = async (request: LiveRequest, given_up: AbortSignal): Promise<LiveAnswer> => {
    if ((await queue.getWorkersCount()) === 0) throw unavailable('is not running')
    // Redis may have been away until now: what nobody waits for is not asked.
    given_up.throwIfAborted()
    const id = `${request.iata}/${request.kind}`
    const job = await queue.add(QUEUE, request, {
      deduplication: { id },
      removeOnComplete: KEPT,
      removeOnFail: KEPT,
    })
    try {
      return LiveAnswer.parse(await job.waitUntilFinished(finished, within_ms))
    } catch (cause) {
      if ((await job.getState()) !== 'failed') throw cause
      throw new HoldshortError('INTERNAL', `the pipeline failed at a live request: ${(cause as Error).message}`)
    } finally {
      // A request whose worker died must not swallow those after it.
      if (!(await job.isCompleted())) await queue.removeDeduplicationKey(id).catch(silently)
    }
  }

  return {
    ask: async (given, { signal } = {}) => {
      const request = LiveRequest.parse(given)
      const late = AbortSignal.timeout(within_ms)
      const given_up = AbortSignal.any([late, ...(signal ? [signal] : [])])
      const answered = put(request, given_up)
      answered.catch(silently)
      try {
        return await Promise.race([answered, aborted(given_up)])
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof HoldshortError) throw cause
        throw unavailable(late.aborted ? `gave no answer in ${within_ms / 1_000} s` : 'cannot be asked', cause)
      }
    },
    close: async () => {
      closing.abort()
      // Without a Redis, closing would wait for one.
      await inGrace(Promise.allSettled([queue.close(), finished.close()]))
      for (const connection of [forQueue, forEvents]) connection.disconnect()
    },
  }
}

/** Waits for a closing, but not for a Redis that is away. */
export const inGrace = (closing: Promise<unknown>) => {
  const grace = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())
  return Promise.race([closing, grace])
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** The locks of collect runs, for live scrapes: a source is asked by one machine at a time. */
export function openSourceLocks(options: RedisLiveOptions) {
  const closing = new AbortController()
  const redis = connect(options, closing.signal)
  return {
    take: (source: string): Promise<Release | null> =>
      takeLock(redis, options.prefix ?? REDIS_PREFIX, `collect:${source}`),
    close: async () => {
      closing.abort()
      redis.disconnect()
    },
  }
}
