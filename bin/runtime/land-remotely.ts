import { setTimeout as sleep } from 'node:timers/promises'
import { type CallClient, type CallServer, implementCall } from '../../jobs/calls/define-call.ts'
import { type LandBatch, landCall } from '../../jobs/calls/land.ts'
import type { Batch, Landing } from '../../pipeline/collecting/landing.ts'
import { serveWritingCalls } from './call-server.ts'
import type { Pipeline } from './pipeline.ts'

const LAND_RETRY_MS = 500
/** Rows that no leader took for this long stay in their capture, from which the next recovery lands them. */
const LAND_WITHIN_MS = 90_000

/** Opens the way to the pipeline that leads. */
export async function openLandClient(redis_url: string): Promise<CallClient> {
  const { openRedisClient } = await import('../../jobs/transports/redis.ts')
  return openRedisClient({ redis_url })
}

/** Lands what the other pipelines collected, and answers the other calls that write. */
export const serveLanding = (pipeline: Pipeline, redis_url: string): Promise<CallServer> =>
  serveWritingCalls(pipeline, redis_url, [
    implementCall(landCall, async (batch: LandBatch) => ({
      new_rows: await pipeline.collect.landing.land(batch as unknown as Batch),
    })),
  ])

/** A landing that writes here while this pipeline leads, and otherwise hands rows to the one that leads, again and again until it has them. */
export const landingWithLeader = (
  own: Landing,
  client: CallClient,
  isLeading: () => boolean,
  signal: AbortSignal,
): Landing => ({
  land: async (batch) => {
    for (const until = performance.now() + LAND_WITHIN_MS; ; ) {
      if (isLeading()) return own.land(batch)
      try {
        const { new_rows } = await client.call(landCall, batch as unknown as LandBatch, { signal })
        return new_rows
      } catch (error) {
        if (signal.aborted || performance.now() > until) throw error
        await sleep(LAND_RETRY_MS)
      }
    }
  },
  idle: own.idle,
})
