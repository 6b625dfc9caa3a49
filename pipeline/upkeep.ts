import { dataPaths, type Settings } from '../config/settings.ts'
import { sweepSnapshots } from '../warehouse/serving/snapshot/write.ts'
import { compactTables, sweepReplaced } from '../warehouse/storage/compact.ts'
import { bytesIn } from '../warehouse/storage/files.ts'
import { sweepLeftovers } from '../warehouse/storage/leftovers.ts'
import { applyRetention, type RetentionReport } from '../warehouse/storage/retention.ts'
import type { OpenWarehouse } from '../warehouse/storage/warehouse.ts'
import { type RebuildReport, rebuildDamaged } from './collecting/rebuild-damaged.ts'

export interface UpkeepReport {
  compacted: number
  swept: number
  retention: RetentionReport[]
  snapshots_dropped: number
  /** Part files whose content was read again and compared with its digest. */
  scrubbed: number
  rebuilt: RebuildReport[]
}

/** Bytes of part files that one upkeep reads again. */
const SCRUB_BYTES = 500_000_000

/** Maintains the data folder: merges small files, deletes data past its retention limit, and removes files that were replaced. */
export async function upkeep(warehouse: OpenWarehouse, settings: Settings, now: number): Promise<UpkeepReport> {
  const paths = dataPaths(settings.data_dir)
  const report = await warehouse.maintain(async (context) => ({
    retention: await applyRetention(context, settings, now),
    compacted: await compactTables(context),
    swept: await sweepReplaced(context, now),
  }))
  const snapshots_dropped = await sweepSnapshots(
    paths.snapshots,
    settings.snapshots_keep,
    bytesIn,
    settings.snapshots_bytes,
  )
  await sweepLeftovers(settings.data_dir, now)
  const scrubbed = await warehouse.scrub(SCRUB_BYTES)
  const rebuilt = await rebuildDamaged(warehouse, now)
  return { ...report, snapshots_dropped, scrubbed, rebuilt }
}
