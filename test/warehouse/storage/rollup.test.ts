import { expect, test } from 'vitest'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { replaceCaptures } from '../../../warehouse/storage/write.ts'
import { type Reading, readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { readCases } from '../../values.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

interface RollupCase {
  readings: Partial<Reading>[]
  /** Columns, and the rows of them. */
  columns: string[]
  rows: unknown[][]
}

const CASES = Object.entries(readCases<Record<string, RollupCase>>('warehouse/storage/rollup.json'))
test.each(CASES)('%s', async (_, rollupCase) => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, rollupCase.readings.map(reading))
  await rollUp(warehouse)
  const columns = rollupCase.columns.join(', ')
  const rows = await warehouse.query(`SELECT ${columns} FROM rollups ORDER BY level, hour, terminal, lane`)
  expect(rows.map((row) => rollupCase.columns.map((column) => row[column]))).toEqual(rollupCase.rows)
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
