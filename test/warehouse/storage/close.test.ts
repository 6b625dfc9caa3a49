import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

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
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [reading()])
  const before = await warehouse.dayChanges(readings)
  const failing = warehouse.write(async ({ connection }) => {
    await connection.run('DELETE FROM readings')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  expect(await warehouse.dayChanges(readings)).toEqual(before)
  await warehouse.close()
})
