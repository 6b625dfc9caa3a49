import type { Command } from 'commander'
import { recoverCaptures } from '../../pipeline/collecting/recover.ts'
import { openCallServer } from '../runtime/call-server.ts'
import { openLog, settingsFor } from '../runtime/environment.ts'
import { openPipeline, openRunner } from '../runtime/pipeline.ts'
import { toldToStop } from '../runtime/supervise.ts'

/** `holdshort work`: the pipeline process alone, as `start` runs it. */
export function workCommand(program: Command): void {
  program
    .command('work')
    .description('Run the pipeline alone: collect, roll up, forecast and publish on schedule, until told to stop.')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { dataDir?: string }) => {
      const stopped = toldToStop()
      const settings = settingsFor(flags)
      const log = openLog(settings, 'pipeline')
      const pipeline = await openPipeline(settings, log)
      const recovered = await recoverCaptures(pipeline.warehouse, Date.now())
      if (recovered.captures > 0)
        log.warn({ captures: recovered.captures, rows: recovered.rows }, 'landed what a killed process had kept')
      const runner = await openRunner(settings, pipeline, log)
      await runner.start()
      const server = await openCallServer(settings, pipeline, log)
      log.info({ data_dir: settings.data_dir }, 'pipeline at work')
      const why = await stopped
      log.info({ why }, 'stopping')
      await Promise.all([runner.stop(2_500), server.close()])
      await Promise.race([pipeline.close(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
      process.exit(0)
    })
}
