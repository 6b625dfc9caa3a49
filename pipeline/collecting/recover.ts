import { basename } from 'node:path'
import { DAY_MS } from '../../config/domain.ts'
import type { OpenWarehouse } from '../../warehouse/storage/warehouse.ts'
import { type ReplayReport, replay } from './replay.ts'

/**
 * Lands what a process that was killed had kept but not landed: raw captures since yesterday that no run tells of.
 * Replaying a capture that did land changes nothing, so an uncertain one is simply done again.
 */
export async function recoverCaptures(warehouse: OpenWarehouse, now: number): Promise<ReplayReport> {
  const from = new Date(now - DAY_MS).toISOString().slice(0, 10)
  const rows = await warehouse.query<{ capture_id: string }>(
    'SELECT DISTINCT capture_id FROM runs WHERE date >= $from',
    { from },
  )
  const told = new Set(rows.map(({ capture_id }) => capture_id))
  return replay(warehouse, { from, only: (path) => !told.has(basename(path, '.gz')) })
}
