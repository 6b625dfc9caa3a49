import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { REDIS_PREFIX } from './bullmq.ts'
import type { LiveCounter } from './live.ts'

export interface RedisQueueOptions {
  redis_url: string
  /** Keys of one installation; tests use their own. */
  prefix?: string
}

/** What a dead worker had in hand is given up after this, not done again by another worker. */
const STALLED_MS = 5_000
/** What is under way when we are told to stop may take this much longer. */
const GRACE_MS = 1_000
/** Longest pause before Redis is tried again. */
const LONGEST_RETRY_MS = 1_000

/** Redis is away: the connection tries again by itself, and asking says so meanwhile. */
export const silently = () => undefined

/** A connection, and those that the queue derives from it, that try again until they are closed. */
export const connect = ({ redis_url }: RedisQueueOptions, closing: AbortSignal) =>
  new Redis(redis_url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (closing.aborted ? null : Math.min(times * 50, LONGEST_RETRY_MS)),
  }).on('error', silently)

/** Works off what any machine that shares the Redis puts on a queue; each thing once, by one worker, `at_once` at a time. */
export async function openRedisWorker(
  queue: string,
  work: (given: unknown) => Promise<unknown>,
  options: RedisQueueOptions,
  at_once = 1,
): Promise<LiveCounter> {
  const closing = new AbortController()
  const connection = connect(options, closing.signal)
  const worker = new Worker(queue, (job: Job) => work(job.data), {
    connection,
    prefix: options.prefix ?? REDIS_PREFIX,
    concurrency: at_once,
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

/** The putting side of a queue. */
export interface RedisQueue {
  queue: Queue
  finished: QueueEvents
  /** Fires when it is closed. */
  closing: AbortSignal
  close: () => Promise<void>
}

/** Opens the side of a queue that things are put on and waited for. */
export function openRedisQueue(name: string, options: RedisQueueOptions): RedisQueue {
  const prefix = options.prefix ?? REDIS_PREFIX
  const closing = new AbortController()
  const [forQueue, forEvents] = [connect(options, closing.signal), connect(options, closing.signal)]
  const queue = new Queue(name, { connection: forQueue, prefix }).on('error', silently)
  const finished = new QueueEvents(name, { connection: forEvents, prefix }).on('error', silently)
  return {
    queue,
    finished,
    closing: closing.signal,
    close: async () => {
      closing.abort()
      // Without a Redis, closing would wait for one.
      await inGrace(Promise.allSettled([queue.close(), finished.close()]))
      for (const connection of [forQueue, forEvents]) connection.disconnect()
    },
  }
}

/** Rejects when a signal fires: Redis commands wait while it is away, this does not. */
export function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** Waits for a closing, but not for a Redis that is away. */
function inGrace(closing: Promise<unknown>): Promise<unknown> {
  const grace = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())
  return Promise.race([closing, grace])
}
