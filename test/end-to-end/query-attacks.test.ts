import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { endWithTest } from '../child-process.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { makeFolder } from '../kept-folder.ts'
import { reading } from '../warehouse/test-rows.ts'
import { alive, CLI, holdshort, until } from './installation.ts'

/** SQL of strangers: what got through earlier designs of `query`, and what is like it. */
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

/** Characters that the engine takes for a space, or that hide the name of a function from a pattern. */
const SPACES = ['\u200b', '\u2060', '\ufeff', '\u00a0', '\u3000', ' -- a\r', ' -- a\n', '/* */', '\t', '\v', '\f']
const INNER = ["COPY (SELECT 1) TO ''OUT''", "SELECT * FROM read_text(''/etc/passwd'')"]

const hidden = SPACES.flatMap((space) => [
  ...INNER.map((sql) => `SELECT * FROM query${space}('${sql}')`),
  `SELECT * FROM enable_logging${space}()`,
  `SELECT * FROM${space} read_text${space}('/etc/passwd')`,
  `EXPLAIN${space} ANALYZE${space} COPY (SELECT 1) TO 'OUT'`,
])

const WRITES = [
  "COPY (SELECT 1) TO 'OUT'",
  "COPY readings TO 'OUT' (FORMAT parquet)",
  'INSERT INTO airports SELECT * FROM airports',
  'INSERT INTO warehouse.main.readings SELECT * FROM warehouse.main.readings',
  'DELETE FROM warehouse.main.readings',
  "UPDATE warehouse.main.readings SET iata = 'JFK'",
  'CREATE TABLE t AS SELECT 1',
  'CREATE OR REPLACE TABLE warehouse.main.readings AS SELECT 1',
  'DROP TABLE warehouse.main.readings',
  'ALTER TABLE warehouse.main.readings DROP COLUMN iata',
  "ATTACH 'OUT'",
  'DETACH warehouse',
  "EXPORT DATABASE 'OUT'",
  'CHECKPOINT warehouse',
  'FORCE CHECKPOINT warehouse',
  'SET memory_limit = 0',
  "SET GLOBAL temp_directory = 'OUT'",
  'RESET lock_configuration',
  "PRAGMA enable_profiling = 'json'",
  "PRAGMA profiling_output = 'OUT'",
  "CALL enable_logging(storage => 'file', storage_path => 'OUT')",
  'CREATE SECRET (TYPE s3)',
  'CREATE PERSISTENT SECRET s (TYPE http)',
  'INSTALL httpfs',
  'LOAD httpfs',
  'UPDATE EXTENSIONS',
  'PREPARE p AS SELECT 1',
  'MERGE INTO airports USING sources ON false WHEN NOT MATCHED THEN INSERT DEFAULT VALUES',
]

const REFUSED = [
  ...hidden,
  ...WRITES,
  ...WRITES.map((sql) => `EXPLAIN ANALYZE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN ANALYZE VERBOSE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN VERBOSE ${sql}`),
  ...WRITES.map((sql) => `EXPLAIN (ANALYZE, FORMAT json) ${sql}`),
  ...WRITES.map((sql) => `SELECT 1; ${sql}`),
  ...WRITES.map((sql) => `WITH x AS (${sql}) SELECT * FROM x`),
  'WITH x AS (INSERT INTO airports SELECT * FROM airports RETURNING 1) SELECT * FROM x',
  'SELECT * FROM enable_profiling()',
  'SELECT * FROM enable_logging()',
  'FROM enable_logging()',
  'DESCRIBE FROM enable_logging()',
  'SUMMARIZE FROM enable_logging()',
  'SELECT (SELECT count(*) FROM enable_logging())',
  'SELECT * FROM readings, LATERAL (SELECT * FROM enable_logging())',
  'SELECT * FROM readings WHERE EXISTS (FROM enable_logging())',
  'PIVOT (FROM enable_logging()) ON 1 IN (1)',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_secrets(redact = false)',
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_temporary_files()',
  "SELECT * FROM which_secret('s3://x', 's3')",
  "SELECT current_setting('s3_secret_access_key')",
  "SELECT list_transform(['HOME'], lambda x: getenv(x))",
  "SELECT 'HOME'.getenv()",
  'SELECT "GetEnv"(\'HOME\')',
  "SELECT * FROM query_table('readings')",
  "SELECT * FROM query_table(['key-pepper'])",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM postgres_query('warehouse', 'SELECT 1')",
  "SELECT * FROM postgres_execute('warehouse', 'SELECT 1')",
  "SELECT * FROM pragma_storage_info('readings')",
  "SELECT * FROM sniff_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT * FROM 'https://example.org/x.parquet'",
  "SELECT * FROM 'OUT/*.parquet'",
  'SELECT * FROM "x.csv"',
  "SELECT * FROM glob('*')",
  "SELECT write_log('x')",
  'SELECT * FROM force_checkpoint()',
  'SELECT * FROM checkpoint()',
  "SELECT * FROM ducklake_snapshots('warehouse')",
]

const ALLOWED = [
  'SELECT count(*) FROM readings',
  'FROM readings',
  'DESCRIBE readings',
  'SUMMARIZE readings',
  'SHOW TABLES',
  'VALUES (1, 2)',
  'EXPLAIN SELECT count(*) FROM readings',
  'EXPLAIN ANALYZE SELECT count(*) FROM readings',
  "PIVOT readings ON kind IN ('security') USING count(*) GROUP BY iata",
  'WITH RECURSIVE x AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM x WHERE a < 3) SELECT * FROM x',
  "SELECT * FROM rollups_as_of('2026-11-20T14:00:00Z')",
  'SELECT r.iata, a.name FROM readings r JOIN airports a USING (iata)',
  "SELECT unnest([1, 2]), strftime(observed_at, '%Y'), observed_at AT TIME ZONE 'America/New_York' FROM readings",
  'SELECT * FROM duckdb_tables()',
  'SELECT 1; SELECT 2; -- the end',
]

test('statements that do more than read the warehouse are refused, however they are written', async () => {
  const before = await readdir(folder, { recursive: true })
  const session = await openAnalystSession(folder)
  const read = async (sql: string) => {
    const { chunks } = await session.stream(sql)
    for await (const _chunk of chunks);
  }
  const gotThrough: string[] = []
  for (const sql of REFUSED)
    await read(sql.replaceAll('OUT', join(folder, 'out'))).then(
      () => gotThrough.push(sql),
      () => undefined,
    )
  expect(gotThrough).toEqual([])
  for (const sql of ALLOWED) await expect(read(sql), sql).resolves.toBeUndefined()
  await session.close()
  const after = (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('scratch'))
  expect(after).toEqual(before.filter((path) => !path.startsWith('scratch')))
  const warehouse = await openWarehouse(folder)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  await warehouse.close()
})

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
  expect(refusal?.message).toMatch(/held by process \d+ \(holdshort query\), at least since/)
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
