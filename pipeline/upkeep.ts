import type { Settings } from '../config/settings.ts'
import { sweepSnapshots } from '../warehouse/serving/snapshot/write.ts'
import { compactTables, sweepReplaced } from '../warehouse/storage/compact.ts'
import { sweepLeftovers } from '../warehouse/storage/leftovers.ts'
import { applyRetention, type RetentionReport } from '../warehouse/storage/retention.ts'
import type { OpenWarehouse } from '../warehouse/storage/warehouse.ts'

export interface UpkeepReport {
  compacted: number
  swept: number
  retention: RetentionReport[]
  snapshots_dropped: number
  /** Part files whose content was read again and compared with its digest. */
  scrubbed: number
}

/** Bytes of part files that one upkeep reads again. */
const SCRUB_BYTES = 500_000_000

/** Maintains the data folder: merges small files, deletes data past its retention limit, and removes files that were replaced. */
export async function upkeep(warehouse: OpenWarehouse, settings: Settings, now: number): Promise<UpkeepReport> {
  const report = await warehouse.maintain(async (context) => ({
    retention: await applyRetention(context, settings, now, warehouse.forgetFiles),
    compacted: await compactTables(context),
    swept: await sweepReplaced(context, now),
  }))
  const snapshots_dropped = await sweepSnapshots(settings.data_dir, settings.snapshots_keep, settings.snapshots_bytes)
  await sweepLeftovers(settings.data_dir, now)
  const scrubbed = await warehouse.scrub(SCRUB_BYTES)
  return { ...report, snapshots_dropped, scrubbed }
}
