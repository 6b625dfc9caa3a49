import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { quarantinedFiles } from '../../../warehouse/storage/quarantined.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { type OpenWarehouse, openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

/** Everything that may happen to one file of a folder, without a trace in its name. */
const DAMAGE: Record<string, (path: string, other: string) => Promise<void>> = {
  'cut to nothing': (path) => truncate(path, 0),
  'cut in its middle': async (path) => truncate(path, Math.floor((await readFile(path)).length / 2)),
  'cut by one byte': async (path) => truncate(path, (await readFile(path)).length - 1),
  'one bit flipped': async (path) => {
    const bytes = await readFile(path)
    const middle = Math.floor(bytes.length / 3)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    await writeFile(path, bytes)
  },
  'zeroed blocks': async (path) => {
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(256), 0, 256, 64)
    await file.close()
  },
  'swapped for another day’s file': (path, other) => copyFile(other, path),
  'replaced by text': (path) => writeFile(path, 'not parquet'),
}

const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20']
const rowsOf = (day: string) =>
  [9, 10, 11].map((hour) => reading({ observed_at: `${day}T${String(hour).padStart(2, '0')}:00:00Z` }))

async function filled(folder: string): Promise<OpenWarehouse> {
  const warehouse = await openWarehouse(folder)
  for (const day of DAYS) await warehouse.land(readings, rowsOf(day))
  return warehouse
}

async function partFiles(folder: string): Promise<string[]> {
  return livePaths(await listPartitions(dataPaths(folder).warehouse, readings))
}

const countsByDay = async (warehouse: OpenWarehouse) =>
  (
    await warehouse.query<{ date: string; n: number }>('SELECT date, count(*) AS n FROM readings GROUP BY 1 ORDER BY 1')
  ).map(({ date, n }) => [String(date), n])

for (const [name, harm] of Object.entries(DAMAGE).slice(0, repetitions(1, 7))) {
  test(`a file ${name} before the start is put into quarantine, and everything else goes on`, async () => {
    const folder = await temporaryFolder()
    await (await filled(folder)).close()
    const [first = '', second = ''] = await partFiles(folder)
    await harm(first, second)

    const found: string[] = []
    const warehouse = await openWarehouse(folder, (damaged) => found.push(...damaged.map(({ path }) => path)))
    expect(found).toEqual([first])
    expect(await countsByDay(warehouse)).toEqual(DAYS.slice(1).map((day) => [day, 3]))
    expect(await quarantinedFiles(folder)).toHaveLength(1)
    // A day that lost its only file keeps what was derived from it.
    expect(await warehouse.maintain((context) => rollUp(context))).toBe(DAYS.length - 1)
    expect(await warehouse.land(readings, rowsOf(DAYS[0]!))).toBe(3)
    await warehouse.close()
  })
}

test('a file that is cut while the warehouse is open is met by queries, landings and maintenance alike', async () => {
  const folder = await temporaryFolder()
  const warehouse = await filled(folder)
  const [first = '', second = '', third = ''] = await partFiles(folder)
  await truncate(first, 100)
  expect(await countsByDay(warehouse)).toEqual(DAYS.slice(1).map((day) => [day, 3]))
  await truncate(second, 100)
  expect(await warehouse.land(readings, rowsOf(DAYS[1]!))).toBe(3)
  await truncate(third, 100)
  expect(await warehouse.maintain((context) => rollUp(context))).toBeGreaterThan(0)
  expect(await countsByDay(warehouse)).toEqual([[DAYS[1], 3]])
  expect(await quarantinedFiles(folder)).toHaveLength(3)
  await warehouse.close()
})

test('a scrub finds a file whose bytes changed while its length and times stayed', async () => {
  const folder = await temporaryFolder()
  const warehouse = await filled(folder)
  await warehouse.refresh()
  const verified = join(dataPaths(folder).warehouse, 'verified.json')
  const [first = ''] = await partFiles(folder)
  const { utimes, stat } = await import('node:fs/promises')
  const { atime, mtime } = await stat(first)
  await DAMAGE['one bit flipped']!(first, '')
  await utimes(first, atime, mtime)
  expect(await warehouse.scrub(1_000_000)).toBe(DAYS.length)
  expect(await quarantinedFiles(folder)).toHaveLength(1)
  await warehouse.close()
  await rm(verified)
})

test('a file of an earlier release, without a digest in its name, is read; a cut one is not', async () => {
  const folder = await temporaryFolder()
  await (await filled(folder)).close()
  const [first = '', second = ''] = await partFiles(folder)
  for (const path of [first, second]) {
    await copyFile(path, path.replace(/-[0-9a-f]{16}\.parquet$/, '.parquet'))
    await rm(path)
  }
  await truncate(second.replace(/-[0-9a-f]{16}\.parquet$/, '.parquet'), 200)
  const warehouse = await openWarehouse(folder)
  expect(await countsByDay(warehouse)).toEqual([DAYS[0], DAYS[2]].map((day) => [day, 3]))
  await warehouse.close()
})
