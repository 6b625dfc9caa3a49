import { expect } from 'vitest'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import { batchRows, dateOf, dayOfBatch } from './native-work.ts'

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

  /** Expects a warehouse to hold what this says. Adopts what was begun and is there. */
  async expectHeldBy(warehouse: Warehouse, what: string): Promise<void> {
    const stored = await warehouse.query<Reading>(
      'SELECT * EXCLUDE (date) FROM readings ORDER BY observed_at, checkpoint',
    )
    const byBatch = new Map<number, Reading[]>()
    for (const row of stored) {
      const batch = Number(row.checkpoint?.split('-')[0])
      byBatch.set(batch, [...(byBatch.get(batch) ?? []), row])
    }
    const deletedBefore = this.#deletedBefore(byBatch, what)
    const known = [...this.acknowledged]
    const isBack = known.filter((batch) => dayOfBatch(batch) < deletedBefore && byBatch.has(batch))
    expect(isBack, `${what}: batches were deleted and are back`).toEqual([])
    const isLost = known.filter((batch) => dayOfBatch(batch) >= deletedBefore && !byBatch.has(batch))
    expect(
      isLost.filter((batch) => !this.begun.has(batch)),
      `${what}: acknowledged batches are lost`,
    ).toEqual([])
    for (const [batch, rows] of byBatch) {
      expect(this.acknowledged.has(batch) || this.begun.has(batch), `${what}: batch ${batch} was landed`).toBe(true)
      expect(rows.map(textOf).sort(), `${what}: batch ${batch}`).toEqual(batchRows(batch).map(textOf).sort())
    }
    for (const batch of this.begun) if (byBatch.has(batch)) this.acknowledged.add(batch)
    this.begun.clear()
    this.firstDay = deletedBefore
    this.mayBeDeletedBefore = deletedBefore
  }

  /** The first day of which rows may be there: a retention that was begun deletes all of its days, or none. */
  #deletedBefore(byBatch: Map<number, unknown>, what: string): number {
    if (this.mayBeDeletedBefore === this.firstDay) return this.firstDay
    const between = [...this.acknowledged].filter(
      (batch) => dayOfBatch(batch) >= this.firstDay && dayOfBatch(batch) < this.mayBeDeletedBefore,
    )
    const left = between.filter((batch) => byBatch.has(batch))
    expect([0, between.length], `${what}: a retention was done by half`).toContain(left.length)
    return left.length === 0 ? this.mayBeDeletedBefore : this.firstDay
  }

  /** Expects the hours to be those of the readings that are there, once everything is rolled up. */
  async expectHoursOf(warehouse: Warehouse, what: string): Promise<void> {
    await rollUp(warehouse)
    const expected = new Map<string, number[]>()
    for (const batch of [...this.acknowledged].filter((candidate) => dayOfBatch(candidate) >= this.firstDay))
      for (const { observed_at, wait_minutes } of batchRows(batch)) {
        const hour = `${observed_at.slice(0, 13)}:00:00Z`
        expected.set(hour, [...(expected.get(hour) ?? []), wait_minutes ?? 0])
      }
    const rows = await warehouse.query<{ hour: string; samples: number; mean: number }>(
      `SELECT hour, samples, mean FROM rollups WHERE level = 'airport' AND date >= DATE '${dateOf(this.firstDay)}' ORDER BY hour`,
    )
    const rounded = (hour: string, samples: number, mean: number) => `${hour} ${samples} ${mean.toFixed(6)}`
    expect(
      rows.map(({ hour, samples, mean }) => rounded(hour, samples, mean)),
      what,
    ).toEqual(
      [...expected]
        .map(([hour, waits]) => rounded(hour, waits.length, waits.reduce((sum, wait) => sum + wait, 0) / waits.length))
        .sort(),
    )
  }
}

const textOf = (row: object) => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
