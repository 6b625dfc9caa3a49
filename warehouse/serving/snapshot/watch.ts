import { loadSoundSnapshot } from './load.ts'
import type { Snapshot } from './snapshot.ts'
import { currentSnapshotId } from './write.ts'

export interface SnapshotWatch {
  /** The newest snapshot loaded; null until the first has been published. */
  current: () => Snapshot | null
  stop: () => void
}

export interface WatchEvents {
  onSwap?: (snapshot: Snapshot, milliseconds: number) => void
  /** A snapshot could not be loaded; the previous one stays in use, at the start the newest that is sound. */
  onError?: (error: unknown) => void
}

/** Holds the newest published snapshot: checks for a new one every `intervalMs`, loads it beside the old one, then swaps. */
export async function watchSnapshots(
  snapshotsDir: string,
  events: WatchEvents = {},
  intervalMs = 500,
): Promise<SnapshotWatch> {
  let loaded: Snapshot | null = null
  const rejectedIds = new Set<string>()
  let isChecking = false

  const reject = (id: string, error: unknown) => {
    rejectedIds.add(id)
    events.onError?.(error)
  }
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      const id = await currentSnapshotId(snapshotsDir)
      if (loaded && (!id || id === loaded.id || rejectedIds.has(id))) return
      const startedAt = performance.now()
      const next = await loadSoundSnapshot(snapshotsDir, reject, loaded && id ? [id] : null, rejectedIds)
      if (!next) return
      loaded = next
      events.onSwap?.(next, performance.now() - startedAt)
    } catch (error) {
      events.onError?.(error)
    } finally {
      isChecking = false
    }
  }
  await check()
  const timer = setInterval(() => void check(), intervalMs)
  return { current: () => loaded, stop: () => clearInterval(timer) }
}
