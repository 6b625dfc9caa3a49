import type { Settings } from '../../config/settings.ts'
import { liveSocket } from '../../jobs/live-local.ts'
import type { ReportDesk } from '../../jobs/reports.ts'
import { openLocalReportDesk } from '../../jobs/reports-local.ts'

/** Where the reports of an installation are handed over: over Redis when it is set, else to the pipeline of this data folder. */
export async function openReportDesk({ redis_url, data_dir }: Settings): Promise<ReportDesk> {
  if (!redis_url) return openLocalReportDesk(liveSocket(data_dir))
  // The api starts without the queue's packages where no Redis is set.
  const { openRedisReportDesk } = await import('../../jobs/reports-bullmq.ts')
  return openRedisReportDesk({ redis_url })
}
