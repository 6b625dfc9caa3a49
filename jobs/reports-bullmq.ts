import { type Job, Queue, QueueEvents, Worker } from 'bullmq'
import { HoldshortError } from '../config/errors.ts'
import { REDIS_PREFIX } from './bullmq.ts'
import { type LiveCounter, unavailable } from './live.ts'
import { connect, inGrace, type RedisLiveOptions, silently } from './live-bullmq.ts'
import { HAND_OVER_WITHIN_MS, ReportBatch, type ReportDesk, type ReportLander, ReportReceipt } from './reports.ts'

const QUEUE = 'reports'
/** A dead worker's batch is given up after this; it is handed over again, since nobody acknowledged it. */
const STALLED_MS = 5_000

/** Lands the reports of any machine that shares the Redis. */
export async function openRedisReportCounter(land: ReportLander, options: RedisLiveOptions): Promise<LiveCounter> {
  const closing = new AbortController()
  const connection = connect(options, closing.signal)
  const worker = new Worker(QUEUE, (job: Job) => land(ReportBatch.parse(job.data)), {
    connection,
    prefix: options.prefix ?? REDIS_PREFIX,
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

/** Hands reports over to whatever worker shares the Redis. */
export function openRedisReportDesk(options: RedisLiveOptions, within_ms = HAND_OVER_WITHIN_MS): ReportDesk {
  const prefix = options.prefix ?? REDIS_PREFIX
  const closing = new AbortController()
  const [forQueue, forEvents] = [connect(options, closing.signal), connect(options, closing.signal)]
  const queue = new Queue(QUEUE, { connection: forQueue, prefix }).on('error', silently)
  const finished = new QueueEvents(QUEUE, { connection: forEvents, prefix }).on('error', silently)

  const put = async (batch: ReportBatch, late: AbortSignal): Promise<ReportReceipt> => {
    if ((await queue.getWorkersCount()) === 0) throw unavailable('is not running')
    late.throwIfAborted()
    const job = await queue.add(QUEUE, batch, { removeOnComplete: { age: 60 }, removeOnFail: { age: 60 } })
    return ReportReceipt.parse(await job.waitUntilFinished(finished, within_ms))
  }

  return {
    handOver: async (batch) => {
      const late = AbortSignal.any([closing.signal, AbortSignal.timeout(within_ms)])
      const taken = put(batch, late)
      taken.catch(silently)
      try {
        return await Promise.race([taken, rejectedBy(late)])
      } catch (cause) {
        if (cause instanceof HoldshortError) throw cause
        throw unavailable('took no reports', cause)
      }
    },
    close: async () => {
      closing.abort()
      await inGrace(Promise.allSettled([queue.close(), finished.close()]))
      for (const connection of [forQueue, forEvents]) connection.disconnect()
    },
  }
}

/** Redis commands wait while it is away; this does not. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}
