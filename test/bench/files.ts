import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../../bin/runtime/output.ts'
import { DAY_MS, isoUtc, MINUTE_MS } from '../../config/domain.ts'
import { compactTables, sweepReplaced } from '../../warehouse/storage/compact.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { OpenWarehouse } from '../../warehouse/storage/warehouse.ts'
import { type Reading, readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import type { Measurement } from './measurement.ts'

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

/** The Parquet files of a table by folder, and their sizes. */
async function parquetFiles(folder: string): Promise<{ path: string; bytes: number }[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'))
  return Promise.all(names.map(async (path) => ({ path, bytes: (await stat(join(folder, path))).size })))
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Files of the warehouse: 90 simulated days of landings with an upkeep a day, and a quarter of an hour of one day without. Every
 * landing wrote a file: so many there would be without merging.
 */
export async function benchFiles(warehouse: OpenWarehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const folder = join(warehouse.data_dir, 'warehouse', 'readings')
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const started = performance.now()
  let landings = 0
  for (let day = DAYS; day >= 1; day -= 1) {
    for (let landing = 0; landing < LANDINGS_A_DAY; landing += 1) {
      const observed = today - day * DAY_MS + landing * (DAY_MS / LANDINGS_A_DAY)
      await warehouse.land(readings, rowsAt(observed, landing % 3))
      landings += 1
    }
    await rollUp(warehouse, { newestDays: 2 })
    await warehouse.maintain(async (context) => {
      await compactTables(context)
      await sweepReplaced(context, Date.now(), 0)
    })
    bar.update(DAYS - day, DAYS)
  }
  const seconds = (performance.now() - started) / 1_000
  const closed = await parquetFiles(folder)
  const months = new Map<string, number>()
  for (const { path } of closed) {
    const month = /month=(\d{4}-\d\d)/.exec(path)?.[1] ?? ''
    months.set(month, (months.get(month) ?? 0) + 1)
  }
  for (let run = 0; run < RUNS; run += 1)
    for (let source = 0; source < SOURCES; source += 1)
      await warehouse.land(readings, rowsAt(today + run * 3 * MINUTE_MS, source))
  const open = (await parquetFiles(folder)).filter(({ path }) => !closed.some((file) => file.path === path))
  return [
    { name: 'files: landings of 90 days, as many files without merging', value: landings, unit: 'files', target: null },
    { name: 'files: of readings after 90 days', value: closed.length, unit: 'files', target: { at_most: 12 } },
    {
      name: 'files: of readings in the fullest month',
      value: Math.max(0, ...months.values()),
      unit: 'files',
      target: { at_most: 8 },
    },
    { name: 'files: landings of a quarter of an hour', value: SOURCES * RUNS, unit: 'files', target: null },
    { name: 'files: of readings of today after it', value: open.length, unit: 'files', target: { at_most: 24 } },
    {
      name: 'files: median size of those',
      value: median(open.map(({ bytes }) => bytes)) / 1_000,
      unit: 'kB',
      target: null,
    },
    { name: 'files: 90 days of landings, rollups and merging', value: seconds, unit: 's', target: null },
  ]
}
