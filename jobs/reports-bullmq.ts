import { type LiveCounter, unavailable } from './live.ts'
import { openRedisAsker } from './redis-asker.ts'
import { openRedisWorker, type RedisQueueOptions } from './redis-queue.ts'
import { HAND_OVER_WITHIN_MS, ReportBatch, type ReportDesk, type ReportLander, ReportReceipt } from './reports.ts'

const QUEUE = 'reports'

/** Lands the reports of any machine that shares the Redis. */
export const openRedisReportCounter = (land: ReportLander, options: RedisQueueOptions): Promise<LiveCounter> =>
  // A dead worker's batch is handed over again, since nobody acknowledged it.
  openRedisWorker(QUEUE, (given) => land(ReportBatch.parse(given)), options)

/** Hands reports over to whatever worker shares the Redis. */
export function openRedisReportDesk(options: RedisQueueOptions, within_ms = HAND_OVER_WITHIN_MS): ReportDesk {
  const { ask, close } = openRedisAsker(QUEUE, options, within_ms, unavailable)
  return { handOver: (batch) => ask(batch, (receipt) => ReportReceipt.parse(receipt)), close }
}
