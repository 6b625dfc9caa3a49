import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { type DriftChange, watchDrift } from './drift.ts'
import { type ScoreOptions, scoreVintages } from './score-vintages.ts'

/** Scores the vintages whose hours came true, then judges whether models drift. It runs before the forecasts of the hour, which follow it. */
export async function updateRecord(
  warehouse: Warehouse,
  options: ScoreOptions,
): Promise<{ days: number; changes: DriftChange[] }> {
  const days = await scoreVintages(warehouse, options)
  const changes = await watchDrift(warehouse, options.now)
  return { days, changes }
}
