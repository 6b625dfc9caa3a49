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
  /** A snapshot could not be loaded; the one before it goes on serving. */
  onError?: (error: unknown) => void
}

/** Holds the newest published snapshot: looks for a new one twice a second, loads it beside the old, then swaps. */
export async function watchSnapshots(
  snapshotsDir: string,
  events: WatchEvents = {},
  everyMs = 500,
): Promise<SnapshotWatch> {
  let held: Snapshot | null = null
  let refused: string | null = null
  let looking = false

  const look = async () => {
    if (looking) return
    looking = true
    const id = await currentSnapshotId(snapshotsDir)
    try {
      if (!id || id === held?.id || id === refused) return
      const from = performance.now()
      const next = await loadSnapshot(snapshotsDir)
      if (!next) return
      held = next
      events.onSwap?.(next, performance.now() - from)
    } catch (error) {
      refused = id
      events.onError?.(error)
    } finally {
      looking = false
    }
  }
  await look()
  const timer = setInterval(() => void look(), everyMs)
  return { current: () => held, stop: () => clearInterval(timer) }
}
