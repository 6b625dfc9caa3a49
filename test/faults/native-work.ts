import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { dayOf } from '../../warehouse/storage/changes.ts'
import { copyWarehouse } from '../../warehouse/storage/housekeeping.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { deleteUntil } from '../../warehouse/storage/write.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'

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
const dateOf = (day: number) => dayOf(FIRST_DAY + day * DAY_MS)

/** The rows of a batch, the same in every process. */
export function batchRows(batch: number): Reading[] {
  const start = FIRST_DAY + dayOfBatch(batch) * DAY_MS + (batch % BATCHES_A_DAY) * 2 * HOUR_MS
  return Array.from({ length: BATCH_ROWS }, (_, row) => {
    const observed_at = isoUtc(start + row * 6 * 60_000)
    return reading({
      source: 'native-faults',
      observed_at,
      fetched_at: observed_at,
      available_at: observed_at,
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
  if (kind === 'checkpoint') await warehouse.maintain('CHECKPOINT')
  if (kind === 'copy') await copyWarehouse(warehouse, dataPaths(warehouse.data_dir).warehouse_copy)
  if (kind !== 'retention') return 0
  const last = firstKeptDay(batch) - 1
  if (last >= 0) await warehouse.write((context) => deleteUntil(context, readings, dateOf(last)))
  return last + 1
}

/** The first day that a retention after `batch` leaves. */
export const firstKeptDay = (batch: number): number => Math.max(0, dayOfBatch(batch) - KEPT_DAYS)

/** What a warehouse must hold, in memory. */
export class Model {
  /** Batches that were acknowledged. */
  readonly acknowledged = new Set<number>()
  /** Batches that were begun and not acknowledged: all of their rows are there, or none. */
  readonly begun = new Set<number>()
  /** Days before this were deleted. */
  firstDay = 0
  /** Days before this may have been deleted: a retention was begun. */
  mayBeDeletedBefore = 0
  /** Batches that were acknowledged when the last finished copy began, and the first day then. */
  copied: { batches: number[]; mayBeDeletedBefore: number } | null = null

  /** Why a warehouse differs from this; empty when it does not. Adopts what was begun and is there. */
  async differencesOf(warehouse: Warehouse): Promise<{ lost: number; problems: string[] }> {
    const problems: string[] = []
    let lost = 0
    const stored = await warehouse.query<Reading>(
      'SELECT * EXCLUDE (date) FROM readings ORDER BY observed_at, checkpoint',
    )
    const byBatch = new Map<number, Reading[]>()
    for (const row of stored) {
      const batch = Number(row.checkpoint?.split('-')[0])
      byBatch.set(batch, [...(byBatch.get(batch) ?? []), row])
    }
    const deletedBefore = await this.#deletedBefore(byBatch, problems)
    for (const batch of this.acknowledged) {
      const rows = byBatch.get(batch) ?? []
      if (dayOfBatch(batch) < deletedBefore) {
        if (rows.length > 0) problems.push(`batch ${batch} was deleted and is back`)
        continue
      }
      if (!this.begun.has(batch)) lost += Math.max(0, BATCH_ROWS - rows.length)
    }
    if (lost > 0) problems.push(`${lost} acknowledged rows are lost`)
    for (const [batch, rows] of byBatch) {
      if (!this.acknowledged.has(batch) && !this.begun.has(batch)) problems.push(`batch ${batch} was never landed`)
      const expected = JSON.stringify(batchRows(batch).map(textOf).sort())
      if (JSON.stringify(rows.map(textOf).sort()) !== expected)
        problems.push(`batch ${batch} has ${rows.length} rows: half, doubled or changed`)
    }
    for (const batch of this.begun) if (byBatch.has(batch)) this.acknowledged.add(batch)
    this.begun.clear()
    this.firstDay = deletedBefore
    this.mayBeDeletedBefore = deletedBefore
    return { lost, problems: [...new Set(problems)] }
  }

  /** The first day of which rows may be there: a retention that was begun deletes all of its days, or none. */
  async #deletedBefore(byBatch: Map<number, unknown>, problems: string[]): Promise<number> {
    if (this.mayBeDeletedBefore === this.firstDay) return this.firstDay
    const between = [...this.acknowledged].filter(
      (batch) => dayOfBatch(batch) >= this.firstDay && dayOfBatch(batch) < this.mayBeDeletedBefore,
    )
    const left = between.filter((batch) => byBatch.has(batch))
    if (left.length > 0 && left.length < between.length) problems.push('a retention was done by half')
    return left.length === 0 ? this.mayBeDeletedBefore : this.firstDay
  }

  /** Why the hours differ from those of the readings that are there, once everything is rolled up. */
  async rollupDifferences(warehouse: Warehouse): Promise<string[]> {
    await rollUp(warehouse)
    const days = [...this.acknowledged].map(dayOfBatch).filter((day) => day >= this.firstDay)
    if (days.length === 0) return []
    const expected = new Map<string, { samples: number; minutes: number }>()
    for (const batch of this.acknowledged)
      if (dayOfBatch(batch) >= this.firstDay)
        for (const { observed_at, wait_minutes } of batchRows(batch)) {
          const hour = `${observed_at.slice(0, 13)}:00:00Z`
          const known = expected.get(hour) ?? { samples: 0, minutes: 0 }
          expected.set(hour, { samples: known.samples + 1, minutes: known.minutes + (wait_minutes ?? 0) })
        }
    const rows = await warehouse.query<{ hour: string; samples: number; mean: number }>(
      `SELECT hour, samples, mean FROM rollups WHERE level = 'airport' AND date >= DATE '${dateOf(this.firstDay)}' ORDER BY hour`,
    )
    const wrong = rows.filter(({ hour, samples, mean }) => {
      const hourly = expected.get(hour)
      return !hourly || hourly.samples !== samples || Math.abs(hourly.minutes / hourly.samples - mean) > 1e-6
    })
    if (wrong.length > 0 || rows.length !== expected.size)
      return [`${wrong.length} of ${rows.length} hours differ from the readings, ${expected.size} were expected`]
    return []
  }
}

const textOf = (row: object) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
