import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { run } from '../../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../../warehouse/test-rows.ts'

/** The engine's blocks have this size, after three headers. */
const BLOCK_BYTES = 262_144
const HEADERS_BYTES = 3 * 4_096

/** Flips a bit within the first bytes of a block of a file. */
function flipBit(file: number, block: number): void {
  const at = HEADERS_BYTES + block * BLOCK_BYTES + 5_000
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  writeSync(file, Buffer.from([byte[0]! ^ 16]), 0, 1, at)
}

test('a statement that meets a damaged block ends with the code and the way out of the damage, one that only names it with USAGE', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(
    readings,
    Array.from({ length: 30_000 }, (_, row) =>
      reading({ checkpoint: `c${(row * 7_919) % 30_011}`, terminal: `${row ** 3}`, capture_id: `capture-${row}` }),
    ),
  )
  await warehouse.close()
  const query = async (sql: string) => {
    const { code, stderr } = await run('query', sql, '--data-dir', folder)
    return { code, stderr }
  }
  const readAll = "SELECT max(checkpoint || terminal || capture_id || source || coalesce(wait_text, '')) FROM readings"
  const file = openSync(dataPaths(folder).warehouse_file, 'r+')
  const blocks = Math.floor((fstatSync(file).size - HEADERS_BYTES) / BLOCK_BYTES)
  const met: number[] = []
  // Everyday runs damage blocks until three are met.
  for (let block = 0; block < blocks && (EXHAUSTIVE || met.length < 3); block++) {
    flipBit(file, block)
    const { code, stderr } = await query(readAll)
    flipBit(file, block)
    if (code === 0) continue
    met.push(block)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^WAREHOUSE_CORRUPT: .*run `holdshort repair`/)])
  }
  closeSync(file)
  expect(met.length).toBeGreaterThan(2)
  expect(await query(readAll)).toEqual({ code: 0, stderr: '' })
  for (const sql of ['SELECT checksum FROM readings', "SELECT error('IO Error: Corrupt database file')"])
    expect(await query(sql)).toEqual({ code: 2, stderr: expect.stringMatching(/^USAGE: sql: /) })
}, 120_000)
