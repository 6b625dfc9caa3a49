import { DAY_MS } from '../../config/vocabulary.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { Circuits } from '../transport/circuits.ts'

interface SourceHistory {
  source: string
  /** When a request was last sent, and when one last succeeded; null when there was none in two days. */
  requested_at: string | null
  succeeded_at: string | null
  skipped_at: string | null
}

/**
 * Updates this process's circuits from the `runs` of all processes in the last two days: opens the circuits that an earlier
 * process or another machine left open, and closes those whose source has succeeded since. With `only`, a single source.
 */
export async function restoreCircuits(
  warehouse: Warehouse,
  circuits: Circuits,
  now: number,
  only: string | null = null,
): Promise<void> {
  const from = new Date(now - 2 * DAY_MS).toISOString()
  const rows = await warehouse.query<SourceHistory>(
    `SELECT source, max(finished_at) FILTER (error_code IS DISTINCT FROM 'CIRCUIT_OPEN') AS requested_at,
       max(finished_at) FILTER (outcome <> 'failed') AS succeeded_at, max(finished_at) FILTER (error_code = 'CIRCUIT_OPEN') AS skipped_at
     FROM runs WHERE date >= $day AND finished_at <= $now::TIMESTAMPTZ AND ($only IS NULL OR source = $only)
     GROUP BY source`,
    { day: from.slice(0, 10), now: new Date(now).toISOString(), only },
  )
  const histories = new Map(rows.map((row) => [row.source, row]))
  for (const { source, opened_ms } of circuits.open()) {
    const succeeded_at = histories.get(source)?.succeeded_at
    if (succeeded_at && Date.parse(succeeded_at) > opened_ms) circuits.close(source)
  }
  for (const { source, requested_at, skipped_at } of rows) {
    const wasOpen = skipped_at !== null && (requested_at === null || skipped_at >= requested_at)
    if (wasOpen) circuits.trip(source, Date.parse(requested_at ?? from))
  }
}
