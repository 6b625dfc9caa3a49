import { HoldshortError } from '../config/errors.ts'
import { openRedisQueue, type RedisQueueOptions, rejectedBy, silently } from './redis-queue.ts'

/**
 * The asking end of a queue whose every question is a job of its own; it waits `within_ms`, and says `refusal` when no
 * sound answer came. What nobody waits for any more is taken off the queue.
 */
export function openRedisAsker(
  name: string,
  options: RedisQueueOptions,
  within_ms: number,
  refusal: (why: string, cause?: unknown) => HoldshortError,
) {
  const { queue, finished, closing, close } = openRedisQueue(name, options)
  // One listener an asker, not a leak.
  for (const emitter of [queue, finished]) emitter.setMaxListeners(0)

  const put = async (asked: object, given_up: AbortSignal): Promise<unknown> => {
    if ((await queue.getWorkersCount()) === 0) throw refusal('is not running')
    // Redis may have been away until now: what nobody waits for is not asked.
    given_up.throwIfAborted()
    const job = await queue.add(name, asked, { removeOnComplete: { age: 60 }, removeOnFail: { age: 60 } })
    try {
      return await job.waitUntilFinished(finished, within_ms)
    } catch (cause) {
      if ((await job.getState()) !== 'failed') throw cause
      throw new HoldshortError('INTERNAL', `the pipeline failed at a request: ${(cause as Error).message}`)
    } finally {
      if (given_up.aborted) await job.remove().catch(silently)
    }
  }

  return {
    ask: async <A>(asked: object, parse: (answer: unknown) => A, signal?: AbortSignal): Promise<A> => {
      const late = AbortSignal.timeout(within_ms)
      const given_up = AbortSignal.any([closing, late, ...(signal ? [signal] : [])])
      const answered = put(asked, given_up)
      answered.catch(silently)
      try {
        return parse(await Promise.race([answered, rejectedBy(given_up)]))
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof HoldshortError) throw cause
        throw refusal(late.aborted ? `gave no answer in ${within_ms / 1_000} s` : 'cannot be asked', cause)
      }
    },
    close,
  }
}
