import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { readCases } from '../../values.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'
import { readAll } from './read-all.ts'

/**
 * What an analyst may ask, with the rows of some; what writes; functions that read a file by its name; files of the machine and of
 * the data folder beside the warehouse, however they are spelled; and further statements that are refused, as only what is known
 * to compute or to describe is allowed. `OUT`, `WAREHOUSE` and `FOLDER` stand for places of the test.
 */
const STATEMENTS = readCases<{
  allowed: [sql: string, rows?: string[][]][]
  writes: string[]
  file_readers: string[]
  outside: string[]
  refused: string[]
}>('warehouse/storage/analyst-statements.json')

/** Characters that the engine takes for a space, or that hide the name of a function from a pattern. */
const SPACES = ['', '\u200b', '\u2060', '\ufeff', '\u00a0', '\u3000', ' -- a\r', ' -- a\n', '/* */', '\t', '\v', '\f']
const INNER = ["COPY (SELECT 1) TO ''OUT''", "SELECT * FROM read_text(''/etc/passwd'')"]

const hidden = SPACES.flatMap((space) => [
  ...INNER.map((sql) => `SELECT * FROM query${space}('${sql}')`),
  `SELECT * FROM enable_logging${space}()`,
  `SELECT * FROM${space} read_text${space}('/etc/passwd')`,
  `EXPLAIN${space} ANALYZE${space} COPY (SELECT 1) TO 'OUT'`,
])

const REFUSED = [
  ...STATEMENTS.refused,
  ...hidden,
  ...STATEMENTS.file_readers.map((reader) => `SELECT * FROM ${reader}('FOLDER/key-pepper')`),
  ...STATEMENTS.file_readers.map((reader) => `SELECT (SELECT count(*) FROM ${reader}('/etc/passwd')) FROM readings`),
  ...STATEMENTS.outside.map((path) => `SELECT * FROM read_text('${path}')`),
  ...STATEMENTS.outside.map((path) => `SELECT * FROM '${path}'`),
  ...STATEMENTS.writes,
  ...STATEMENTS.writes.map((sql) => `EXPLAIN ANALYZE ${sql}`),
  ...STATEMENTS.writes.map((sql) => `EXPLAIN ANALYZE VERBOSE ${sql}`),
  ...STATEMENTS.writes.map((sql) => `EXPLAIN VERBOSE ${sql}`),
  ...STATEMENTS.writes.map((sql) => `EXPLAIN (ANALYZE, FORMAT json) ${sql}`),
  ...STATEMENTS.writes.map((sql) => `SELECT 1; ${sql}`),
  ...STATEMENTS.writes.map((sql) => `WITH x AS (${sql}) SELECT * FROM x`),
]

test('typed SQL reads the warehouse, and neither reads nor writes anything else, however it is written', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(readings, [reading()])
  await writeFile(join(folder, 'key-pepper'), 'pepper')
  await warehouse.close()
  const files = async () => (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('scratch'))
  const before = await files()
  const session = await openAnalystSession(folder)
  const places = { OUT: join(folder, 'out'), WAREHOUSE: dataPaths(folder).warehouse, FOLDER: folder }
  const gotThrough: string[] = []
  for (const sql of REFUSED)
    await readAll(
      session,
      sql.replace(/OUT|WAREHOUSE|FOLDER/g, (place) => places[place as keyof typeof places]),
    ).then(
      () => gotThrough.push(sql),
      () => undefined,
    )
  expect(gotThrough).toEqual([])
  await expect(readAll(session, 'PIVOT readings ON kind USING count(*)')).rejects.toThrow('name the values')
  await expect(readAll(session, 'FROM readigs')).rejects.toThrow('there is no table readigs; did you mean readings?')
  await expect(readAll(session, 'FROM pg_settings')).rejects.toThrow('the view pg_settings is not allowed; --unsafe')
  for (const [sql, rows] of STATEMENTS.allowed) {
    const read = await readAll(session, sql)
    if (rows) expect(read, sql).toEqual(rows)
    else expect(read.length, sql).toBeGreaterThan(0)
  }
  await session.close()
  expect(await files()).toEqual(before)
})
