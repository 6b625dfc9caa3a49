import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import {
  type Call,
  type CallClient,
  type CallImplementation,
  type CallServer,
  createCallClient,
  pipelineFailure,
  unavailable,
} from '../calls/define-call.ts'
import { openRedis, type RedisOptions } from '../redis/connection.ts'

/** A request whose worker stopped responding is given up after this time; no other worker repeats it. */
const STALLED_MS = 5_000
/** Finished jobs stay this long, for callers that share a job and come while it ends. */
const RETENTION = { age: 60, count: 1_000 }
const REGISTRATION_CHECK_MS = 20
const EVENT_LOOKBACK_MS = 60_000

const ignoreError = () => undefined

/** Serves calls from BullMQ queues, one queue a call, on any number of machines; one worker answers each request. */
export async function serveOnRedis(calls: readonly CallImplementation[], options: RedisOptions): Promise<CallServer> {
  const servers = await Promise.all(calls.map((call) => serveQueue(call, options)))
  return {
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

async function serveQueue(call: CallImplementation, options: RedisOptions): Promise<CallServer> {
  const redis = openRedis(options)
  const { prefix } = redis
  const connection = redis.connect()
  const worker = new Worker(call.name, (job: Job) => call.answer(job.data), {
    connection,
    prefix,
    concurrency: call.redis_concurrency,
    lockDuration: STALLED_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: 0,
  }).on('error', ignoreError)
  await worker.waitUntilReady()
  // Clients look in Redis for a worker first: wait until Redis lists this one.
  const queue = new Queue(call.name, { connection, prefix }).on('error', ignoreError)
  while ((await queue.getWorkersCount()) === 0) await sleep(REGISTRATION_CHECK_MS)
  return { close: () => redis.close([worker.close(), queue.close()]) }
}

/** Calls whatever pipeline process shares the Redis. */
export function openRedisClient(options: RedisOptions): CallClient {
  const redis = openRedis(options)
  const queues = new Map<string, CallQueue>()
  const queueOf = (name: string): CallQueue => {
    const queue = queues.get(name) ?? openQueue(name, redis)
    queues.set(name, queue)
    return queue
  }
  return createCallClient(
    (call, request, stop) => sendRequest(queueOf(call.name), call, request, stop),
    () => redis.close([...queues.values()].flatMap(({ queue, finished }) => [queue.close(), finished.close()])),
  )
}

interface CallQueue {
  queue: Queue
  finished: QueueEvents
}

function openQueue(name: string, { prefix, connect }: ReturnType<typeof openRedis>): CallQueue {
  const queue = new Queue(name, { connection: connect(), prefix }).on('error', ignoreError)
  // Reading starts a little in the past: a job may finish before the first read.
  const lastEventId = `${Date.now() - EVENT_LOOKBACK_MS}-0`
  const finished = new QueueEvents(name, { connection: connect(), prefix, lastEventId }).on('error', ignoreError)
  // Every waiting caller adds a listener; that is no leak.
  for (const emitter of [queue, finished]) emitter.setMaxListeners(0)
  return { queue, finished }
}

async function sendRequest<Request>(
  { queue, finished }: CallQueue,
  call: Call<Request, unknown>,
  request: Request,
  stop: AbortSignal,
): Promise<unknown> {
  if ((await queue.getWorkersCount()) === 0) throw unavailable(call, 'is not running')
  // Redis may have been away until now: a request that nobody waits for is not sent.
  stop.throwIfAborted()
  const id = call.deduplicationKey?.(request)
  const job = await queue.add(call.name, request, {
    ...(id === undefined ? {} : { deduplication: { id } }),
    removeOnComplete: RETENTION,
    removeOnFail: RETENTION,
  })
  try {
    return await job.waitUntilFinished(finished, call.timeout_ms)
  } catch (cause) {
    if ((await job.getState()) !== 'failed') throw cause
    throw pipelineFailure((cause as Error).message)
  } finally {
    if (id === undefined) {
      // A request that nobody waits for is not answered.
      if (stop.aborted) await job.remove().catch(ignoreError)
    } else if (!(await job.isCompleted())) {
      // A request whose worker died must not absorb the equal requests after it.
      await queue.removeDeduplicationKey(id).catch(ignoreError)
    }
  }
}
