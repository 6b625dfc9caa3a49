import type { Settings } from '../../config/settings.ts'
import type { ArchiveDesk } from '../../jobs/archive.ts'
import { openLocalArchiveDesk } from '../../jobs/archive-local.ts'
import { liveSocket } from '../../jobs/live-local.ts'

/** Where questions about the past are put: over Redis when it is set, else to the pipeline of this data folder. */
export async function openArchiveDesk({ redis_url, data_dir }: Settings): Promise<ArchiveDesk> {
  if (!redis_url) return openLocalArchiveDesk(liveSocket(data_dir))
  // The api starts without the queue's packages where no Redis is set.
  const { openRedisArchiveDesk } = await import('../../jobs/archive-bullmq.ts')
  return openRedisArchiveDesk({ redis_url })
}
