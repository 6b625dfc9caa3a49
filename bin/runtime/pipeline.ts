import type { ErrorCode } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { DAY_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { type JobDefinition, jobDefinitions, type SinceLastRun } from '../../jobs/schedule/definition.ts'
import { createLocalRunner } from '../../jobs/schedule/local-runner.ts'
import { type JobRunner, JobStopped, type JobWork } from '../../jobs/schedule/runner.ts'
import { type CollectContext, emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { createLanding, type Landing } from '../../pipeline/collecting/landing.ts'
import { restoreCircuits } from '../../pipeline/collecting/restore-circuits.ts'
import { createSourceRuns, type SourceRuns } from '../../pipeline/collecting/source-runs.ts'
import type { RefreshReport } from '../../pipeline/refresh.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import type { CatalogPlace } from '../../warehouse/storage/catalog.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { type CommandWarehouse, openCommandWarehouse } from './command-warehouse.ts'
import { sourcesOf } from './installed-sources.ts'
import { jobWork } from './job-work.ts'
import type { Log } from './log.ts'
import { createPublications } from './publications.ts'
import { trainingSettingsFlag } from './training-flags.ts'
import { openTransport } from './transport.ts'

export interface Pipeline extends AsyncDisposable {
  warehouse: Warehouse
  collect: CollectContext
  runs: SourceRuns
  work: JobWork
  /** Publishes what there is now, with the forecasts that there are. */
  publishAtOnce: () => Promise<RefreshReport>
  /** Why the last publication failed; null when it succeeded, or none has ended yet. */
  publicationFailure: () => ErrorCode | null
  close: () => Promise<void>
}

/** The differences where several machines share the work of one installation. */
export interface SharedWork {
  /** Place of the tables of all machines. */
  place: CatalogPlace
  /** Lands rows on whatever machine leads; `own` lands them here. */
  landing: (own: Landing) => Landing
  /** Called with the path of each stored capture, before it is parsed. */
  captureStored: (path: string) => Promise<void>
  /** Called with a snapshot before it becomes the current one. */
  beforeCurrent: (snapshot: string) => Promise<void>
  /** Called with the folder of the open data after each export. */
  afterExport: (folder: string) => Promise<void>
  /** Called after each upkeep of the data folder. */
  afterUpkeep: () => Promise<object>
}

/** A source is not kept waiting for longer by a process that holds the warehouse. */
const LANDING_PATIENCE_MS = 10_000

/** Opens the warehouse and the transport, and binds each kind of job to its work. */
export async function openPipeline(settings: Settings, log: Log, shared?: SharedWork): Promise<Pipeline> {
  await checkSimulatedMark(settings)
  // Wrong settings are reported at the start, not at the training of the night or at the first export.
  trainingSettingsFlag(undefined, settings)
  selectTables(settings.open_data)
  const onWait = (holder: string | null) => {
    if (holder === null) log.info('the warehouse is free again')
    else log.warn({ holder }, 'the warehouse is held by another process; what is collected waits in its captures')
  }
  const warehouse: CommandWarehouse = shared
    ? await openWarehouse(settings.data_dir, { place: shared.place, onWait })
    : await openCommandWarehouse(settings, { onWait })
  const captureStored = shared?.captureStored ?? warehouse.captureStored
  const transport = openTransport(settings, Date.now, log)
  // The pipeline that leads several machines answers for the rows of others, which it may not keep waiting.
  const ownLanding = createLanding(warehouse, shared ? undefined : LANDING_PATIENCE_MS)
  const collect: CollectContext = {
    warehouse,
    landing: shared?.landing(ownLanding) ?? ownLanding,
    transport,
    now: Date.now,
    memory: emptyMemory(),
    operator_keys: settings,
    ...(captureStored && { captureStored }),
  }
  const runs = createSourceRuns(collect)
  const publications = createPublications(warehouse, settings, log, shared?.beforeCurrent)
  const { afterExport, afterUpkeep } = shared ?? {}
  const close = async () => {
    await transport.close()
    await ownLanding.idle()
    await warehouse.close()
  }
  return {
    warehouse,
    collect,
    runs,
    work: jobWork({ settings, log, warehouse, collect, runs, publications, afterExport, afterUpkeep }),
    publishAtOnce: () => publications.publish({ predict: 'without any' }),
    publicationFailure: publications.failure,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Reads from the warehouse when each job last ran. */
export async function lastRuns(warehouse: Warehouse, now: number): Promise<SinceLastRun> {
  const rows = await warehouse.query<{ job: string; last_run_at: string }>(
    // Later runs were stored while the clock was ahead; they must not delay the next run.
    `SELECT 'collect:' || source AS job, max(started_at) AS last_run_at FROM runs
       WHERE date >= $day AND started_at <= $now::TIMESTAMPTZ GROUP BY source
     -- The prior of an airport without a model has rows too, of every day.
     UNION ALL SELECT 'train', max(trained_at) FROM backtests
       WHERE kind = 'security' AND starts_with(model, 'model:') AND trained_at <= $now::TIMESTAMPTZ HAVING max(trained_at) IS NOT NULL`,
    { day: utcDayOf(now - 2 * DAY_MS), now: isoUtc(now) },
  )
  const seconds = new Map(rows.map(({ job, last_run_at }) => [job, (now - Date.parse(last_run_at)) / 1_000]))
  return (job) => seconds.get(job)
}

/** The jobs of a runner, and whether it uses Redis. */
export interface RunnerScope {
  includes: (job: JobDefinition) => boolean
  redis_url: string | undefined
}

/** Opens the job runner of an installation: over Redis if it is set, otherwise in this process. */
export async function openRunner(
  settings: Settings,
  pipeline: Pipeline,
  log: Log,
  { includes, redis_url }: RunnerScope = { includes: () => true, redis_url: settings.redis_url },
): Promise<JobRunner> {
  const { warehouse, work, collect } = pipeline
  await restoreCircuits(warehouse, collect.transport.circuits, Date.now())
  const all = jobDefinitions(sourcesOf(settings), settings, await lastRuns(warehouse, Date.now()))
  const definitions = all.filter(includes)
  const options = {
    concurrency: 6,
    onFailure: (job: JobDefinition, error: unknown, attempt: number, final: boolean) => {
      const level = error instanceof JobStopped ? 'debug' : 'error'
      log[level]({ job: job.name, attempt, final, error: (error as Error).message }, 'job failed')
    },
    onSkip: (job: JobDefinition) => log.warn({ job: job.name }, 'still running; this tick is skipped'),
  }
  if (redis_url) {
    const onUnreachable = (error: Error) =>
      log.error({ error: error.message || 'no reason given' }, 'Redis cannot be reached; jobs wait until it answers')
    // Imported here so that an installation without Redis does not load the library.
    const { createRedisRunner } = await import('../../jobs/schedule/redis-runner.ts')
    return createRedisRunner(definitions, work, { ...options, redis_url, onUnreachable })
  }
  return createLocalRunner(definitions, work, options)
}
