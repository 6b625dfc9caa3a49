import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { JobDefinition } from '../../jobs/schedule/definition.ts'
import type { Landing } from '../../pipeline/collecting/landing.ts'
import { landedCaptures, recoverCaptures } from '../../pipeline/collecting/replay.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import { exchangeCaptures, recentDays, sweepCaptures, uploadCapture } from '../../warehouse/replica/captures.ts'
import { type Lead, takeLead } from '../../warehouse/replica/lead.ts'
import { openPublisher, type SnapshotPublisher } from '../../warehouse/replica/published.ts'
import { publishExport } from '../../warehouse/replica/published-export.ts'
import { openReplica, type Replica } from '../../warehouse/replica/replica.ts'
import { sweepReplaced } from '../../warehouse/storage/compact.ts'
import { sweepLeftovers } from '../../warehouse/storage/leftovers.ts'
import { openCallServer, serveReadingCalls } from './call-server.ts'
import type { Log } from './environment.ts'
import { sourcesOf } from './installed-sources.ts'
import { landingWithLeader, openLandClient, serveLanding } from './land-remotely.ts'
import { openPipeline, openRunner, type Pipeline } from './pipeline.ts'
import { createRunningParts, type RunningParts } from './running-parts.ts'
import { serveTasks } from './serve-tasks.ts'
import { sweepTaskContents } from './task-contents.ts'

/** How often a follower looks into the bucket for a newer version, and at most how often it looks at its own files again. */
const FOLLOW_MS = 2_000
const SWEEP_MS = 600_000
const RUNNER_GRACE_MS = 2_000
/** How long closing waits for a request for the lead. */
const SEEK_GRACE_MS = 200

const COMMAND = 'holdshort work'

export const isUnreachable = (error: unknown): boolean =>
  error instanceof HoldshortError && error.code === 'STORE_UNREACHABLE'

/** A pipeline from the moment that it follows the bucket until it can go on neither as a follower nor as the leader. */
export interface Session {
  /** Resolves with the reason when the session cannot go on. */
  ended: Promise<Error>
  close: () => Promise<void>
}

/** What the pieces of a session share. */
interface Context {
  settings: Settings
  store: ObjectStore
  log: Log
  replica: Replica
  publisher: SnapshotPublisher
  /** Fires when the session closes. */
  closing: AbortSignal
  /** Ends the session. */
  end: (reason: Error) => void
  /** Jobs and calls: they end first, because all else serves them. */
  services: RunningParts
  /** The lead, from when it is taken. */
  lead: Lead | null
  /** Whether the bucket was taken over too, so that this pipeline may write. */
  isLeading: boolean
}

interface OpenContext extends Context {
  pipeline: Pipeline
}

const isCollect = ({ kind }: JobDefinition) => kind === 'collect'

/**
 * Opens a session. It starts in this order: the copy of the bucket, the way to the leader, the pipeline, what every pipeline does over
 * Redis, following, seeking the lead; a leader then takes the bucket over, answers calls, publishes, runs the jobs of a
 * leader and lands what nobody landed. It ends in the reverse order, and gives the lead up last: until then, what was under way can be written.
 */
export async function openSession(settings: Settings, store: ObjectStore, log: Log): Promise<Session> {
  const { data_dir, redis_url } = settings
  const closing = new AbortController()
  let end: Context['end'] = () => undefined
  const ended = new Promise<Error>((resolve) => {
    end = resolve
  })
  const replica = await openReplica(data_dir, store, { simulated: settings.simulated_world !== undefined })
  await replica.pull()
  const context: Context = {
    settings,
    store,
    log,
    replica,
    publisher: openPublisher(store),
    closing: closing.signal,
    end,
    services: createRunningParts(),
    lead: null,
    isLeading: false,
  }
  const landClient = redis_url === undefined ? null : await openLandClient(redis_url)
  const landing = (own: Landing) =>
    landClient ? landingWithLeader(own, landClient, () => context.isLeading, closing.signal) : own
  const pipeline = await openSharedPipeline(context, landing).catch(async (error) => {
    await landClient?.close()
    throw error
  })
  const session: OpenContext = Object.assign(context, { pipeline })
  if (redis_url !== undefined)
    // A Redis that is away is waited for; following and leading do not wait for it.
    serveOverRedis(session, redis_url).catch((error: Error) =>
      log.error({ error: error.message }, 'jobs over Redis failed'),
    )
  const following = follow(session)
  const seeking = seekLead(session)
  log.info({ data_dir, store: store.address, files: replica.files().size }, 'pipeline follows the bucket')
  return {
    ended,
    close: async () => {
      closing.abort()
      await context.services.close()
      await landClient?.close()
      await following
      await pipeline.close()
      await context.lead?.release()
      replica.stepDown()
      await Promise.race([seeking, sleep(SEEK_GRACE_MS)])
    },
  }
}

/** The pipeline of a member: what it writes goes to the bucket before it is acknowledged. */
async function openSharedPipeline(context: Context, landing: (own: Landing) => Landing): Promise<Pipeline> {
  const { settings, store, log, replica, publisher } = context
  const { data_dir } = settings
  const pipeline: Pipeline = await openPipeline(settings, log, {
    keeper: replica,
    landing,
    captureStored: (path) => uploadCapture(store, data_dir, path),
    beforeCurrent: async (id) => {
      const { uploaded_bytes } = await publisher.publish(`${data_dir}/snapshots`, id)
      log.debug({ snapshot: id, uploaded_bytes }, 'published')
    },
    afterExport: async (folder) => {
      const uploaded_bytes = context.lead ? await publishExport(store, folder, context.lead.epoch) : 0
      log.debug({ uploaded_bytes }, 'open data published')
    },
    afterUpkeep: async () => (context.isLeading ? upkeepOfLeader(context, pipeline) : {}),
  })
  return pipeline
}

/** What every pipeline does over Redis: collecting, live requests, and the tasks of trainings. */
async function serveOverRedis(session: OpenContext, redis_url: string): Promise<void> {
  const { settings, pipeline, log, services } = session
  const runner = await openRunner(settings, pipeline, log, { includes: isCollect, redis_url })
  await services.add({ close: () => runner.stop(RUNNER_GRACE_MS) })
  await runner.start()
  if (session.closing.aborted) return
  await services.add(await serveReadingCalls(settings, pipeline, log, redis_url))
  await services.add(await serveTasks(settings, log, redis_url))
}

/** Keeps the folder the same as the bucket, until this pipeline leads or the session closes. */
async function follow(session: OpenContext): Promise<void> {
  const { settings, replica, pipeline, closing, log } = session
  let isTold = false
  for (let sweptAt = performance.now(); !closing.aborted && !session.isLeading; ) {
    try {
      if (await replica.pull()) await pipeline.warehouse.refresh()
      isTold = false
      if (performance.now() - sweptAt > SWEEP_MS) {
        sweptAt = performance.now()
        await sweepReplaced(pipeline.warehouse.context, Date.now())
        await sweepLeftovers(settings.data_dir, Date.now())
      }
    } catch (error) {
      if (!isUnreachable(error)) return session.end(error as Error)
      if (!isTold) log.error({ error: (error as Error).message }, 'the bucket cannot be followed; trying on')
      isTold = true
    }
    await sleep(FOLLOW_MS, undefined, { signal: closing }).catch(() => undefined)
  }
}

/** Waits for the lead and leads; a failure ends the session. */
async function seekLead(session: OpenContext): Promise<void> {
  const { store, closing } = session
  try {
    const taken = await takeLead(store, { command: COMMAND, signal: closing })
    if ('lead' in taken) await lead(session, taken.lead)
  } catch (error) {
    if (!closing.aborted) session.end(error as Error)
  }
}

/** Begins to lead. Readers wait for the first snapshot, so that other jobs and the captures that nobody landed come after it. */
async function lead(session: OpenContext, taken: Lead): Promise<void> {
  const { log, store, closing } = session
  const began = performance.now()
  const milliseconds = () => Math.round(performance.now() - began)
  await takeBucketOver(session, taken)
  log.info({ epoch: taken.epoch, store: store.address, milliseconds: milliseconds() }, 'this pipeline leads')
  // Not waited for: Redis may be away.
  answerAsLeader(session).catch((error: Error) =>
    log.error({ error: error.message }, 'the calls of a leader cannot be served'),
  )
  await session.pipeline.publishAtOnce().then(
    ({ milliseconds: steps }) =>
      log.info({ milliseconds: milliseconds(), steps }, 'the first snapshot of this leader is published'),
    (error: Error) => log.error({ error: error.message }, 'the first snapshot failed; the schedule repeats it'),
  )
  // Snapshots are named by whole seconds.
  await sleep(1_000)
  if (closing.aborted) return
  await runJobsOfLeader(session)
  await recover(session, session.pipeline).catch((error: Error) =>
    log.error({ error: error.message }, 'captures could not be recovered; the next upkeep repeats it'),
  )
}

/** From here on the bucket takes writes with this epoch only. */
async function takeBucketOver(session: OpenContext, taken: Lead): Promise<void> {
  const { replica, publisher } = session
  taken.lost.addEventListener('abort', () => {
    replica.stepDown()
    session.end(taken.lost.reason as Error)
  })
  session.lead = taken
  await replica.takeOver(taken.epoch)
  await publisher.takeOver(taken.epoch)
  session.isLeading = true
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
async function recover({ settings, store, log }: Context, pipeline: Pipeline): Promise<void> {
  const now = Date.now()
  const landed = await landedCaptures(pipeline.warehouse, now)
  const ids = sourcesOf(settings).map(({ id }) => id)
  const isLanded = (id: string) => landed.has(id)
  await exchangeCaptures(store, settings.data_dir, { sources: ids, days: recentDays(now), isLanded })
  const { captures, rows } = await recoverCaptures(pipeline.warehouse, now)
  log.info({ captures, rows }, 'captures recovered that nobody had landed')
}

async function upkeepOfLeader(context: Context, pipeline: Pipeline): Promise<object> {
  const { store, replica, publisher, settings } = context
  await recover(context, pipeline)
  return {
    unused_deleted: await replica.sweepUnused(),
    snapshot_files_deleted: await publisher.sweep(),
    captures_deleted: await sweepCaptures(store, Date.now(), settings.raw_days),
    task_contents_deleted: await sweepTaskContents(store, Date.now()),
  }
}
