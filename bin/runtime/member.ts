import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { CallClient, CallServer } from '../../jobs/calls/define-call.ts'
import { implementCall } from '../../jobs/calls/define-call.ts'
import { type LandBatch, landCall } from '../../jobs/calls/land.ts'
import type { JobDefinition } from '../../jobs/schedule/definition.ts'
import type { JobRunner } from '../../jobs/schedule/runner.ts'
import type { Batch, Landing } from '../../pipeline/collecting/landing.ts'
import { landedCaptures, recoverCaptures } from '../../pipeline/collecting/replay.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import { requirePreconditions } from '../../warehouse/objects/preconditions.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { exchangeCaptures, recentDays, sweepCaptures, uploadCapture } from '../../warehouse/replica/captures.ts'
import { type Lead, takeLead } from '../../warehouse/replica/lead.ts'
import { openPublisher } from '../../warehouse/replica/published.ts'
import { publishExport } from '../../warehouse/replica/published-export.ts'
import { openReplica } from '../../warehouse/replica/replica.ts'
import { sweepReplaced } from '../../warehouse/storage/compact.ts'
import { sweepLeftovers } from '../../warehouse/storage/leftovers.ts'
import { openCallServer, serveReadingCalls, serveWritingCalls } from './call-server.ts'
import type { Log } from './environment.ts'
import { sourcesOf } from './installed-sources.ts'
import { openPipeline, openRunner, type Pipeline } from './pipeline.ts'

/** How often a follower asks the bucket for a newer version, and at most how often it looks at its own files again. */
const FOLLOW_MS = 2_000
const SWEEP_MS = 600_000
/** Pause before a pipeline that lost the lead, or its store, begins anew. */
const RESTART_MS = 1_000
const LAND_RETRY_MS = 500
/** Rows that no leader took for this long stay in their capture, from which the next recovery lands them. */
const LAND_WITHIN_MS = 90_000

const COMMAND = 'holdshort work'

const isUnreachable = (error: unknown) => error instanceof HoldshortError && error.code === 'STORE_UNREACHABLE'

export interface Member {
  /** Rejects with an error that trying again does not mend. */
  failed: Promise<never>
  stop: () => Promise<void>
}

/**
 * Runs a pipeline whose data folder is a copy of a bucket. Every one follows the bucket and, with Redis, collects sources; one
 * of them leads: it alone lands, forecasts, trains and publishes. A leader that loses the lead begins anew as a follower.
 */
export async function startMember(settings: Settings, log: Log): Promise<Member> {
  const store = openS3(settings)
  await whenReachable(log, () => requirePreconditions(store))
  const stopping = new AbortController()
  let session = await whenReachable(log, () => openSession(settings, store, log))
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const reason = await Promise.race([session.ended, aborted(stopping.signal)])
      await session.close()
      if (reason === null) return
      log.warn({ reason: reason.message }, 'this pipeline begins anew as a follower')
      await sleep(RESTART_MS)
      if (stopping.signal.aborted) return
      session = await whenReachable(log, () => openSession(settings, store, log), stopping.signal)
    }
  })()
  running.catch(fail)
  return {
    failed,
    stop: async () => {
      stopping.abort()
      await running.catch(() => undefined)
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** Repeats work while the store cannot be reached. */
async function whenReachable<T>(log: Log, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let isTold = false; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || signal?.aborted) throw error
      if (!isTold) log.error({ error: (error as Error).message }, 'the store cannot be reached; waiting for it')
      isTold = true
      await sleep(RESTART_MS)
    }
  }
}

interface Session {
  /** Resolves with the reason when the session cannot go on. */
  ended: Promise<Error>
  close: () => Promise<void>
}

const isCollect = ({ kind }: JobDefinition) => kind === 'collect'

async function openSession(settings: Settings, store: ObjectStore, log: Log): Promise<Session> {
  const { data_dir, redis_url } = settings
  const closing = new AbortController()
  let end: (error: Error) => void = () => undefined
  const ended = new Promise<Error>((resolve) => {
    end = resolve
  })
  const replica = await openReplica(data_dir, store, { simulated: settings.simulated_world !== undefined })
  await replica.pull()
  const publisher = openPublisher(store)
  const client = redis_url === undefined ? null : await openLandClient(redis_url)
  let isLeading = false
  let held: Lead | null = null
  let upkeepOfLeader: () => Promise<object> = async () => ({})
  const landing = (own: Landing): Landing => ({
    land: (batch) =>
      isLeading || client === null
        ? own.land(batch)
        : landRemotely(client, batch, closing.signal, () => isLeading, own),
    idle: own.idle,
  })
  const pipeline = await openPipeline(settings, log, {
    keeper: replica,
    landing,
    captureStored: (path) => uploadCapture(store, data_dir, path),
    beforeCurrent: async (id) => {
      const { uploaded_bytes } = await publisher.publish(`${data_dir}/snapshots`, id)
      log.debug({ snapshot: id, uploaded_bytes }, 'published')
    },
    afterExport: async (folder) => {
      const uploaded_bytes = held ? await publishExport(store, folder, held.epoch) : 0
      log.debug({ uploaded_bytes }, 'open data published')
    },
    afterUpkeep: () => upkeepOfLeader(),
  })
  const opened: { close: () => Promise<void> }[] = []
  const recover = async () => {
    const now = Date.now()
    const landed = await landedCaptures(pipeline.warehouse, now)
    const ids = sourcesOf(settings).map(({ id }) => id)
    await exchangeCaptures(store, data_dir, { sources: ids, days: recentDays(now), isLanded: (id) => landed.has(id) })
    const { captures, rows } = await recoverCaptures(pipeline.warehouse, now)
    log.info({ captures, rows }, 'captures recovered that nobody had landed')
  }
  upkeepOfLeader = async () => {
    await recover()
    return {
      unused_deleted: await replica.sweepUnused(),
      snapshot_files_deleted: await publisher.sweep(),
      captures_deleted: await sweepCaptures(store, Date.now(), settings.raw_days),
    }
  }

  /** What every pipeline does over Redis. A Redis that is away is waited for; leading does not wait for it. */
  const openOverRedis = async (url: string) => {
    const runner = await openRunner(settings, pipeline, log, { includes: isCollect, redis_url: url })
    opened.push({ close: () => runner.stop(2_000) })
    await runner.start()
    if (closing.signal.aborted) return
    opened.push(await serveReadingCalls(settings, pipeline, log, url))
  }
  if (redis_url !== undefined)
    openOverRedis(redis_url).catch((error: Error) => log.error({ error: error.message }, 'jobs over Redis failed'))

  const follow = async () => {
    let isTold = false
    for (let sweptAt = performance.now(); !closing.signal.aborted && !isLeading; ) {
      try {
        if (await replica.pull()) await pipeline.warehouse.refresh()
        isTold = false
        if (performance.now() - sweptAt > SWEEP_MS) {
          sweptAt = performance.now()
          await sweepReplaced(pipeline.warehouse.context, Date.now())
          await sweepLeftovers(data_dir, Date.now())
        }
      } catch (error) {
        if (!isUnreachable(error)) return end(error as Error)
        if (!isTold) log.error({ error: (error as Error).message }, 'the bucket cannot be followed; trying on')
        isTold = true
      }
      await sleep(FOLLOW_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  const promote = async (lead: Lead) => {
    lead.lost.addEventListener('abort', () => {
      replica.stepDown()
      end(lead.lost.reason as Error)
    })
    held = lead
    const began = performance.now()
    await replica.takeOver(lead.epoch)
    await publisher.takeOver(lead.epoch)
    isLeading = true
    const milliseconds = () => Math.round(performance.now() - began)
    log.info({ epoch: lead.epoch, store: store.address, milliseconds: milliseconds() }, 'this pipeline leads')
    const serving =
      redis_url === undefined ? openCallServer(settings, pipeline, log) : serveLanding(pipeline, redis_url)
    serving.then(
      (server) => (closing.signal.aborted ? server.close() : void opened.push(server)),
      (error: Error) => log.error({ error: error.message }, 'the calls of a leader cannot be served'),
    )
    // Readers wait for this. The forecasts of the hour, other jobs, and captures that nobody landed come after it.
    await pipeline.publishAtOnce().then(
      ({ milliseconds: steps }) =>
        log.info({ milliseconds: milliseconds(), steps }, 'the first snapshot of this leader is published'),
      (error: Error) => log.error({ error: error.message }, 'the first snapshot failed; the schedule repeats it'),
    )
    // Snapshots are named by whole seconds.
    await sleep(1_000)
    if (closing.signal.aborted) return
    const includes = (job: JobDefinition) => redis_url === undefined || !isCollect(job)
    const runner: JobRunner = await openRunner(settings, pipeline, log, { includes, redis_url: undefined })
    await runner.start()
    opened.push({ close: () => runner.stop(2_000) })
    await recover().catch((error: Error) =>
      log.error({ error: error.message }, 'captures could not be recovered; the next upkeep repeats it'),
    )
  }
  const seek = async () => {
    const taken = await takeLead(store, { command: COMMAND, signal: closing.signal })
    if ('lead' in taken) await promote(taken.lead)
  }
  const following = follow()
  const seeking = seek().catch((error: Error) => {
    if (!closing.signal.aborted) end(error)
  })
  log.info({ data_dir, store: store.address, files: replica.files().size }, 'pipeline follows the bucket')
  return {
    ended,
    close: async () => {
      closing.abort()
      await Promise.allSettled(opened.map((part) => part.close()))
      await client?.close()
      await following
      await pipeline.close()
      // Given up last: until here, what was under way could still be written.
      await held?.release()
      replica.stepDown()
      await Promise.race([seeking, sleep(200)])
    },
  }
}

async function openLandClient(redis_url: string): Promise<CallClient> {
  const { openRedisClient } = await import('../../jobs/transports/redis.ts')
  return openRedisClient({ redis_url })
}

const serveLanding = (pipeline: Pipeline, redis_url: string): Promise<CallServer> =>
  serveWritingCalls(pipeline, redis_url, [
    implementCall(landCall, async (batch: LandBatch) => ({
      new_rows: await pipeline.collect.landing.land(batch as unknown as Batch),
    })),
  ])

/** Hands rows to the pipeline that leads, again and again until it has them. */
async function landRemotely(
  client: CallClient,
  batch: Batch,
  signal: AbortSignal,
  isLeading: () => boolean,
  own: Landing,
): Promise<number> {
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
}
