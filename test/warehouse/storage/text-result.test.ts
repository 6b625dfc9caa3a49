import { expect, test } from 'vitest'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'
import { readAll } from './read-all.ts'

async function analyst() {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(readings, [reading({ iata: 'JFK', observed_at: '2026-11-20T03:30:00Z' })])
  await warehouse.close()
  const session = await openAnalystSession(folder)
  const rows = (sql: string, shape?: 'lines') => readAll(session, sql, shape)
  return { session, rows }
}

test('instants end in Z, local times have none, nested values are JSON, and names that repeat are numbered', async () => {
  const { session, rows } = await analyst()
  const result = await session.stream(
    `SELECT observed_at, observed_at AT TIME ZONE 'America/New_York' AS a, DATE '2026-11-20' AS a, 1.0::DOUBLE AS one, 2.5::DOUBLE AS half,
      170141183460469231731687303715884105727::HUGEINT AS huge, [TIMESTAMPTZ '2026-11-20 01:02:03.5Z', NULL] AS list,
      {x: 'a"b', y: NULL} AS row, MAP {'k': 1} AS map, NULL AS nothing, true AS yes FROM readings; -- the end`,
  )
  expect(result.columns.map(({ name }) => name)).toEqual([
    'observed_at',
    'a',
    'a_1',
    'one',
    'half',
    'huge',
    'list',
    'row',
    'map',
    'nothing',
    'yes',
  ])
  const cells: (string | null)[] = []
  for await (const chunk of result.chunks) cells.push(...chunk.map(([cell]) => cell ?? null))
  expect(cells).toEqual([
    '2026-11-20T03:30:00Z',
    '2026-11-19T22:30:00',
    '2026-11-20',
    '1',
    '2.5',
    '170141183460469231731687303715884105727',
    '["2026-11-20T01:02:03.500000Z",null]',
    '{"x":"a\\"b","y":null}',
    '{"k":1}',
    null,
    'true',
  ])
  expect(await rows('EXPLAIN SELECT 1')).not.toHaveLength(0)
  expect(await rows('SELECT 1; SELECT 2')).toEqual([['2']])
  await session.close()
})

test('lines hold the cells, and rows with a text that a spreadsheet or CSV takes for something else come as cells', async () => {
  const { session, rows } = await analyst()
  const sql = `SELECT * FROM (VALUES ('plain text', 1), ('=1+1', 2), ('a,b', 3), ('say "x"', 4), (NULL, -5), ('\u202e', 6), ('', 7)) AS t(word, n)`
  expect(await rows(sql, 'lines')).toEqual([
    ['plain text,1', null],
    [null, '["=1+1","2"]'],
    [null, '["a,b","3"]'],
    [null, '["say \\"x\\"","4"]'],
    [',-5', null],
    [null, '["\u202e","6"]'],
    [',7', null],
  ])
  await session.close()
})

test('airports and sources are there to join with, and rows have the local time of their airport', async () => {
  const { session, rows } = await analyst()
  expect(
    await rows(
      `SELECT city, local_time, local_hour, local_weekday, (SELECT count(*) > 50 FROM sources WHERE active) FROM readings JOIN airports USING (iata)`,
    ),
  ).toEqual([['New York', '2026-11-19T22:30:00', '22', '4', 'true']])
  await session.close()
})

test('a result is read a few rows at a time, and its reader may end early', async () => {
  const { session, rows: rowsOf } = await analyst()
  const { chunks } = await session.stream('SELECT range AS n FROM range(100000000000)')
  let rows = 0
  for await (const [column] of chunks) {
    rows += column!.length
    if (rows > 10_000) break
  }
  expect(rows).toBeLessThan(20_000)
  expect(await rowsOf('SELECT 1 AS one')).toEqual([['1']])
  await session.close()
})
