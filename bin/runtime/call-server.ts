import type { Settings } from '../../config/settings.ts'
import { type CallImplementation, type CallServer, implementCall } from '../../jobs/calls/define-call.ts'
import { type LiveAnswer, type LiveRequest, liveCall, SCRAPE_TIMEOUT_MS } from '../../jobs/calls/live.ts'
import { type PipelineState, pipelineStateCall } from '../../jobs/calls/pipeline-state.ts'
import { reportsCall } from '../../jobs/calls/reports.ts'
import { serveOnSocket, socketPath } from '../../jobs/transports/socket.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { createLiveAnswerer, type LiveContext } from '../../pipeline/live/answer-live-requests.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Log } from './log.ts'
import type { Pipeline } from './pipeline.ts'

/** Every call that any pipeline answers. A new call is a declaration in jobs/calls/ and a line here or below. */
function readingCalls(live: LiveContext, log: Log): CallImplementation[] {
  return [implementCall(liveCall, logged(createLiveAnswerer(live), log))]
}

/** Every call about writing to the warehouse: only the pipeline that leads answers them. */
const writingCalls = (pipeline: Pipeline): CallImplementation[] => [
  implementCall(reportsCall, createReportLander(pipeline.warehouse, Date.now)),
  implementCall(pipelineStateCall, async () => pipelineState(pipeline)),
]

function pipelineState({ warehouse, publicationFailure }: Pipeline): PipelineState {
  const failed_with = publicationFailure()
  const holder = warehouse.waitsFor()
  if (holder === null) return { held_by: null, failed_with }
  const { name, pid, since } = holder
  return { held_by: { name, pid, since }, failed_with }
}

function logged(answer: (request: LiveRequest) => Promise<LiveAnswer>, log: Log): typeof answer {
  return async (request) => {
    const result = await answer(request)
    const attempts = result.attempts.map(({ source, code }) => ({ source, code }))
    log.info({ ...request, outcome: result.outcome, attempts }, 'live request')
    return result
  }
}

const liveContext = (settings: Settings, { collect, runs }: Pipeline): LiveContext => ({
  collect,
  runs,
  sources: sourcesOf(settings),
  min_age_seconds: settings.live_min_age_seconds,
  within_ms: SCRAPE_TIMEOUT_MS,
})

/** Serves the calls of an installation: over Redis if it is set, otherwise on the socket in the data folder. */
export async function openCallServer(settings: Settings, pipeline: Pipeline, log: Log): Promise<CallServer> {
  const { redis_url, data_dir } = settings
  if (redis_url) {
    const reading = await serveReadingCalls(settings, pipeline, log, redis_url)
    const writing = await serveWritingCalls(pipeline, redis_url)
    return { close: async () => void (await Promise.all([reading.close(), writing.close()])) }
  }
  const onPathInUse = (socket: string) =>
    log.warn({ socket }, 'another process serves this data folder; taking over when it ends')
  const calls = [...readingCalls(liveContext(settings, pipeline), log), ...writingCalls(pipeline)]
  return serveOnSocket(socketPath(data_dir), calls, { onPathInUse }).catch((error: Error) => {
    // Collecting continues without the socket; callers get LIVE_UNAVAILABLE.
    log.error({ error: error.message }, 'the socket cannot be opened: live requests and reports are unavailable')
    return { close: async () => undefined }
  })
}

/** Serves over Redis what every pipeline can answer. */
export async function serveReadingCalls(
  settings: Settings,
  pipeline: Pipeline,
  log: Log,
  redis_url: string,
): Promise<CallServer> {
  // Imported here so that an installation without Redis does not load the library.
  const { openSourceLocks } = await import('../../jobs/redis/lock.ts')
  const { serveOnRedis } = await import('../../jobs/transports/redis.ts')
  const locks = openSourceLocks({ redis_url })
  const live = Object.assign(liveContext(settings, pipeline), { lock: locks.take })
  const server = await serveOnRedis(readingCalls(live, log), { redis_url })
  return {
    close: async () => {
      await server.close()
      locks.close()
    },
  }
}

/** Serves over Redis what only one pipeline may answer; `more` are calls between pipelines. */
export async function serveWritingCalls(
  pipeline: Pipeline,
  redis_url: string,
  more: readonly CallImplementation[] = [],
): Promise<CallServer> {
  const { serveOnRedis } = await import('../../jobs/transports/redis.ts')
  return serveOnRedis([...writingCalls(pipeline), ...more], { redis_url })
}
