import type { Settings } from '../../config/settings.ts'
import type { LiveDesk } from '../../jobs/live.ts'
import { liveSocket, openLocalDesk } from '../../jobs/live-local.ts'

/** Where the live requests of an installation are put: over Redis when it is set, else to the pipeline of this data folder. */
export async function openLiveDesk(settings: Settings): Promise<LiveDesk> {
  const { redis_url, data_dir } = settings
  if (!redis_url) return openLocalDesk(liveSocket(data_dir))
  // The api starts without the queue's packages where no Redis is set.
  const { openRedisDesk } = await import('../../jobs/live-bullmq.ts')
  return openRedisDesk({ redis_url })
}
