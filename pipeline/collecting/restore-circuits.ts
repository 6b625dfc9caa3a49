import { DAY_MS } from '../../config/domain.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { Circuits } from '../transport/circuits.ts'

interface Told {
  source: string
  /** When it last was asked, and when it last answered well; null when neither in two days. */
  asked_at: string | null
  good_at: string | null
  left_out_at: string | null
}

/**
 * Brings this process's circuits in line with what all processes wrote into `runs` in the last two days: opens those that an
 * earlier process (or another machine) left open, closes those whose source has answered somewhere since. All sources', or those of one.
 */
export async function restoreCircuits(
  warehouse: Warehouse,
  circuits: Circuits,
  now: number,
  only: string | null = null,
): Promise<void> {
  const from = new Date(now - 2 * DAY_MS).toISOString()
  const rows = await warehouse.query<Told>(
    `SELECT source, max(finished_at) FILTER (error_code IS DISTINCT FROM 'CIRCUIT_OPEN') AS asked_at,
       max(finished_at) FILTER (outcome <> 'failed') AS good_at, max(finished_at) FILTER (error_code = 'CIRCUIT_OPEN') AS left_out_at
     FROM runs WHERE date >= $day AND ($only IS NULL OR source = $only) GROUP BY source`,
    { day: from.slice(0, 10), only },
  )
  const told = new Map(rows.map((row) => [row.source, row]))
  for (const { source, opened_ms } of circuits.open()) {
    const good_at = told.get(source)?.good_at
    if (good_at && Date.parse(good_at) > opened_ms) circuits.close(source)
  }
  for (const { source, asked_at, left_out_at } of rows) {
    const stillOut = left_out_at !== null && (asked_at === null || left_out_at >= asked_at)
    if (stillOut) circuits.trip(source, Date.parse(asked_at ?? from))
  }
}
