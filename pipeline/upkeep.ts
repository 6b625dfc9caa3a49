import type { Settings } from '../config/settings.ts'
import { sweepSnapshots } from '../warehouse/publishing/snapshot/write.ts'
import { keepHouse } from '../warehouse/storage/housekeeping.ts'
import { sweepLeftovers } from '../warehouse/storage/leftovers.ts'
import { applyRetention } from '../warehouse/storage/retention.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'

/** Maintains the data folder: deletes what is past its limit, keeps the warehouse small, and copies it once a day. */
export async function upkeep(warehouse: Warehouse, settings: Settings, now: number) {
  const retention = await applyRetention(warehouse, settings, now)
  const snapshots_dropped = await sweepSnapshots(settings.data_dir, settings.snapshots_keep, settings.snapshots_bytes)
  await sweepLeftovers(settings.data_dir, now)
  const { copied, kept_copy } = await keepHouse(warehouse, now)
  return { retention, snapshots_dropped, copied, kept_copy }
}
