import { stat } from 'node:fs/promises'
import type { Progress } from '../../bin/runtime/output.ts'
import { DAY_MS, isoUtc, MINUTE_MS } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { copyWarehouse, usedBytes } from '../../warehouse/storage/housekeeping.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import { type Measurement, median, timed } from './measurement.ts'

const DAYS = 90
const LANDINGS_A_DAY = 12
const LANES = 20
/** A quarter of an hour of 24 sources that are read every three minutes. */
const SOURCES = 24
const RUNS = 5

const rowsAt = (observed_ms: number, source: number): Reading[] =>
  Array.from({ length: LANES }, (_, lane) =>
    reading({
      source: `bench-${source}`,
      observed_at: isoUtc(observed_ms),
      fetched_at: isoUtc(observed_ms),
      available_at: isoUtc(observed_ms),
      checkpoint: `${source}-${lane}`,
      capture_id: `bench-${source}-${observed_ms}`,
      wait_minutes: (lane * 7 + source + observed_ms / MINUTE_MS) % 40,
    }),
  )

/** The file of the warehouse: 90 simulated days of landings with a rollup and an upkeep a day, and a quarter of an hour of one day without. */
export async function benchFiles(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const { warehouse_file, warehouse_copy } = dataPaths(warehouse.data_dir)
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const started = performance.now()
  for (let day = DAYS; day >= 1; day -= 1) {
    for (let landing = 0; landing < LANDINGS_A_DAY; landing += 1)
      await warehouse.land(readings, rowsAt(today - day * DAY_MS + landing * (DAY_MS / LANDINGS_A_DAY), landing % 3))
    await rollUp(warehouse, { newestDays: 2 })
    await warehouse.maintain('CHECKPOINT')
    bar.update(DAYS - day, DAYS)
  }
  const seconds = (performance.now() - started) / 1_000
  const landings: number[] = []
  for (let run = 0; run < RUNS; run += 1)
    for (let source = 0; source < SOURCES; source += 1)
      landings.push((await timed(() => warehouse.land(readings, rowsAt(today + run * 3 * MINUTE_MS, source)))).seconds)
  const copied = await timed(() => copyWarehouse(warehouse, warehouse_copy))
  const used = (await usedBytes(warehouse)) ?? 0
  const sizeOf = async (path: string) => (await stat(path)).size / 1e6
  return [
    { name: 'files: landings of 90 days', value: DAYS * LANDINGS_A_DAY, unit: '', target: null },
    {
      name: 'files: the warehouse after 90 days',
      value: await sizeOf(warehouse_file),
      unit: 'MB',
      target: { at_most: 60 },
    },
    { name: 'files: of it in use', value: used / 1e6, unit: 'MB', target: null },
    { name: 'files: its copy', value: await sizeOf(warehouse_copy), unit: 'MB', target: null },
    { name: 'files: copied and read in full', value: copied.seconds, unit: 's', target: null },
    { name: 'files: a landing of 20 rows', value: median(landings) * 1_000, unit: 'ms', target: { at_most: 100 } },
    { name: 'files: 90 days of landings, rollups and checkpoints', value: seconds, unit: 's', target: null },
  ]
}
