import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

test('returns rows as they were landed, including null and lists', async () => {
  const warehouse = await newWarehouse()
  const row = reading({ wait_minutes: null, wait_minutes_low: 20, wait_text: '> 20', flags: ['frozen_value'] })
  expect(await warehouse.land(readings, [row])).toBe(1)
  const [back] = await warehouse.query(`SELECT ${Object.keys(row).join(', ')} FROM readings`)
  expect(back).toEqual(row)
  expect(readings.row.parse(back)).toEqual(row)
})

test('landing the same rows twice stores them once', async () => {
  const warehouse = await newWarehouse()
  const rows = [reading(), reading({ lane: 'precheck' }), reading({ observed_at: '2026-11-21T00:00:00Z' })]
  expect(await warehouse.land(readings, rows)).toBe(3)
  expect(
    await warehouse.land(
      readings,
      rows.map((row) => ({ ...row, capture_id: 'another' })),
    ),
  ).toBe(0)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 3 }])
})

test('columns returns numbers and instants as typed arrays, NULL as NaN', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [reading(), reading({ lane: 'clear', wait_minutes: null })])
  const columns = await warehouse.columns('SELECT lane, observed_at, wait_minutes FROM readings ORDER BY lane DESC')
  expect(columns['lane']).toEqual(['standard', 'clear'])
  expect(Array.from(columns['observed_at'] as Float64Array)).toEqual([
    Date.parse('2026-11-20T10:05:00Z'),
    Date.parse('2026-11-20T10:05:00Z'),
  ])
  expect(Array.from(columns['wait_minutes'] as Float64Array)).toEqual([7, Number.NaN])
})

test('lands on when somebody has deleted the scratch folder to get space', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [reading()])
  rmSync(dataPaths(warehouse.data_dir).scratch, { recursive: true })
  expect(await warehouse.land(readings, [reading({ checkpoint: '2' })])).toBe(1)
})
