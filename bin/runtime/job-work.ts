import { dataPaths, type Settings } from '../../config/settings.ts'
import { sourceById } from '../../config/sources.ts'
import type { JobDefinition, JobKind } from '../../jobs/schedule/definition.ts'
import type { JobWork, MayGoOn } from '../../jobs/schedule/runner.ts'
import { runCanary } from '../../pipeline/collecting/canary.ts'
import type { CollectContext } from '../../pipeline/collecting/collect-context.ts'
import type { SourceRuns } from '../../pipeline/collecting/source-runs.ts'
import { upkeep } from '../../pipeline/upkeep.ts'
import { exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import { lossText } from '../../warehouse/storage/kept-copies.ts'
import type { CommandWarehouse } from './command-warehouse.ts'
import { sourcesOf } from './installed-sources.ts'
import type { Log } from './log.ts'
import { watchNetwork } from './network-watch.ts'
import { printLines } from './output.ts'
import type { Publications } from './publications.ts'
import { trainApart } from './train-apart.ts'

export interface WorkParts {
  settings: Settings
  log: Log
  warehouse: CommandWarehouse
  collect: CollectContext
  runs: SourceRuns
  publications: Publications
  /** Called with the folder of the open data after each export. */
  afterExport?: ((folder: string) => Promise<void>) | undefined
  /** Called after each upkeep of the data folder; its report is logged. */
  afterUpkeep?: (() => Promise<object>) | undefined
}

/** The work of each kind of job, and the line of the log that says how it ended. */
export function jobWork(parts: WorkParts): JobWork {
  const { settings, log, publications } = parts
  const refreshed = async () => log.debug(await publications.publish(), 'refreshed')
  const trained = async (signal: AbortSignal) => {
    await trainApart(settings, signal)
    // The new models serve at once, not only from the next hour on.
    log.info(await publications.publish({ predict: 'always' }), 'trained')
  }
  const work: Record<JobKind, (job: JobDefinition, signal: AbortSignal, mayGoOn?: MayGoOn) => Promise<void>> = {
    collect: collecting(parts),
    canary: (_, signal) => probeOpenCircuits(parts, signal),
    refresh: refreshed,
    export: exporting(parts),
    upkeep: () => doUpkeep(parts),
    train: (_, signal) => trained(signal),
  }
  return (job, signal, mayGoOn) => work[job.kind](job, signal, mayGoOn)
}

/** Collects the source of a job. Failures are logged one by one, or once where no source at all can be reached. */
function collecting({ settings, log, runs }: WorkParts) {
  const active = sourcesOf(settings).filter((source) => source.active)
  const network = watchNetwork(active.length, (sentence) => {
    printLines(`${sentence}\n`)
    log.warn(sentence)
  })
  return async ({ source }: JobDefinition, _signal: AbortSignal, mayGoOn?: MayGoOn) => {
    for (const { error, ...counts } of await runs.collect(sourceById(source!), mayGoOn)) {
      if (error?.code === 'CIRCUIT_OPEN') log.debug(counts, error.message)
      else if (error)
        network.failed(error, () => log.warn({ ...counts, code: error.code, error: error.message }, 'source failed'))
      else {
        network.answered()
        log.debug(counts, 'collected')
      }
    }
  }
}

async function probeOpenCircuits({ settings, log, collect, runs }: WorkParts, signal: AbortSignal): Promise<void> {
  for (const { source, check, error } of await runCanary(sourcesOf(settings), collect, signal, runs.collect)) {
    if (error) log.error({ source, error: (error as Error).message }, 'probe failed because of an internal error')
    else log.info({ source, ok: check?.ok, code: check?.code }, 'open circuit probed')
  }
}

function exporting({ settings, log, warehouse, afterExport }: WorkParts) {
  const tables = selectTables(settings.open_data)
  const folder = dataPaths(settings.data_dir).open_data
  const terms = {
    simulated: settings.simulated_world !== undefined,
    own_licence: settings.open_data_licence,
    grants: settings.open_data_grants,
    own_use: false,
  }
  return async () => {
    const { written_files, written_rows, rows, bytes } = await exportOpenData({ warehouse, folder, tables, terms })
    await afterExport?.(folder)
    log.info({ written_files, written_rows, rows, bytes }, 'open data exported')
  }
}

async function doUpkeep({ settings, log, warehouse, afterUpkeep }: WorkParts): Promise<void> {
  const report = await upkeep(warehouse, settings, Date.now())
  const doubt = report.retention.find(({ age_limit_off }) => age_limit_off !== null)
  if (doubt) log.warn({ reason: doubt.age_limit_off }, 'nothing is deleted by age: is the clock right?')
  if (report.kept_copy)
    log.error(
      { code: 'WAREHOUSE_COPY_DIFFERS', kept: report.kept_copy.path, reason: lossText(report.kept_copy) },
      'the warehouse lacks rows that its last copy has: that copy is kept',
    )
  log.info({ ...report, ...(await afterUpkeep?.()) }, 'upkeep')
}
