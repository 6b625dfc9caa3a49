import type { Command } from 'commander'
import { addresses, type Settings } from '../../config/settings.ts'
import { holdRole, requireRestored } from '../../warehouse/storage/folder-use.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { environmentOf, openLog, settingsFor } from '../runtime/environment.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { stopRequested } from '../runtime/stop.ts'
import { stopBecauseGone } from '../runtime/stop-when-gone.ts'
import { supervise } from '../runtime/supervise.ts'

/** `holdshort start`: runs the whole service on the live sources. */
export function startCommand(program: Command): void {
  program
    .command('start')
    .description(
      'Run the whole service on the live sources: the api and the pipeline, each in its own process, restarted if it dies.',
    )
    .option('--port <port>', 'port to listen on (HOLDSHORT_PORT)')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action(async (flags: { port?: string; dataDir?: string }) => {
      const settings = settingsFor(flags)
      await requireFreePort(settings)
      const log = openLog(settings, 'start')
      await checkSimulatedMark(settings)
      requireRestored(settings.data_dir)
      await holdRole(settings.data_dir, 'supervisor')
      if (settings.database_url === undefined) await requireSoundState(settings)
      const children = supervise(
        [
          { name: 'api', args: ['serve'] },
          { name: 'pipeline', args: ['work'] },
        ],
        environmentOf(settings),
        log,
      )
      log.info({ address: addresses(settings).site_url, data_dir: settings.data_dir }, 'started; Ctrl-C stops it')
      const reason = await Promise.race([stopRequested(), children.folderGone])
      await children.stop()
      if (reason === 'folder gone') stopBecauseGone(settings.data_dir, log)
      process.exit(0)
    })
}

/** Opens the state once: a damaged one would otherwise make the supervisor start the api again and again. */
async function requireSoundState(settings: Settings): Promise<void> {
  const { openState } = await import('../../api/state/open.ts')
  const state = await openState(settings)
  await state.close()
}
