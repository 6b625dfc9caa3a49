import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { CATALOGUE_FILE } from '../../warehouse/storage/analyst-views.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { reading } from '../warehouse/test-rows.ts'
import { run } from './commands.ts'

const PROGRAM = projectFile('dist', 'bin', 'holdshort.js')

/** Reads the first bytes of a query's result and then hangs up; returns what the process said and how it ended. */
function hungUp(folder: string, sql: string, format: string): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'query', sql, '--format', format, '--data-dir', folder])
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.stdout.once('data', () => child.stdout.destroy())
    child.on('error', reject)
    child.on('exit', (code) => resolve({ code, stderr }))
  })
}

test.runIf(EXHAUSTIVE)(
  'ends quietly when the reader of a large result does, and leaves nothing behind',
  async () => {
    const folder = await temporaryFolder()
    await (await openWarehouse(folder)).close()
    for (const format of ['table', 'csv', 'json', 'jsonl']) {
      const sql = 'SELECT range AS n, range || $$ rows $$ AS word FROM range(10000000000)'
      expect(await hungUp(folder, sql, format), format).toEqual({ code: 0, stderr: '' })
      expect(
        (await readdir(join(folder, 'scratch'))).filter((name) => !CATALOGUE_FILE.test(name)),
        format,
      ).toEqual([])
    }
  },
  60_000,
)

test('prints many rows in every format, and none', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const data = ['--data-dir', folder]
  const sql = 'SELECT range::INTEGER AS n, NULL AS none, [range] AS list, 0.5 AS half FROM range(5000)'
  const lines = async (format: string) =>
    (await run('query', sql, '--format', format, ...data)).stdout.trim().split('\n')
  const table = await lines('table')
  expect([table.length, table[0], table.at(-1)]).toEqual([5_002, 'n     none  list    half', '(5,000 rows)'])
  const csv = await lines('csv')
  expect([csv.length, csv[0], csv[1]]).toEqual([5_001, 'n,none,list,half', '0,,[0],0.5'])
  const json = JSON.parse((await lines('json')).join('\n')) as unknown[]
  expect([json.length, json[4_999]]).toEqual([5_000, { n: 4_999, none: null, list: [4_999], half: 0.5 }])
  const jsonl = await lines('jsonl')
  expect([jsonl.length, JSON.parse(jsonl[1]!)]).toEqual([5_000, { n: 1, none: null, list: [1], half: 0.5 }])
  const none = 'SELECT 1 AS a WHERE false'
  expect((await run('query', none, ...data)).stdout).toBe('a\n(0 rows)\n')
  expect((await run('query', none, '--format', 'csv', ...data)).stdout).toBe('a\n')
  expect((await run('query', none, '--format', 'json', ...data)).stdout).toBe('[]\n')
  const empty = await run('query', '', ...data)
  expect([empty.code, empty.stderr]).toEqual([2, 'USAGE: sql: is empty\n'])
}, 120_000)

test('a reader that pauses holds up nobody: the warehouse is free while the result waits', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.close()
  const sql = 'SELECT range AS n, repeat($$x$$, 100) AS text FROM range(100000)'
  const pager = spawn(process.execPath, [PROGRAM, 'query', sql, '--format', 'csv', '--data-dir', folder])
  await once(pager.stdout, 'readable')
  const writer = await openWarehouse(folder)
  try {
    expect(await writer.land(readings, [reading()])).toBe(1)
  } finally {
    await writer.close()
  }
  const lines = (await pager.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([100_001, `99999,${'x'.repeat(100)}`])
  expect((await readdir(join(folder, 'scratch'))).filter((name) => !CATALOGUE_FILE.test(name))).toEqual([])
}, 60_000)
