import { type ErrorCode, HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import { DAY_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { createQueue } from '../../config/work-queue.ts'
import { type JobDefinition, jobDefinitions, type SinceLastRun } from '../../jobs/schedule/definition.ts'
import { createLocalRunner } from '../../jobs/schedule/local-runner.ts'
import { type JobRunner, JobStopped, type JobWork } from '../../jobs/schedule/runner.ts'
import { runCanary } from '../../pipeline/collecting/canary.ts'
import { type CollectContext, emptyMemory } from '../../pipeline/collecting/collect-context.ts'
import { createLanding, type Landing } from '../../pipeline/collecting/landing.ts'
import { restoreCircuits } from '../../pipeline/collecting/restore-circuits.ts'
import { createSourceRuns, type SourceRuns } from '../../pipeline/collecting/source-runs.ts'
import { type PredictWhen, type RefreshReport, refresh } from '../../pipeline/refresh.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { predictAll } from '../../training/predict.ts'
import { updateRecord } from '../../training/record/update-record.ts'
import { exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import type { CatalogPlace } from '../../warehouse/storage/catalog.ts'
import { lossText } from '../../warehouse/storage/kept-copies.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { type CommandWarehouse, openCommandWarehouse } from './command-warehouse.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Log } from './log.ts'
import { watchNetwork } from './network-watch.ts'
import { printLines } from './output.ts'
import { trainApart } from './train-apart.ts'
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
  // A wrong file of settings is reported at the start, not at the training of the night.
  trainingSettingsFlag(undefined, settings)
  const exportedTables = selectTables(settings.open_data)
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
  const landing = shared?.landing(ownLanding) ?? ownLanding
  const collect: CollectContext = {
    warehouse,
    landing,
    transport,
    now: Date.now,
    memory: emptyMemory(),
    operator_keys: settings,
    ...(captureStored && { captureStored }),
  }
  const runs = createSourceRuns(collect)
  const predict = async (now: number) => {
    await record(now)
    return predictAll(warehouse, {
      now,
      modelsDir: dataPaths(settings.data_dir).models,
      onFailure: (iata, error) => log.error({ iata, error: (error as Error).message }, 'model file is unusable'),
    })
  }
  /** The record can be made later; without it the forecasts are made all the same. */
  const record = async (now: number) => {
    try {
      const { days, changes } = await updateRecord(warehouse, { now })
      log.debug({ days }, 'forecasts scored')
      for (const { iata, state, reason } of changes) log.warn({ iata, state, reason }, 'forecast drift')
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error
      log.error({ error: (error as Error).message }, 'the forecasts could not be scored; the next hour repeats it')
    }
  }
  const simulated = settings.simulated_world !== undefined
  /** Refreshes never overlap: two at once would publish the same instant twice. */
  const inTurn = createQueue()
  let failedWith: ErrorCode | null = null
  const refreshOnce = (options: { predict?: PredictWhen } = {}) => {
    const base = { warehouse, now: Date.now, simulated, sources: sourcesOf(settings), predict }
    const context = shared ? { ...base, beforeCurrent: shared.beforeCurrent } : base
    return inTurn(() =>
      refresh(context, options).then(
        (report) => {
          failedWith = null
          return report
        },
        (error) => {
          if ((error as Error).name !== 'AbortError')
            failedWith = error instanceof HoldshortError ? error.code : 'INTERNAL'
          throw error
        },
      ),
    )
  }

  const exportServed = () =>
    exportOpenData({
      warehouse,
      folder: dataPaths(settings.data_dir).open_data,
      tables: exportedTables,
      terms: {
        simulated,
        own_licence: settings.open_data_licence,
        grants: settings.open_data_grants,
        own_use: false,
      },
    })

  const network = watchNetwork(sourcesOf(settings).filter(({ active }) => active).length, (sentence) => {
    printLines(`${sentence}\n`)
    log.warn(sentence)
  })
  const work: JobWork = async (job, signal, mayGoOn) => {
    if (job.kind === 'collect' && job.source) {
      for (const outcome of await runs.collect(sourceById(job.source), mayGoOn)) {
        const { error, ...counts } = outcome
        if (error?.code === 'CIRCUIT_OPEN') log.debug(counts, error.message)
        else if (error)
          network.failed(error, () => log.warn({ ...counts, code: error.code, error: error.message }, 'source failed'))
        else {
          network.answered()
          log.debug(counts, 'collected')
        }
      }
    } else if (job.kind === 'canary') {
      for (const { source, check, error } of await runCanary(sourcesOf(settings), collect, signal, runs.collect)) {
        if (error) log.error({ source, error: (error as Error).message }, 'probe failed because of an internal error')
        else log.info({ source, ok: check?.ok, code: check?.code }, 'open circuit probed')
      }
    } else if (job.kind === 'refresh') {
      log.debug(await refreshOnce(), 'refreshed')
    } else if (job.kind === 'export') {
      const { written_files, written_rows, rows, bytes } = await exportServed()
      await shared?.afterExport(dataPaths(settings.data_dir).open_data)
      log.info({ written_files, written_rows, rows, bytes }, 'open data exported')
    } else if (job.kind === 'upkeep') {
      const report = await upkeep(warehouse, settings, Date.now())
      const doubt = report.retention.find(({ age_limit_off }) => age_limit_off !== null)
      if (doubt) log.warn({ reason: doubt.age_limit_off }, 'nothing is deleted by age: is the clock right?')
      if (report.kept_copy)
        log.error(
          { code: 'WAREHOUSE_COPY_DIFFERS', kept: report.kept_copy.path, reason: lossText(report.kept_copy) },
          'the warehouse lacks rows that its last copy has: that copy is kept',
        )
      log.info({ ...report, ...(await shared?.afterUpkeep()) }, 'upkeep')
    } else {
      await trainApart(settings, signal)
      // The new models serve at once, not only from the next hour on.
      log.info(await refreshOnce({ predict: 'always' }), 'trained')
    }
  }
  const close = async () => {
    await transport.close()
    await ownLanding.idle()
    await warehouse.close()
  }
  return {
    warehouse,
    collect,
    runs,
    work,
    publishAtOnce: () => refreshOnce({ predict: 'without any' }),
    publicationFailure: () => failedWith,
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
