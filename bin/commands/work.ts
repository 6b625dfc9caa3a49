import type { Command } from 'commander'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { holdRole } from '../../warehouse/storage/folder-use.ts'
import { sweepLeftovers } from '../../warehouse/storage/leftovers.ts'
import { openCallServer } from '../runtime/call-server.ts'
import { settingsFor } from '../runtime/environment.ts'
import { addCommand } from '../runtime/help.ts'
import { type Log, openLog } from '../runtime/log.ts'
import { lowerPriority } from '../runtime/lower-priority.ts'
import { openPipeline, openRunner } from '../runtime/pipeline.ts'
import { requireUsable } from '../runtime/require-usable.ts'
import { serveTasks } from '../runtime/serve-tasks.ts'
import { runUntilStopped } from '../runtime/stop.ts'
import { stopWhenGone } from '../runtime/stop-when-gone.ts'

/** How long to wait for a pipeline that is just ending. */
const PREDECESSOR_MS = 6_000

/** `holdshort work`: runs only the pipeline process, as `start` does. */
export function register(program: Command): void {
  addCommand(program, 'work')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { dataDir?: string }) => {
      const settings = settingsFor(flags)
      await requireUsable(settings, { collects: true })
      // With a bucket nobody publishes while this process waits for a processor, and the api need not be on this machine.
      if (settings.store === 'folder') lowerPriority('pipeline')
      const log = openLog(settings, 'pipeline')
      if (settings.store !== 'folder') return runMember(settings, log)
      return runUntilStopped(
        () => startPipeline(settings, log),
        async ({ runner, server, tasks, pipeline, gone }, reason) => {
          log.info({ reason }, 'stopping')
          gone.stop()
          await Promise.all([runner.stop(2_500), server.close(), tasks?.close()])
          await pipeline.close()
        },
      )
    })
}

/** Runs a pipeline as one of several machines. */
function runMember(settings: Settings, log: Log): Promise<void> {
  return runUntilStopped(
    async () => {
      // Two pipelines of one folder would sweep each other's files.
      await holdRole(settings.data_dir, 'pipeline', PREDECESSOR_MS)
      const { startMember } = await import('../runtime/member.ts')
      const member = await startMember(settings, log)
      member.failed.catch((error: Error) => {
        log.fatal({ error: error.message }, 'the pipeline cannot go on')
        process.exit(1)
      })
      return member
    },
    async (member, reason) => {
      log.info({ reason }, 'stopping')
      await member.stop()
    },
  )
}

async function startPipeline(settings: Settings, log: Log) {
  // A second pipeline would ask every source twice and sweep the files of this one.
  await holdRole(settings.data_dir, 'pipeline', PREDECESSOR_MS)
  const pipeline = await openPipeline(settings, log)
  const gone = await stopWhenGone([settings.data_dir, dataPaths(settings.data_dir).warehouse], log)
  const sweeping = sweepLeftovers(settings.data_dir, Date.now())
  sweeping.catch((error: Error) => log.warn({ error: error.message }, 'files of dead processes could not be deleted'))
  const recovered = await recoverCaptures(pipeline.warehouse, Date.now())
  if (recovered.captures > 0)
    log.warn({ captures: recovered.captures, rows: recovered.rows }, 'stored the captures of a killed process')
  const runner = await openRunner(settings, pipeline, log)
  await runner.start()
  const server = await openCallServer(settings, pipeline, log)
  const { redis_url } = settings
  const tasks = redis_url === undefined ? null : await serveTasks(settings, log, redis_url)
  log.info({ data_dir: settings.data_dir }, 'pipeline running')
  return { pipeline, runner, server, tasks, gone }
}
