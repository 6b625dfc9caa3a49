import { HoldshortError } from '../../../config/errors.ts'
import { loadSoundSnapshot } from './load.ts'
import { currentSnapshotId, hasSnapshot } from './names.ts'
import type { Snapshot } from './snapshot.ts'

export interface WatchEvents {
  onSwap?: (snapshot: Snapshot, milliseconds: number) => void
  /** A snapshot could not be loaded; the previous one stays in use, at the start the newest that is sound. */
  onError?: (error: unknown) => void
}

/** Holds the newest published snapshot: checks for a new one every `intervalMs`, loads it beside the old one, then swaps. */
export async function watchSnapshots(snapshotsDir: string, events: WatchEvents = {}, intervalMs = 500) {
  let loaded: Snapshot | null = null
  let fault: HoldshortError | null = null
  const rejectedIds = new Set<string>()
  let isChecking = false
  let lastError: string | null = null

  const reject = (id: string, error: unknown) => {
    rejectedIds.add(id)
    events.onError?.(error)
  }
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      const id = await currentSnapshotId(snapshotsDir)
      lastError = null
      const isGone = loaded && (id === null || !(await hasSnapshot(snapshotsDir, id)))
      if (!isGone) fault = null
      else
        fault ??= new HoldshortError(
          'DATA_FOLDER_GONE',
          'the published snapshots were moved or deleted; the last one is still served',
        )
      if (loaded && (!id || id === loaded.id || rejectedIds.has(id))) return
      const startedAt = performance.now()
      const next = await loadSoundSnapshot(snapshotsDir, reject, loaded && id ? [id] : null, rejectedIds)
      if (!next) return
      loaded = next
      events.onSwap?.(next, performance.now() - startedAt)
    } catch (error) {
      const { message } = error as Error
      if (message !== lastError) events.onError?.(error)
      lastError = message
    } finally {
      isChecking = false
    }
  }
  await check()
  const timer = setInterval(() => void check(), intervalMs)
  return {
    current: () => loaded,
    /** Why the snapshot in use cannot be found on the disk any more; null while it can, and before the first. */
    fault: () => fault,
    stop: () => clearInterval(timer),
  }
}
