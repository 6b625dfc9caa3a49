import { setTimeout as sleep } from 'node:timers/promises'
import { countText } from '../../config/count-text.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { type CallClient, type CallServer, implementCall } from '../../jobs/calls/define-call.ts'
import { type LandBatch, landCall } from '../../jobs/calls/land.ts'
import type { JobDefinition } from '../../jobs/schedule/definition.ts'
import type { Batch, Landing } from '../../pipeline/collecting/landing.ts'
import { landedCaptures, recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { requireSameWorld } from '../../warehouse/coordination/catalog-database.ts'
import { type Turn, takeTurn } from '../../warehouse/coordination/turns.ts'
import { exchangeCaptures, recentDays, sweepCaptures, uploadCapture } from '../../warehouse/sharing/captures.ts'
import { type ModelsOfLeader, openModelsOfLeader } from '../../warehouse/sharing/models.ts'
import { requireOwnBucket } from '../../warehouse/sharing/own-bucket.ts'
import { publishExport } from '../../warehouse/sharing/published-export.ts'
import { sweepContents } from '../../warehouse/sharing/published-files.ts'
import { publishSnapshot } from '../../warehouse/sharing/snapshots.ts'
import { recordTableFiles } from '../../warehouse/sharing/table-files.ts'
import { sweepLeftovers } from '../../warehouse/storage/leftovers.ts'
import { openCallClient } from './call-client.ts'
import { openCallServer, serveReadingCalls, serveWritingCalls } from './call-server.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Log } from './log.ts'
import { openPipeline, openRunner, type Pipeline } from './pipeline.ts'
import { serveTasks } from './serve-tasks.ts'
import { commandName, openSharedStores, type SharedStores, tablesPlace } from './shared-stores.ts'
import { sweepTaskContents } from './task-contents.ts'

/** A part of a service that runs until it is closed. */
interface RunningPart {
  close: () => Promise<void>
}

/** The parts of a service, which start one by one and end together. */
function createRunningParts() {
  const parts: RunningPart[] = []
  let isClosed = false
  return {
    /** Adds a part; one that started while the service was ending is closed at once. */
    add: async (part: RunningPart) => {
      if (isClosed) await part.close()
      else parts.push(part)
    },
    /** Closes all parts; a part that fails to close keeps no other one open. */
    close: async () => {
      isClosed = true
      await Promise.allSettled(parts.map((part) => part.close()))
    },
  }
}

const RUNNER_GRACE_MS = 2_000
/** A request for the lead is repeated after this long, so that it does not wait for a lost connection. */
const SEEK_MS = 15_000
/** Pause after an error of the catalog database. */
const RETRY_MS = 1_000

export const isUnreachable = (error: unknown): boolean =>
  error instanceof HoldshortError && error.code === 'STORE_UNREACHABLE'

/** A pipeline from its start until it can go on neither as a follower nor as the leader. */
export interface Session {
  /** Resolves with the reason when the session cannot go on. */
  ended: Promise<Error>
  close: () => Promise<void>
}

interface Context {
  settings: Settings
  stores: SharedStores
  log: Log
  closing: AbortSignal
  end: (reason: Error) => void
  /** Jobs and calls: they end first, because all else serves them. */
  services: ReturnType<typeof createRunningParts>
  /** The lead, from when it is taken until it is lost. */
  lead: Turn | null
  models: ModelsOfLeader
}

interface OpenContext extends Context {
  pipeline: Pipeline
}

const isCollect = ({ kind }: JobDefinition) => kind === 'collect'

/**
 * Opens a session. It starts in this order: the stores, the way to the leader, the pipeline, what every pipeline does over Redis, seeking
 * the lead; a leader then answers calls, publishes, runs the jobs of a leader and lands what nobody landed. It ends in the reverse
 * order, and gives the lead up last: until then, what was under way can be published.
 */
export async function openSession(settings: Settings, log: Log): Promise<Session> {
  const { data_dir, redis_url } = settings
  const stores = await openSharedStores(settings)
  const closing = new AbortController()
  let end: Context['end'] = () => undefined
  const ended = new Promise<Error>((resolve) => {
    end = resolve
  })
  const context: Context = {
    settings,
    stores,
    log,
    closing: closing.signal,
    end,
    services: createRunningParts(),
    lead: null,
    models: openModelsOfLeader(stores, data_dir),
  }
  const landClient = redis_url === undefined ? null : await openCallClient(settings)
  const landing = (own: Landing) =>
    landClient ? landingWithLeader(own, landClient, () => context.lead !== null, closing.signal) : own
  const pipeline = await openSharedPipeline(context, landing).catch(async (error) => {
    await landClient?.close()
    await stores.close()
    throw error
  })
  const session: OpenContext = Object.assign(context, { pipeline })
  if (redis_url !== undefined)
    // A Redis that is away is waited for; leading does not wait for it.
    serveOverRedis(session, redis_url).catch((error: Error) =>
      log.error({ error: error.message }, 'jobs over Redis failed'),
    )
  const seeking = seekLead(session)
  void sweepLeftovers(data_dir, Date.now()).catch(() => undefined)
  log.info({ data_dir, store: stores.store.address }, 'pipeline runs; one of all machines leads')
  return {
    ended,
    close: async () => {
      closing.abort()
      await context.services.close()
      await landClient?.close()
      await pipeline.close()
      await seeking
      await context.lead?.release()
      await stores.close()
    },
  }
}

/** The pipeline of a member: its tables are those of all machines, and what it makes is shared before it is acknowledged. */
async function openSharedPipeline(context: Context, landing: (own: Landing) => Landing): Promise<Pipeline> {
  const { settings, stores, log } = context
  const { data_dir } = settings
  await requireSameWorld(stores.url, settings.simulated_world !== undefined)
  await requireOwnBucket(stores, stores.url)
  const leading = () => {
    if (context.lead) return context.lead
    throw new HoldshortError('WRITE_FENCED', 'this pipeline does not lead; nothing was published')
  }
  const place = await tablesPlace(settings, commandName())
  const pipeline: Pipeline = await openPipeline(settings, log, {
    place: place!,
    landing,
    captureStored: (path) => uploadCapture(stores.store, data_dir, path),
    beforeCurrent: async (id) => {
      const { epoch } = leading()
      const uploaded_bytes = await publishSnapshot(stores, data_dir, id, epoch)
      await context.models.publish(epoch)
      log.debug({ snapshot: id, uploaded_bytes }, 'published')
    },
    afterExport: async (folder) => {
      const uploaded_bytes = await publishExport(stores, folder, leading().epoch)
      log.debug({ uploaded_bytes }, 'open data published')
    },
    afterUpkeep: () => upkeepOfLeader(context, pipeline),
  })
  return pipeline
}

/** The work of every pipeline over Redis: collecting, live requests, and the tasks of trainings. */
async function serveOverRedis(session: OpenContext, redis_url: string): Promise<void> {
  const { settings, pipeline, log, services } = session
  const runner = await openRunner(settings, pipeline, log, { includes: isCollect, redis_url })
  await services.add({ close: () => runner.stop(RUNNER_GRACE_MS) })
  await runner.start()
  if (session.closing.aborted) return
  await services.add(await serveReadingCalls(settings, pipeline, log, redis_url))
  await services.add(await serveTasks(settings, log, redis_url))
}

/** Waits for the lead and leads. A failure to lead ends the session, which gives the lead up: another pipeline may fare better. */
async function seekLead(session: OpenContext): Promise<void> {
  const { closing } = session
  const taken = await leadWhenFree(session)
  if (taken === null || closing.aborted) return taken?.release()
  await lead(session, taken).catch((error: Error) => session.end(error))
}

/** The lead, once no other pipeline has it; null when the session closes before. */
async function leadWhenFree({ stores, closing, log, end }: OpenContext): Promise<Turn | null> {
  let isReported = false
  while (!closing.aborted) {
    try {
      const taken = await takeTurn(stores.url, 'lead', { purpose: commandName(), wait_ms: SEEK_MS, signal: closing })
      if (taken !== null) return taken
      isReported = false
    } catch (error) {
      if (closing.aborted) return null
      if (!isUnreachable(error)) {
        end(error as Error)
        return null
      }
      if (!isReported) log.error({ error: (error as Error).message }, 'the lead cannot be requested; trying on')
      isReported = true
      await sleep(RETRY_MS, undefined, { signal: closing }).catch(() => undefined)
    }
  }
  return null
}

/** Begins to lead. Readers wait for the first snapshot, so that other jobs and the captures that nobody landed come after it. */
async function lead(session: OpenContext, taken: Turn): Promise<void> {
  const { log, stores, closing, pipeline } = session
  const began = performance.now()
  const milliseconds = () => Math.round(performance.now() - began)
  session.lead = taken
  taken.lost.addEventListener('abort', () => {
    session.lead = null
    session.end(taken.lost.reason as Error)
  })
  log.info({ epoch: taken.epoch, store: stores.store.address }, 'this pipeline leads')
  await session.models.fetchPublished().then(
    ([lost]) =>
      lost &&
      log.error({ error: lost.message }, 'a published model was lost; that of this folder serves, if it has one'),
    (error: Error) =>
      log.error({ error: error.message }, 'the published models could not be fetched; those of this folder serve'),
  )
  // Not waited for: Redis may be away.
  answerAsLeader(session).catch((error: Error) =>
    log.error({ error: error.message }, 'the calls of a leader cannot be served'),
  )
  await pipeline.publishAtOnce().then(
    ({ milliseconds: steps }) =>
      log.info({ milliseconds: milliseconds(), steps }, 'the first snapshot of this leader is published'),
    (error: Error) => log.error({ error: error.message }, 'the first snapshot failed; the schedule repeats it'),
  )
  // Snapshots are named by whole seconds.
  await sleep(1_000)
  if (closing.aborted) return
  await runJobsOfLeader(session)
  await recover(session, pipeline).catch((error: Error) =>
    log.error({ error: error.message }, 'captures could not be recovered; the next upkeep repeats it'),
  )
}

async function answerAsLeader({ settings, pipeline, log, services }: OpenContext): Promise<void> {
  const { redis_url } = settings
  await services.add(
    await (redis_url === undefined ? openCallServer(settings, pipeline, log) : serveLanding(pipeline, redis_url)),
  )
}

/** Everything but collecting, which all pipelines share over Redis; without Redis that too. */
async function runJobsOfLeader({ settings, pipeline, log, services }: OpenContext): Promise<void> {
  const includes = (job: JobDefinition) => settings.redis_url === undefined || !isCollect(job)
  const runner = await openRunner(settings, pipeline, log, { includes, redis_url: undefined })
  await runner.start()
  await services.add({ close: () => runner.stop(RUNNER_GRACE_MS) })
}

/** Lands the captures of all machines that nobody landed, because their pipeline or the leader ended before. */
async function recover({ settings, stores, log }: Context, pipeline: Pipeline): Promise<void> {
  const now = Date.now()
  const landed = await landedCaptures(pipeline.warehouse, now)
  const sources = sourcesOf(settings).map(({ id }) => id)
  await exchangeCaptures(stores.store, settings.data_dir, {
    sources,
    days: recentDays(now),
    isExcluded: (id) => landed.has(id),
  })
  const { captures, rows } = await recoverCaptures(pipeline.warehouse, now)
  log.info({ captures, rows }, 'captures recovered that nobody had landed')
}

async function upkeepOfLeader(context: Context, pipeline: Pipeline): Promise<object> {
  const { stores, settings } = context
  await recover(context, pipeline)
  const report = {
    contents_deleted: await sweepContents(stores, Date.now()),
    captures_deleted: await sweepCaptures(stores.store, Date.now(), settings.raw_days),
    task_contents_deleted: await sweepTaskContents(stores.store, Date.now()),
  }
  const altered = await recordTableFiles(pipeline.warehouse, stores)
  if (altered.length > 0)
    throw new HoldshortError(
      'STORE_DAMAGED',
      `${countText(altered.length, 'file')} of the tables in ${stores.store.address} are not what was written; run \`holdshort doctor\``,
    )
  return report
}

const LAND_RETRY_MS = 500
/** Rows that no leader took for this long stay in their capture, from which the next recovery lands them. */
const LAND_WITHIN_MS = 90_000

/** Lands what the other pipelines collected, and answers the other calls that write. */
const serveLanding = (pipeline: Pipeline, redis_url: string): Promise<CallServer> =>
  serveWritingCalls(pipeline, redis_url, [
    implementCall(landCall, async (batch: LandBatch) => ({
      new_rows: await pipeline.collect.landing.land(batch as unknown as Batch),
    })),
  ])

/** A landing that writes here while this pipeline leads, and otherwise hands rows to the one that leads, again and again until it has them. */
const landingWithLeader = (
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
