import { readdir, rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { historySeries } from '../../../warehouse/serving/published/history.ts'
import { compactTables, sweepReplaced } from '../../../warehouse/storage/compact.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const AT = ['2026-11-20T10:05:00Z', '2026-11-20T10:25:00Z', '2026-11-20T10:45:00Z'] as const

test('an airport hour is the average over open standard lanes, without closed, flagged and other lanes', async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [
    reading({ terminal: 'A', observed_at: AT[0], wait_minutes: 10 }),
    reading({ terminal: 'A', observed_at: AT[1], wait_minutes: 20 }),
    reading({ terminal: 'B', observed_at: AT[2], wait_minutes: null, wait_minutes_low: 10, wait_minutes_high: 20 }),
    reading({ terminal: 'B', observed_at: AT[1], wait_minutes: 90, flags: ['implausible_spike'] }),
    reading({ terminal: 'B', observed_at: AT[0], wait_minutes: null, status: 'closed' }),
    reading({ terminal: 'A', observed_at: AT[0], wait_minutes: 2, lane: 'precheck' }),
  ])
  await rollUp(warehouse)
  const rows = await warehouse.query(
    'SELECT level, terminal, lane, mean, p50, max, samples, flagged, available_at FROM rollups ORDER BY level, terminal, lane',
  )
  expect(rows.filter((row) => row['level'] === 'airport')).toEqual([
    {
      level: 'airport',
      terminal: '',
      lane: 'standard',
      mean: 15,
      p50: 15,
      max: 20,
      samples: 3,
      flagged: 1,
      available_at: '2026-11-20T11:00:00Z',
    },
  ])
  expect(
    rows.filter((row) => row['level'] === 'terminal').map((row) => [row['terminal'], row['mean'], row['samples']]),
  ).toEqual([
    ['A', 15, 2],
    ['B', 15, 1],
  ])
  expect(
    rows.filter((row) => row['level'] === 'lane').map((row) => [row['terminal'], row['lane'], row['mean']]),
  ).toContainEqual(['A', 'precheck', 2])
  await warehouse.close()
})

test('an hour without a usable reading has no row', async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [
    reading({ wait_minutes: null, status: 'closed' }),
    reading({ wait_minutes: null, status: 'unknown', checkpoint: '2' }),
  ])
  await rollUp(warehouse)
  expect(await warehouse.query('SELECT * FROM rollups')).toEqual([])
  await warehouse.close()
})

test("of two publishers of one airport and hour the airport's own feed is used", async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [
    reading({ wait_minutes: 8 }),
    reading({ source: 'import-old', wait_minutes: 40, checkpoint: 'X' }),
  ])
  await rollUp(warehouse)
  expect(await warehouse.query("SELECT mean FROM rollups WHERE level = 'airport'")).toEqual([{ mean: 8 }])
  await warehouse.close()
})

test('travellers are used last, after imports and aggregators', async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  const at = (hour: number, source: string, wait_minutes: number) =>
    reading({ source, wait_minutes, observed_at: `2026-11-20T1${hour}:05:00Z` })
  await warehouse.land(readings, [
    at(0, 'crowd', 30),
    at(0, 'fromthetraytable', 20),
    at(0, 'import-old', 10),
    at(1, 'crowd', 30),
    at(1, 'fromthetraytable', 20),
    at(2, 'crowd', 30),
  ])
  await rollUp(warehouse)
  const rows = await warehouse.query("SELECT mean, source FROM rollups WHERE level = 'airport' ORDER BY hour")
  expect(rows.map(({ mean, source }) => [mean, source])).toEqual([
    [10, 'import-old'],
    [20, 'fromthetraytable'],
    [30, 'crowd'],
  ])
  await warehouse.close()
})

test('reads files from before sources were stored; their sources are unknown', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, [reading({ wait_minutes: 8 })])
  await rollUp(warehouse)
  const [day] = await listPartitions(join(folder, 'warehouse'), rollups)
  const [file] = livePaths([day!])
  await warehouse.query(
    `COPY (SELECT * EXCLUDE (source) FROM read_parquet('${file}')) TO '${file}.old' (FORMAT parquet)`,
  )
  // Such files have no digest in their names.
  await rename(`${file}.old`, file!.replace(/-[0-9a-f]{16}\.parquet$/, '.parquet'))
  await rm(file!)
  await warehouse.close()
  const again = await openWarehouse(folder)
  expect(await again.query("SELECT mean, source FROM rollups WHERE level = 'airport'")).toEqual([
    { mean: 8, source: null },
  ])
  const now = Date.parse(AT[0])
  expect((await historySeries(again, now)).map(({ sources }) => sources)).toEqual([['unknown']])
  await again.close()
})

test('rolls up only days with newer readings, and repeating it changes nothing', async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [reading(), reading({ observed_at: '2026-11-21T09:00:00Z' })])
  expect(await rollUp(warehouse)).toBe(2)
  const before = await warehouse.query('SELECT * FROM rollups ORDER BY ALL')
  await warehouse.land(readings, [reading({ observed_at: '2026-11-21T09:10:00Z', wait_minutes: 9 })])
  expect(await rollUp(warehouse)).toBe(1)
  expect(await rollUp(warehouse, { all: true })).toBe(2)
  const after = await warehouse.query("SELECT * FROM rollups WHERE date = '2026-11-20' ORDER BY ALL")
  expect(after).toEqual(before.filter((row) => row['date'] === '2026-11-20'))
  await warehouse.close()
})

test('many small landings merge their files as they go, and files replaced long ago are swept though others merged since', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  const day = join(folder, 'warehouse', 'readings', 'kind=security', 'month=2026-11')
  const merged = async () => (await readdir(day).catch(() => [])).filter((name) => name.startsWith('c-')).sort()
  const landings = { count: 0 }
  const landUntilMerged = async (times: number) => {
    while ((await merged()).length < times && landings.count < 200) {
      landings.count += 1
      const capture_id = `capture ${landings.count}`
      const observed_at = new Date(Date.parse('2026-11-20T10:00:00Z') + landings.count * 60_000).toISOString()
      const landed = await warehouse.landByCapture(readings, [reading({ observed_at, capture_id })])
      expect([...landed.values()]).toEqual([1])
    }
  }
  await landUntilMerged(1)
  const [partition] = await listPartitions(warehouse.context.warehouseDir, readings)
  expect(partition && livePaths([partition])).toHaveLength(1)
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const name of await merged()) await utimes(join(day, name), longAgo, longAgo)
  const first = landings.count
  await landUntilMerged(2)
  expect(await warehouse.query('SELECT count(*) AS n, count(DISTINCT capture_id) AS captures FROM readings')).toEqual([
    { n: landings.count, captures: landings.count },
  ])
  // The files of the first merge are swept; those of the second, and its predecessor, are not old enough.
  expect(await warehouse.maintain((context) => sweepReplaced(context, Date.now()))).toBe(first)
  expect((await readdir(day)).length).toBe(landings.count - first + 2)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: landings.count }])
  await warehouse.close()
})

test('compaction leaves the same rows in one sorted file; replaced files are swept only after the grace period', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  for (let minute = 0; minute < 9; minute += 1)
    await warehouse.land(readings, [reading({ observed_at: `2026-11-20T10:0${minute}:00Z` })])
  const before = await warehouse.query('SELECT * FROM readings ORDER BY observed_at')
  expect(await warehouse.maintain((context) => compactTables(context))).toBe(1)
  expect(await warehouse.query('SELECT * FROM readings ORDER BY observed_at')).toEqual(before)
  const day = join(folder, 'warehouse', 'readings', 'kind=security', 'month=2026-11')
  expect(await warehouse.maintain((context) => sweepReplaced(context, Date.now()))).toBe(0)
  // Nine landings, and the merges of four files each that they made on the way.
  expect((await readdir(day)).filter((name) => name.endsWith('.replaced'))).toHaveLength(11)
  expect(await warehouse.maintain((context) => sweepReplaced(context, Date.now() + 3_600_000))).toBe(11)
  expect(await readdir(day)).toEqual([expect.stringMatching(/^c-00000012-d20-[0-9a-f]{16}\.parquet$/)])
  await warehouse.land(readings, [reading({ observed_at: '2026-11-20T11:00:00Z' })])
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 10 }])
  const [partition] = await listPartitions(warehouse.context.warehouseDir, readings)
  expect(partition?.parts.map(({ kind, number }) => `${kind}-${number}`)).toEqual(['c-12', 'p-13'])
  await warehouse.close()
})
