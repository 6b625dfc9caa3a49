import type { Command } from 'commander'
import { startServer } from '../../api/server.ts'
import { openState } from '../../api/state/open.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths } from '../../config/settings.ts'
import { watchSnapshots } from '../../warehouse/serving/snapshot/watch.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { openLog, settingsFor } from '../runtime/environment.ts'
import { openGate } from '../runtime/open-gate.ts'
import { toldToStop } from '../runtime/supervise.ts'

/** `holdshort serve`: the api process alone, as `start` runs it. */
export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve REST, MCP and the start page from the newest published snapshot, until told to stop.')
    .option('--port <port>', 'where to listen (HOLDSHORT_PORT)')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { port?: string; dataDir?: string }) => {
      const stopped = toldToStop()
      const settings = settingsFor(flags)
      const log = openLog(settings, 'api')
      const holder = await watchSnapshots(dataPaths(settings.data_dir).snapshots, {
        onSwap: ({ id }, milliseconds) =>
          log.info({ snapshot: id, load_ms: Math.round(milliseconds) }, 'serving snapshot'),
        onError: (error) =>
          log.error({ error: (error as Error).message }, 'snapshot refused; the one before it serves on'),
      })
      const state = await openState(settings)
      const pipelineClient = await openCallClient(settings)
      const { makeGate, close: closeGate } = await openGate(settings, state, log)
      const server = await startServer({
        settings,
        state,
        holder,
        pipelineClient,
        directory: airportDirectory(),
        logger: log,
        ...(makeGate && { makeGate }),
      })
      log.info({ address: server.address }, 'listening')
      const why = await stopped
      log.info({ why }, 'stopping')
      holder.stop()
      await server.stop()
      closeGate()
      await pipelineClient.close()
      await state.close()
      process.exit(0)
    })
}
