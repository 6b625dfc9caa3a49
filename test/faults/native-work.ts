import { dataPaths } from '../../config/settings.ts'
import { DAY_MS, HOUR_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { copyWarehouse } from '../../warehouse/storage/housekeeping.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { deleteUntil } from '../../warehouse/storage/write.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { landedAt, reading } from '../warehouse/test-rows.ts'

/** The kinds of work on the warehouse file during which a process is killed or the disk becomes full. */
export const KINDS = ['landing', 'rollup', 'retention', 'checkpoint', 'copy'] as const
export type Kind = (typeof KINDS)[number]

/** Rows of a batch, and batches of a day. A batch lies in two hours of its day. */
export const BATCH_ROWS = 20
const BATCHES_A_DAY = 12
/** Days that a retention leaves. */
const KEPT_DAYS = 6
const FIRST_DAY = Date.parse('2026-01-01T00:00:00Z')

/** The day of a batch, counted from the first. */
export const dayOfBatch = (batch: number) => Math.floor(batch / BATCHES_A_DAY)
export const dateOf = (day: number) => utcDayOf(FIRST_DAY + day * DAY_MS)

/** The rows of a batch, the same in every process. */
export function batchRows(batch: number): Reading[] {
  const start = FIRST_DAY + dayOfBatch(batch) * DAY_MS + (batch % BATCHES_A_DAY) * 2 * HOUR_MS
  return Array.from({ length: BATCH_ROWS }, (_, row) => {
    const observed_at = isoUtc(start + row * 6 * 60_000)
    return reading({
      source: 'native-faults',
      ...landedAt(observed_at),
      checkpoint: `${batch}-${row}`,
      capture_id: `native-faults-${batch}`,
      wait_minutes: (batch * 7 + row * 3) % 60,
    })
  })
}

/** Does one piece of work after `batch` was landed last. Retention deletes whole days, and returns the first that stays. */
export async function doWork(warehouse: Warehouse, kind: Kind, batch: number): Promise<number> {
  if (kind === 'landing') return warehouse.land(readings, batchRows(batch))
  if (kind === 'rollup') return rollUp(warehouse)
  if (kind === 'checkpoint') await warehouse.checkpoint()
  if (kind === 'copy') await copyWarehouse(warehouse, dataPaths(warehouse.data_dir).warehouse_copy)
  if (kind !== 'retention') return 0
  const last = firstKeptDay(batch) - 1
  if (last >= 0) await warehouse.write((context) => deleteUntil(context, readings, dateOf(last)))
  return last + 1
}

/** The first day that a retention after `batch` leaves. */
export const firstKeptDay = (batch: number): number => Math.max(0, dayOfBatch(batch) - KEPT_DAYS)
