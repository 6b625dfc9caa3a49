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
import {
  connect,
  openRedisQueue,
  openRedisWorker,
  type RedisQueueOptions,
  rejectedBy,
  silently,
} from './redis-queue.ts'

const QUEUE = 'live'
const AT_ONCE = 50
/** Finished jobs stay this long, for those who came while they ended. */
const KEPT = { age: 60, count: 1_000 }

/** Answers live requests of any machine that shares the Redis; each request is answered once, by one worker. */
export const openRedisCounter = (answer: LiveAnswerer, options: RedisQueueOptions): Promise<LiveCounter> =>
  // A dead worker's request is not done again: nobody waits any more.
  openRedisWorker(QUEUE, (given) => answer(LiveRequest.parse(given)), options, AT_ONCE)

/** Puts live requests to whatever worker shares the Redis. Equal requests under way are one. */
export function openRedisDesk(options: RedisQueueOptions, within_ms = ASK_WITHIN_MS): LiveDesk {
  const { queue, finished, close } = openRedisQueue(QUEUE, options)
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
        return await Promise.race([answered, rejectedBy(given_up)])
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof HoldshortError) throw cause
        throw unavailable(late.aborted ? `gave no answer in ${within_ms / 1_000} s` : 'cannot be asked', cause)
      }
    },
    close,
  }
}

/** The locks of collect runs, for live scrapes: a source is asked by one machine at a time. */
export function openSourceLocks(options: RedisQueueOptions) {
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
