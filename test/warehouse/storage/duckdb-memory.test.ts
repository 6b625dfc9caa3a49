import { expect, test } from 'vitest'
import { engineMemory, openDuckdb, readRows, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test.each([
  [24 * 2 ** 30, '2000MB'],
  [4 * 2 ** 30, '1073MB'],
  [2 ** 30, '268MB'],
  [2 ** 28, '128MB'],
])('of %i bytes an engine may fill a quarter, 2 GB at most: %s', (bytes, limit) => {
  expect(engineMemory(2e9, bytes)).toBe(limit)
})

test('an engine is opened with its limit', async () => {
  const engine = await openDuckdb(await temporaryFolder(), { memory: engineMemory(2e9, 2 ** 30), spill: '2GB' })
  const [row] = await withConnection(engine, (connection) =>
    readRows<{ limit: string }>(connection, `SELECT current_setting('memory_limit') AS "limit"`),
  )
  engine.closeSync()
  expect(row).toEqual({ limit: '255.5 MiB' })
})
