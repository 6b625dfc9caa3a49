import { loadSnapshot } from './load.ts'
import type { Snapshot } from './snapshot.ts'
import { currentSnapshotId } from './write.ts'

export interface SnapshotWatch {
  /** The newest snapshot loaded; null until the first has been published. */
  current: () => Snapshot | null
  stop: () => void
}

export interface WatchEvents {
  onSwap?: (snapshot: Snapshot, milliseconds: number) => void
  /** A snapshot could not be loaded; the previous one stays in use. */
  onError?: (error: unknown) => void
}

/** Holds the newest published snapshot: checks for a new one every `intervalMs`, loads it beside the old one, then swaps. */
export async function watchSnapshots(
  snapshotsDir: string,
  events: WatchEvents = {},
  intervalMs = 500,
): Promise<SnapshotWatch> {
  let loaded: Snapshot | null = null
  let rejectedId: string | null = null
  let isChecking = false

  const check = async () => {
    if (isChecking) return
    isChecking = true
    const id = await currentSnapshotId(snapshotsDir)
    try {
      if (!id || id === loaded?.id || id === rejectedId) return
      const startedAt = performance.now()
      const next = await loadSnapshot(snapshotsDir)
      if (!next) return
      loaded = next
      events.onSwap?.(next, performance.now() - startedAt)
    } catch (error) {
      rejectedId = id
      events.onError?.(error)
    } finally {
      isChecking = false
    }
  }
  await check()
  const timer = setInterval(() => void check(), intervalMs)
  return { current: () => loaded, stop: () => clearInterval(timer) }
}
