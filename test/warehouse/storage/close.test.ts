import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('closing waits for what is under way, so that no write keeps the lock for ever; what waits behind it is refused', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const writing = warehouse.maintain(async ({ connection }) => {
    begin()
    await sleep(50)
    const result = await connection.runAndReadAll('SELECT 42 AS answer')
    return result.getRowObjects()[0]
  })
  const waiting = warehouse.maintain(async () => 'too late').catch((error: Error) => error.message)
  const reading = warehouse.query('SELECT count(*)::INTEGER AS rows FROM range(1000)')
  await begun
  await warehouse.close()
  expect(await writing).toEqual({ answer: 42 })
  expect(await waiting).toBe('the warehouse is closed')
  expect(await reading).toEqual([{ rows: 1000 }])
  await expect(warehouse.query('SELECT 1')).rejects.toThrow('the warehouse is closed')
  const next = await openWarehouse(folder)
  expect(await next.maintain(async () => 'written')).toBe('written')
  await next.close()
})
