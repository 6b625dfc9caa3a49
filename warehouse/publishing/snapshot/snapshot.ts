import { allPublished, type PublishedIndexes, type PublishedReader, type SnapshotContent } from '../read/index.ts'
import { readTime } from '../read/read-time.ts'

/**
 * A loaded snapshot: the methods of all published things. Immutable; figures are as of `generated_at`. Look-ups use maps
 * and typed arrays; nothing here touches a disk or DuckDB.
 */
export interface Snapshot extends PublishedReader {
  id: string
  generated_at: string
  generated_ms: number
  /** True only in the demo: every answer repeats it. */
  simulated: boolean
  /**
   * The snapshot as of `now` (epoch ms). While it is under two minutes old this is the snapshot itself. After that, ages
   * and freshness grow with the clock, minute by minute, and expired figures are withdrawn.
   */
  asOf: (now: number) => Snapshot
}

/** Two publishing intervals, as they are by default. In an older snapshot figures age with the clock. */
const AGEING_AFTER_MS = 120_000

/** Makes a snapshot of its content. Series are views of the content; nothing is copied. */
export function snapshotReader(id: string, content: SnapshotContent): Snapshot {
  const generatedMs = Date.parse(content.generated_at)
  const indexes = Object.assign({}, ...allPublished.map(({ index }) => index(content))) as PublishedIndexes
  const readAt = (atMs: number): Snapshot => {
    const time = readTime(generatedMs, atMs)
    const methods = Object.assign({}, ...allPublished.map(({ read }) => read(indexes, time))) as PublishedReader
    return {
      ...methods,
      id,
      generated_at: content.generated_at,
      generated_ms: generatedMs,
      simulated: content.simulated,
      asOf,
    }
  }
  const fresh = readAt(generatedMs)
  let aged: { minute: number; snapshot: Snapshot } | null = null
  function asOf(now: number): Snapshot {
    if (now - generatedMs < AGEING_AFTER_MS) return fresh
    const minute = Math.floor(now / 60_000)
    if (aged?.minute !== minute) aged = { minute, snapshot: readAt(minute * 60_000) }
    return aged.snapshot
  }
  return fresh
}
