import { rollUp } from '../../warehouse/storage/rollup.ts'
import { rollUpSources } from '../../warehouse/storage/source-hours.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { progress } from './output.ts'

/**
 * Computes the hourly rollups of every day that has newer readings or runs, and shows how far it is.
 * @param all Every day, including days that are up to date.
 * @returns How many days were rolled up.
 */
export async function rollUpShown(warehouse: Warehouse, all = false): Promise<number> {
  const bar = progress('Rolling up')
  await rollUpSources(warehouse, Date.now(), { all })
  const days = await rollUp(warehouse, { all, onProgress: (done, total) => bar.update(done, total, 'days') })
  bar.end()
  return days
}
