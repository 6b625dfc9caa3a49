import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { openState } from '../../api/state/open.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { shareDataFolder } from '../../warehouse/storage/folder-use.ts'
import { openCallClient } from '../runtime/call-client.ts'
import { settingsFor } from '../runtime/environment.ts'
import { addCommand } from '../runtime/help.ts'
import { type Log, openLog } from '../runtime/log.ts'
import { openGate } from '../runtime/open-gate.ts'
import { requireFreePort } from '../runtime/require-free-port.ts'
import { requireUsable } from '../runtime/require-usable.ts'
import { openSharedStores } from '../runtime/shared-stores.ts'
import { listenForSilence } from '../runtime/silent-sibling.ts'
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
  const published = settings.store === 'folder' ? null : await followPublished(settings, log)
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
  void stopWithoutSnapshots({ isGone: () => holder.fault() !== null, path: snapshots, limitMs }, log, ending.signal)
  const pipelineClient = await openCallClient(settings)
  const siblingFault = listenForSilence()
  const { makeGate, close: closeGate } = await openGate(settings, state, log)
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
    ...(makeGate && { makeGate }),
    ...(published && { fetchExport: published.fetchExport }),
  })
  log.info({ address: server.address }, 'listening')
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
    closeGate()
    await pipelineClient.close()
    await state.close()
    await use.release()
  }
}

/** How often an api process asks for a newer snapshot. */
const POLL_MS = 1_000
/** Stores that have not answered for this long are a fault that health reports. */
const FAULT_MS = 15_000

/**
 * Fetches the published snapshots into the data folder, from which the api serves them. Resolves after the first look; stores that
 * cannot be reached are tried again, and the last snapshot is served meanwhile.
 */
async function followPublished(settings: Settings, log: Log) {
  const { openSnapshotFetcher } = await import('../../warehouse/sharing/snapshots.ts')
  const { openExportFetcher } = await import('../../warehouse/sharing/published-export.ts')
  const stores = await openSharedStores(settings)
  const { snapshots_keep, snapshots_bytes } = settings
  const fetchSnapshot = openSnapshotFetcher(stores, settings.data_dir, {
    count: snapshots_keep,
    bytes: snapshots_bytes,
  })
  const stopping = new AbortController()
  let answeredAt = performance.now()
  let failure: HoldshortError | null = null
  const look = async () => {
    try {
      const id = await fetchSnapshot()
      if (failure) log.info({ store: stores.store.address }, 'the stores answer again')
      failure = null
      answeredAt = performance.now()
      if (id !== null) log.debug({ snapshot: id }, 'fetched')
    } catch (error) {
      const cause = error instanceof HoldshortError ? error : new HoldshortError('INTERNAL', (error as Error).message)
      if (!failure) log.error({ code: cause.code, error: cause.message }, 'no snapshot could be fetched; trying on')
      failure = cause
    }
  }
  await look()
  const following = async () => {
    while (!stopping.signal.aborted) {
      await sleep(POLL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      if (!stopping.signal.aborted) await look()
    }
  }
  const ended = following()
  const age = () => performance.now() - answeredAt
  return {
    // The reason names the stores, which are nobody's business outside.
    fault: () =>
      failure !== null && age() > FAULT_MS
        ? new HoldshortError(
            'STORE_UNREACHABLE',
            `no snapshot could be fetched for ${Math.round(age() / 1_000)} s; the last one is still served`,
          )
        : null,
    age_seconds: () => age() / 1_000,
    fetchExport: openExportFetcher(stores, settings.data_dir),
    stop: async () => {
      stopping.abort()
      await ended
      await stores.close()
    },
  }
}
