import type { Settings } from '../../config/settings.ts'
import { archiveCall } from '../../jobs/calls/archive.ts'
import { type CallImplementation, type CallServer, implementCall } from '../../jobs/calls/define-call.ts'
import { type LiveAnswer, type LiveRequest, liveCall, SCRAPE_TIMEOUT_MS } from '../../jobs/calls/live.ts'
import { reportsCall } from '../../jobs/calls/reports.ts'
import { serveOnSocket, socketPath } from '../../jobs/transports/socket.ts'
import { createArchiveAnswerer } from '../../pipeline/archive.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { createLiveAnswerer, type LiveContext } from '../../pipeline/live/answer-live-requests.ts'
import type { Log } from './environment.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Pipeline } from './pipeline.ts'

/** Every call that the pipeline answers. A new call is a declaration in jobs/calls/ and a line here. */
function implementations(pipeline: Pipeline, live: LiveContext, log: Log): CallImplementation[] {
  const { warehouse } = pipeline
  return [
    implementCall(liveCall, logged(createLiveAnswerer(live), log)),
    implementCall(archiveCall, createArchiveAnswerer(warehouse, Date.now)),
    implementCall(reportsCall, createReportLander(warehouse, Date.now)),
  ]
}

function logged(answer: (request: LiveRequest) => Promise<LiveAnswer>, log: Log): typeof answer {
  return async (request) => {
    const result = await answer(request)
    const attempts = result.attempts.map(({ source, code }) => ({ source, code }))
    log.info({ ...request, outcome: result.outcome, attempts }, 'live request')
    return result
  }
}

/** Serves the calls of an installation: over Redis if it is set, otherwise on the socket in the data folder. */
export async function openCallServer(settings: Settings, pipeline: Pipeline, log: Log): Promise<CallServer> {
  const { redis_url, data_dir, live_min_age_seconds } = settings
  const live: LiveContext = {
    collect: pipeline.collect,
    runs: pipeline.runs,
    sources: sourcesOf(settings),
    min_age_seconds: live_min_age_seconds,
    within_ms: SCRAPE_TIMEOUT_MS,
  }
  if (redis_url) {
    // Imported here so that an installation without Redis does not load the library.
    const { openSourceLocks } = await import('../../jobs/redis/lock.ts')
    const { serveOnRedis } = await import('../../jobs/transports/redis.ts')
    const locks = openSourceLocks({ redis_url })
    const server = await serveOnRedis(implementations(pipeline, { ...live, lock: locks.take }, log), { redis_url })
    return {
      close: async () => {
        await server.close()
        locks.close()
      },
    }
  }
  const onPathInUse = (socket: string) =>
    log.warn({ socket }, 'another process serves this data folder; taking over when it ends')
  return serveOnSocket(socketPath(data_dir), implementations(pipeline, live, log), { onPathInUse }).catch(
    (error: Error) => {
      // Collecting continues without the socket; callers get LIVE_UNAVAILABLE or ARCHIVE_UNAVAILABLE.
      log.error(
        { error: error.message },
        'the socket cannot be opened: live requests, as_of and reports are unavailable',
      )
      return { close: async () => undefined }
    },
  )
}
