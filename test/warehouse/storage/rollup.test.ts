import { expect, test } from 'vitest'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { replaceCaptures } from '../../../warehouse/storage/write.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

const AT = ['2026-11-20T10:05:00Z', '2026-11-20T10:25:00Z', '2026-11-20T10:45:00Z'] as const

test('an airport hour is the average over open standard lanes, without closed, flagged and other lanes', async () => {
  const warehouse = await newWarehouse()
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
})

test('an hour without a usable reading has no row', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [
    reading({ wait_minutes: null, status: 'closed' }),
    reading({ wait_minutes: null, status: 'unknown', checkpoint: '2' }),
  ])
  await rollUp(warehouse)
  expect(await warehouse.query('SELECT * FROM rollups')).toEqual([])
})

test("of two publishers of one airport and hour the airport's own feed is used", async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [
    reading({ wait_minutes: 8 }),
    reading({ source: 'import-old', wait_minutes: 40, checkpoint: 'X' }),
  ])
  await rollUp(warehouse)
  expect(await warehouse.query("SELECT mean FROM rollups WHERE level = 'airport'")).toEqual([{ mean: 8 }])
})

test('aggregators are used after imports, and travellers make no hour', async () => {
  const warehouse = await newWarehouse()
  const readingAt = (hour: number, source: string, wait_minutes: number) =>
    reading({ source, wait_minutes, observed_at: `2026-11-20T1${hour}:05:00Z` })
  await warehouse.land(readings, [
    readingAt(0, 'crowd', 30),
    readingAt(0, 'fromthetraytable', 20),
    readingAt(0, 'import-old', 10),
    readingAt(1, 'crowd', 30),
    readingAt(1, 'fromthetraytable', 20),
    readingAt(2, 'crowd', 30),
  ])
  await rollUp(warehouse)
  const rows = await warehouse.query("SELECT mean, source FROM rollups WHERE level = 'airport' ORDER BY hour")
  expect(rows.map(({ mean, source }) => [mean, source])).toEqual([
    [10, 'import-old'],
    [20, 'fromthetraytable'],
  ])
})

test('rolls up only days with newer readings, and repeating it changes nothing', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [reading(), reading({ observed_at: '2026-11-21T09:00:00Z' })])
  expect(await rollUp(warehouse)).toBe(2)
  const before = await warehouse.query('SELECT * FROM rollups ORDER BY ALL')
  await warehouse.land(readings, [reading({ observed_at: '2026-11-21T09:10:00Z', wait_minutes: 9 })])
  expect(await rollUp(warehouse)).toBe(1)
  expect(await rollUp(warehouse, { all: true })).toBe(2)
  const after = await warehouse.query("SELECT * FROM rollups WHERE date = '2026-11-20' ORDER BY ALL")
  expect(after).toEqual(before.filter((row) => row['date'] === '2026-11-20'))
})

test('an hour whose figures stay the same is not written again, whatever the order of its readings', async () => {
  const warehouse = await newWarehouse()
  const rows = Array.from({ length: 60 }, (_, minute) =>
    reading({ observed_at: `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`, wait_minutes: (minute * 7) % 13 }),
  )
  await warehouse.land(readings, rows)
  await rollUp(warehouse)
  const before = await warehouse.dayChanges(rollups)
  await warehouse.write((context) => replaceCaptures(context, readings, ['capture'], rows.toReversed()))
  await warehouse.land(readings, [
    reading({ observed_at: '2026-11-20T10:59:00Z', lane: 'crew', status: 'unknown', wait_minutes: null }),
  ])
  expect(await rollUp(warehouse)).toBe(1)
  const after = await warehouse.dayChanges(rollups)
  expect(after.map(({ number }) => number)).toEqual(before.map(({ number }) => number))
  expect(after.map(({ made_from }) => made_from)).not.toEqual(before.map(({ made_from }) => made_from))
})
