import type { Settings } from '../../config/settings.ts'
import { openRedisArchiveCounter } from '../../jobs/archive-bullmq.ts'
import { type LiveAnswerer, type LiveCounter, SCRAPE_WITHIN_MS } from '../../jobs/live.ts'
import { openRedisCounter, openSourceLocks } from '../../jobs/live-bullmq.ts'
import { liveSocket, openLocalCounter } from '../../jobs/live-local.ts'
import { openRedisReportCounter } from '../../jobs/reports-bullmq.ts'
import { createArchivist } from '../../pipeline/archive.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { createLiveAnswerer } from '../../pipeline/live/answer-live-requests.ts'
import type { Log } from './environment.ts'
import { type Pipeline, sourcesOf } from './pipeline.ts'

/** Answers the live requests of an installation and its questions about the past, and lands its travellers' reports: over Redis when it is set, else on the socket of its data folder. */
export async function openLiveCounter(settings: Settings, pipeline: Pipeline, log: Log): Promise<LiveCounter> {
  const { redis_url, data_dir, live_min_age_seconds } = settings
  const { collect, runs } = pipeline
  const context = {
    collect,
    runs,
    sources: sourcesOf(settings),
    min_age_seconds: live_min_age_seconds,
    within_ms: SCRAPE_WITHIN_MS,
  }
  const logged =
    (answer: LiveAnswerer): LiveAnswerer =>
    async (request) => {
      const answered = await answer(request)
      const { outcome, attempts } = answered
      log.info(
        { ...request, outcome, attempts: attempts.map(({ source, code }) => ({ source, code })) },
        'live request',
      )
      return answered
    }
  const reports = createReportLander(pipeline.warehouse, Date.now)
  const archive = createArchivist(pipeline.warehouse, Date.now)
  if (!redis_url) {
    const onTaken = (socket: string) =>
      log.warn({ socket }, 'another process answers live requests of this folder; taking over when it ends')
    return openLocalCounter(liveSocket(data_dir), logged(createLiveAnswerer(context)), {
      onTaken,
      reports,
      archive,
    }).catch((error: Error) => {
      // Collecting goes on without it; askers are told so.
      log.error({ error: error.message }, 'live requests and the past cannot be answered, nor reports landed')
      return { close: async () => undefined }
    })
  }
  const locks = openSourceLocks({ redis_url })
  const counter = await openRedisCounter(logged(createLiveAnswerer({ ...context, lock: locks.take })), { redis_url })
  const landing = await openRedisReportCounter(reports, { redis_url })
  const past = await openRedisArchiveCounter(archive, { redis_url })
  return {
    close: async () => {
      await Promise.all([counter.close(), landing.close(), past.close()])
      await locks.close()
    },
  }
}
