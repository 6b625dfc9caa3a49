import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { endWithTest } from '../child-process.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { makeFolder } from '../kept-folder.ts'
import { reading } from '../warehouse/test-rows.ts'
import { alive, CLI, holdshort, until } from './installation.ts'

const folders = makeFolder()
let folder = ''
beforeAll(async () => {
  folder = await folders.make()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, [reading()])
  await warehouse.close()
  await writeFile(join(folder, 'key-pepper'), 'pepper')
})
afterAll(() => folders.remove())

/** Kilobytes of memory that the child of a command has used at most. */
function childMemory(parent: number): { pid: number; kb: number } | null {
  const children = `/proc/${parent}/task/${parent}/children`
  const pid = existsSync(children) ? Number(readFileSync(children, 'utf8').trim().split(' ')[0]) : 0
  if (!(pid > 0) || !existsSync(`/proc/${pid}/status`)) return null
  const kb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return { pid, kb }
}

/** Runs `query` and watches the memory of its child, and the spill. */
async function attack(sql: string, ...flags: string[]) {
  const child = spawn(process.execPath, [CLI, 'query', sql, '--data-dir', folder, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithTest(child)
  let [stdout, stderr, most_kb] = [0, '', 0]
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.length
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const watch = setInterval(() => {
    most_kb = Math.max(most_kb, childMemory(child.pid ?? 0)?.kb ?? 0)
  }, 20)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  return { code, stdout, stderr, most_mb: Math.round(most_kb / 1_024) }
}

const MAX_MB = 3_600

describe.runIf(EXHAUSTIVE)('a query that takes more than it may', () => {
  test.each([
    ['a text of two thousand million letters', "SELECT repeat('x', 2000000000)"],
    ['many long texts', "SELECT max(repeat('x', 200000000 + range)) FROM range(20)"],
    ['a list of everything', 'SELECT list(range) FROM range(1000000000)'],
    ['a list for each row', 'SELECT list(range(100000000)) FROM range(1000)'],
    ['a join without an end in memory', 'SELECT list(a.range), list(b.range) FROM range(100000000) a, range(1000) b'],
  ])(
    '%s ends with one line, and the command survives it',
    async (_name, sql) => {
      const { code, stdout, stderr, most_mb } = await attack(sql, '--seconds', '60')
      process.stderr.write(`${sql}: exit ${code}, at most ${most_mb} MB, ${stdout} bytes, ${stderr}`)
      expect(most_mb).toBeLessThan(MAX_MB)
      if (code === 0) return
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^USAGE: sql: [^\n]+\n$/)])
      expect(stdout).toBe(0)
    },
    120_000,
  )

  test('a sort that spills ends at the limit of the spill, and leaves nothing', async () => {
    const sql = 'SELECT * FROM (SELECT range, repeat(range::VARCHAR, 40) AS y FROM range(1000000000)) ORDER BY hash(y)'
    const { code, stderr } = await attack(sql, '--seconds', '90')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^USAGE: sql: [^\n]+\n$/)])
    process.stderr.write(stderr)
  }, 180_000)
})

const ENDLESS = 'SELECT count(*) FROM range(100000000000) a, range(1000) b WHERE a.range + b.range = -1'

test('a query without an end is ended after its seconds, holds nobody else up then, and is named while it runs', async () => {
  const ended = attack(ENDLESS, '--seconds', '8')
  const warehouse = await openWarehouse(folder, { waitMs: 100 })
  let refusal: Error | null = null
  // The command needs some time to start.
  for (let attempt = 0; refusal === null && attempt < 70; attempt += 1) {
    refusal = await warehouse.write(async () => null).catch((error: Error) => error)
    await sleep(100)
  }
  expect(refusal?.message).toMatch(/held by process \d+ \(holdshort query\), which runs since \d{4}-/)
  await warehouse.close()
  expect(await ended).toMatchObject({
    code: 2,
    stderr: 'USAGE: sql: the query was ended after 8 seconds; --seconds allows more time\n',
  })
  const after = await openWarehouse(folder, { waitMs: 2_000 })
  expect(await after.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  await after.close()
}, 60_000)

test('a query ends with the command that started it', async () => {
  const child = spawn(process.execPath, [CLI, 'query', ENDLESS, '--data-dir', folder], { stdio: 'ignore' })
  endWithTest(child)
  const pid = await until('the child', () => childMemory(child.pid ?? 0)?.pid ?? null, 20_000)
  await sleep(1_500)
  child.kill('SIGKILL')
  await until('the end of the child', () => !alive(pid), 10_000)
}, 60_000)

test('the command says in one line what it refuses, and a refused path does not abort it', async () => {
  for (const sql of [
    "SELECT * FROM query\u200b('COPY (SELECT 1) TO ''/tmp/x''')",
    "SELECT * FROM query -- a\r('SELECT 1')",
    'SELECT * FROM duckdb_secrets()',
    "SELECT content FROM read_text(['/etc/passwd', '/etc/hostname'])",
    `COPY (SELECT 1) TO '${dataPaths(folder).warehouse}/out.parquet'`,
    `SELECT iata FROM readings WHERE iata IN (SELECT content FROM read_text('${join(folder, 'key-pepper')}'))`,
  ]) {
    const { code, stdout, stderr } = await holdshort(['query', sql, '--data-dir', folder])
    expect([sql, code, stdout]).toEqual([sql, 2, ''])
    expect(stderr).toMatch(/^USAGE: sql: [^\n]+\n$/)
  }
}, 60_000)
