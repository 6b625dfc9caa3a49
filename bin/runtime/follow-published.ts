import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { Log } from './log.ts'
import type { SharedStores } from './shared-stores.ts'

/** How often an api process asks for a newer snapshot. */
const POLL_MS = 1_000
/** Stores that have given no snapshot for this long are a fault that health reports. */
const FAULT_MS = 15_000

/**
 * Fetches the published snapshots into the data folder, from which the api serves them. Resolves after the first look; stores that
 * cannot be reached are tried again, and the last snapshot is served meanwhile.
 */
export async function followPublished(
  settings: Settings,
  stores: SharedStores,
  log: Pick<Log, 'debug' | 'info' | 'error'>,
) {
  const { openSnapshotFetcher } = await import('../../warehouse/sharing/snapshots.ts')
  const { openExportFetcher } = await import('../../warehouse/sharing/published-export.ts')
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
        ? new HoldshortError(failure.code, `no newer snapshot could be fetched for ${Math.round(age() / 1_000)} s`)
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
