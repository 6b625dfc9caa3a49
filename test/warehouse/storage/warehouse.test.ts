import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { backtests } from '../../../warehouse/tables/forecasts.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { backtest, reading } from '../test-rows.ts'

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

test('closing waits for what is under way, and begins nothing else', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const writing = warehouse.write(async ({ connection }) => {
    begin()
    await sleep(50)
    const result = await connection.runAndReadAll('SELECT 42 AS answer')
    return result.getRowObjects()[0]
  })
  const waiting = warehouse.land(readings, [reading()])
  const counted = warehouse.query('SELECT count(*)::INTEGER AS rows FROM range(1000)')
  await begun
  await warehouse.close()
  expect(await writing).toEqual({ answer: 42 })
  expect(await waiting).toBe(1)
  expect(await counted).toEqual([{ rows: 1000 }])
  await expect(warehouse.query('SELECT 1')).rejects.toThrow('the warehouse is closed')
  const next = await openWarehouse(folder)
  expect(await next.query('SELECT count(*) AS rows FROM readings')).toEqual([{ rows: 1 }])
  await next.close()
})

test('two that have the warehouse open in one process share it, and the last one closes it', async () => {
  const folder = await temporaryFolder()
  const first = await openWarehouse(folder)
  const second = await openWarehouse(folder)
  const rows = Array.from({ length: 6 }, (_, lane) => reading({ checkpoint: String(lane) }))
  await Promise.all(rows.map((row, k) => (k % 2 ? first : second).land(readings, [row])))
  await first.close()
  expect(await second.query('SELECT count(DISTINCT checkpoint) AS n, count(*) AS rows FROM readings')).toEqual([
    { n: 6, rows: 6 },
  ])
  await second.close()
})

test('a transaction that fails leaves nothing, and what it would have changed is not noted', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [reading()])
  const before = await warehouse.dayChanges(readings)
  const failing = warehouse.write(async ({ connection }) => {
    await connection.run('DELETE FROM readings')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  expect(await warehouse.dayChanges(readings)).toEqual(before)
})

test('what was made of the rows of a table is kept until they or the key change, and a failure is not kept', async () => {
  const warehouse = await newWarehouse()
  let reads = 0
  const models = (key = '') =>
    warehouse.remembered('models', [backtests], key, async () => {
      reads += 1
      return (await warehouse.query<{ model: string }>('SELECT model FROM backtests ORDER BY model')).length
    })
  expect([await models(), await models(), reads]).toEqual([0, 0, 1])
  await warehouse.land(backtests, [backtest({})])
  expect([await models(), await models(), reads]).toEqual([1, 1, 2])
  expect([await models(), await models('another'), reads]).toEqual([1, 1, 3])
  let earlierReads = 0
  const earlier = (before: string) =>
    warehouse.remembered('earlier days', [backtests], '', async () => ++earlierReads, before)
  const { trained_at } = backtest({})
  const day = trained_at.slice(0, 10)
  await earlier(day)
  await warehouse.land(backtests, [backtest({ model: 'another' })])
  expect([await earlier(day), await earlier('9999-01-01')]).toEqual([1, 2])
  await warehouse.land(backtests, [backtest({ model: 'a third' })])
  expect(await earlier('9999-01-01')).toBe(3)
  const fails = () => warehouse.remembered('fails', [rollups], '', () => Promise.reject(new Error('no')))
  await expect(fails()).rejects.toThrow('no')
  expect(await warehouse.remembered('fails', [rollups], '', async () => 'yes')).toBe('yes')
})
