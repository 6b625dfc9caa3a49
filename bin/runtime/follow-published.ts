import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import type { Settings } from '../../config/settings.ts'
import type { ExportFetcher } from '../../warehouse/replica/published-export.ts'
import type { Log } from './environment.ts'

/** How often an api process asks the bucket for a newer snapshot. */
const POLL_MS = 1_000
/** A bucket that has not answered for this long is a fault that health reports. */
const FAULT_MS = 15_000

export interface PublishedFollower {
  /** Why newer snapshots cannot be fetched; null while they can. */
  fault: () => HoldshortError | null
  /** Seconds since the bucket last answered. */
  age_seconds: () => number
  /** Finds the open data of the bucket. */
  fetchExport: ExportFetcher
  stop: () => void
}

/**
 * Fetches the published snapshots of a bucket into the data folder, from which the api serves them. Resolves after the first
 * look; a bucket that cannot be reached is asked again, and the last snapshot is served meanwhile.
 */
export async function followPublished(settings: Settings, log: Log): Promise<PublishedFollower> {
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const { openFetcher } = await import('../../warehouse/replica/published.ts')
  const { openExportFetcher } = await import('../../warehouse/replica/published-export.ts')
  const store = openS3(settings)
  const { snapshots_keep, snapshots_bytes } = settings
  const fetcher = openFetcher(store, settings.data_dir, { count: snapshots_keep, bytes: snapshots_bytes })
  const stopping = new AbortController()
  let answeredAt = performance.now()
  let failure: HoldshortError | null = null
  const look = async () => {
    try {
      const id = await fetcher.look()
      if (failure) log.info({ store: store.address }, 'the bucket answers again')
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
  void following()
  const age = () => performance.now() - answeredAt
  return {
    // The reason names the bucket, which is nobody's business outside.
    fault: () =>
      failure !== null && age() > FAULT_MS
        ? new HoldshortError(
            'STORE_UNREACHABLE',
            `no snapshot could be fetched for ${Math.round(age() / 1_000)} s; the last one is still served`,
          )
        : null,
    age_seconds: () => age() / 1_000,
    fetchExport: openExportFetcher(store, settings.data_dir),
    stop: () => stopping.abort(),
  }
}
