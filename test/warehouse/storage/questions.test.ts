import { expect, test } from 'vitest'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { delays } from '../../../warehouse/tables/delays.ts'
import { QUESTIONS } from '../../../warehouse/tables/questions.ts'
import { type Rollup, rollups } from '../../../warehouse/tables/rollups.ts'
import { runs } from '../../../warehouse/tables/runs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { listed, rollup, run } from '../test-rows.ts'
import { readAll } from './read-all.ts'

const seattle = (mean: number, over: Partial<Rollup> = {}) =>
  rollup(Date.parse('2026-11-20T10:00:00Z'), mean, { iata: 'SEA', source: 'sea-cwt', ...over })

async function analyst() {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(rollups, [
    seattle(9.5333333333),
    seattle(8, { level: 'terminal', terminal: 'B' }),
    seattle(24.4, { kind: 'immigration' }),
  ])
  await warehouse.land(delays, [
    listed('2026-11-20T10:00:00Z'),
    listed('2026-11-20T10:05:00Z'),
    listed('2026-11-20T10:10:00Z', { average_minutes: 45, max_minutes: 90 }),
    listed('2026-11-20T14:00:00Z'),
  ])
  await warehouse.land(runs, [run('2026-11-20T14:05:00Z', { source: 'faa-nas-status' })])
  await warehouse.close()
  return openAnalystSession(folder)
}

test('hours of one kind for whole airports count every passenger once; a programme is one row', async () => {
  const session = await analyst()
  expect(await readAll(session, 'SELECT iata, city, mean FROM security_hours')).toEqual([['SEA', 'Seattle', '9.5']])
  expect(await readAll(session, 'SELECT mean FROM immigration_hours')).toEqual([['24.4']])
  const programs = await readAll(
    session,
    'SELECT started_at, ended_at, revisions, average_minutes, max_minutes FROM delay_programs ORDER BY started_at',
  )
  expect(programs).toEqual([
    [expect.anything(), '2026-11-20T10:10:00Z', '1', '45', '90'],
    ['2026-11-20T14:00:00Z', null, '0', '30', null],
  ])
  for (const { name, columns } of QUESTIONS) {
    const described = await readAll(session, `DESCRIBE ${name}`)
    expect(
      described.map(([column, type]) => [column, type!.replace(' WITH TIME ZONE', 'TZ')]),
      name,
    ).toEqual(Object.entries(columns).map(([column, { type }]) => [column, type]))
  }
  const reserved = await readAll(
    session,
    "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'",
  )
  const words = new Set(reserved.flat())
  expect(words.size).toBeGreaterThan(50)
  for (const { columns } of QUESTIONS) for (const column of Object.keys(columns)) expect(words).not.toContain(column)
  await session.close()
})
