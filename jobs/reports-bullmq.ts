import { HoldshortError } from '../config/errors.ts'
import { type LiveCounter, unavailable } from './live.ts'
import { openRedisQueue, openRedisWorker, type RedisQueueOptions, rejectedBy, silently } from './redis-queue.ts'
import { HAND_OVER_WITHIN_MS, ReportBatch, type ReportDesk, type ReportLander, ReportReceipt } from './reports.ts'

const QUEUE = 'reports'

/** Lands the reports of any machine that shares the Redis. */
export const openRedisReportCounter = (land: ReportLander, options: RedisQueueOptions): Promise<LiveCounter> =>
  // A dead worker's batch is handed over again, since nobody acknowledged it.
  openRedisWorker(QUEUE, (given) => land(ReportBatch.parse(given)), options)

/** Hands reports over to whatever worker shares the Redis. */
export function openRedisReportDesk(options: RedisQueueOptions, within_ms = HAND_OVER_WITHIN_MS): ReportDesk {
  const { queue, finished, closing, close } = openRedisQueue(QUEUE, options)

  const put = async (batch: ReportBatch, late: AbortSignal): Promise<ReportReceipt> => {
    if ((await queue.getWorkersCount()) === 0) throw unavailable('is not running')
    late.throwIfAborted()
    const job = await queue.add(QUEUE, batch, { removeOnComplete: { age: 60 }, removeOnFail: { age: 60 } })
    return ReportReceipt.parse(await job.waitUntilFinished(finished, within_ms))
  }

  return {
    handOver: async (batch) => {
      const late = AbortSignal.any([closing, AbortSignal.timeout(within_ms)])
      const taken = put(batch, late)
      taken.catch(silently)
      try {
        return await Promise.race([taken, rejectedBy(late)])
      } catch (cause) {
        if (cause instanceof HoldshortError) throw cause
        throw unavailable('took no reports', cause)
      }
    },
    close,
  }
}
