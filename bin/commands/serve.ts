import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import { openState } from '../../api/state/open.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { shareDataFolder } from '../../warehouse/storage/folder-use.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { settingsFor } from '../runtime/environment.ts'
import { followPublished } from '../runtime/follow-published.ts'
import { addCommand } from '../runtime/help.ts'
import { type Log, openLog } from '../runtime/log.ts'
import { openGate } from '../runtime/open-gate.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { requireUsable } from '../runtime/require-usable.ts'
import { openSharedStores } from '../runtime/shared-stores.ts'
import { listenForSilence } from '../runtime/signs-of-life.ts'
import { runUntilStopped } from '../runtime/stop.ts'
import { stopWhenGone, stopWithoutSnapshots } from '../runtime/stop-when-gone.ts'
import { startServer } from '../service/server.ts'

/** `holdshort serve`: runs only the api process, as `start` does. */
export function register(program: Command): void {
  addCommand(program, 'serve')
    .option('--port <port>', 'port to listen on (HOLDSHORT_PORT)')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .action((flags: { port?: string; dataDir?: string }) => {
      const settings = settingsFor(flags)
      const log = openLog(settings, 'api')
      return runUntilStopped(
        () => startApi(settings, log),
        async (stop, reason) => {
          log.info({ reason, drain_seconds: settings.drain_seconds }, 'stopping')
          await stop()
        },
        settings.drain_seconds * 1_000,
      )
    })
}

/** Starts the api; returns what stops it. */
async function startApi(settings: Settings, log: Log): Promise<() => Promise<void>> {
  await requireUsable(settings)
  await requireFreePort(settings)
  const use = await shareDataFolder(settings.data_dir)
  const published =
    settings.store === 'folder' ? null : await followPublished(settings, await openSharedStores(settings), log)
  const holder = await watchSnapshots(dataPaths(settings.data_dir).snapshots, {
    onSwap: ({ id }, milliseconds) => log.info({ snapshot: id, load_ms: Math.round(milliseconds) }, 'serving snapshot'),
    onError: (error) =>
      log.error({ error: (error as Error).message }, 'snapshot rejected; still serving the one before'),
  })
  const paths = dataPaths(settings.data_dir)
  const state = await openState({ ...settings, onWarning: (text: string) => log.warn(text) })
  const ownState = settings.database_url === undefined ? [paths.state] : []
  const gone = await stopWhenGone([settings.data_dir, ...ownState], log)
  const ending = new AbortController()
  const { snapshots } = paths
  const limitMs = Math.max(10, 2 * settings.publish_seconds) * 1_000
  void stopWithoutSnapshots({ isGone: holder.isGone, path: snapshots, limitMs }, log, ending.signal)
  const pipelineClient = await openCallClient(settings)
  const siblingFault = listenForSilence()
  const gate = await openGate(settings, state, log)
  const server = await startServer({
    settings,
    state,
    holder: {
      current: holder.current,
      fault: () => holder.fault() ?? published?.fault() ?? siblingFault(),
      ...(published && { store_age_seconds: published.age_seconds }),
    },
    pipelineClient,
    directory: airportDirectory(),
    logger: log,
    ...gate.dependencies,
    ...(published && { fetchExport: published.fetchExport }),
  })
  log.info({ address: server.address }, 'listening')
  // By default V8 lets the heap double before it frees what a swap left behind. Set after the start, which it would lengthen by 0.6 s of processor.
  void server.prepared.then(() => setFlagsFromString('--heap-growing-percent=30'))
  return async () => {
    if (settings.drain_seconds > 0) {
      server.drain()
      await sleep(settings.drain_seconds * 1_000)
    }
    gone.stop()
    ending.abort()
    holder.stop()
    await server.stop()
    await published?.stop()
    gate.close()
    await pipelineClient.close()
    await state.close()
    await use.release()
  }
}
