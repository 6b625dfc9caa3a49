import type { Command } from 'commander'
import { recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { holdRole } from '../../warehouse/storage/folder-use.ts'
import { openCallServer } from '../runtime/call-server.ts'
import { openLog, settingsFor } from '../runtime/environment.ts'
import { openPipeline, openRunner } from '../runtime/pipeline.ts'
import { stopRequested } from '../runtime/supervise.ts'

/** How long to wait for a pipeline that is just ending. */
const PREDECESSOR_MS = 6_000

/** `holdshort work`: runs only the pipeline process, as `start` does. */
export function workCommand(program: Command): void {
  program
    .command('work')
    .description('Run only the pipeline: collect, roll up, forecast and publish on schedule, until stopped.')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { dataDir?: string }) => {
      const stopped = stopRequested()
      const settings = settingsFor(flags)
      const log = openLog(settings, 'pipeline')
      // Over Redis several machines share the jobs; otherwise a second pipeline would ask every source twice.
      if (!settings.redis_url) await holdRole(settings.data_dir, 'pipeline', PREDECESSOR_MS)
      const pipeline = await openPipeline(settings, log)
      const recovered = await recoverCaptures(pipeline.warehouse, Date.now())
      if (recovered.captures > 0)
        log.warn({ captures: recovered.captures, rows: recovered.rows }, 'stored the captures of a killed process')
      const runner = await openRunner(settings, pipeline, log)
      await runner.start()
      const server = await openCallServer(settings, pipeline, log)
      log.info({ data_dir: settings.data_dir }, 'pipeline running')
      const reason = await stopped
      log.info({ reason }, 'stopping')
      await Promise.all([runner.stop(2_500), server.close()])
      await Promise.race([pipeline.close(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
      process.exit(0)
    })
}
