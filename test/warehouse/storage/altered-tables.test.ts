import { expect, test } from 'vitest'
import { checkWarehouse } from '../../../bin/doctor/check-folder.ts'
import { runCheck } from '../../../bin/doctor/finding.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { copyWarehouse } from '../../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { json, run } from '../../end-to-end/commands.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { onFile } from '../on-file.ts'
import { reading } from '../test-rows.ts'

const rowsOf = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const instant = new Date(Date.parse('2026-11-21T10:00:00Z') + (from + index) * 1_000).toISOString()
    return reading({
      observed_at: instant,
      fetched_at: instant,
      available_at: instant,
      capture_id: `capture-${from + index}`,
    })
  })

/** A data folder whose warehouse has 40 readings, and its copy 30 of them. */
async function filledFolder(): Promise<string> {
  const folder = await temporaryFolder()
  await using warehouse = await openWarehouse(folder)
  await warehouse.land(readings, rowsOf(0, 30))
  await copyWarehouse(warehouse, dataPaths(folder).warehouse_copy)
  await warehouse.land(readings, rowsOf(100, 10))
  return folder
}

const check = (dataDir: string) =>
  runCheck('warehouse', () => checkWarehouse({ ...readSettings({}), data_dir: dataDir }))

const readingsIn = async (dataDir: string) => {
  await using warehouse = await openWarehouse(dataDir)
  const [row] = await warehouse.query<{ n: number; waits: number }>(
    'SELECT count(*) AS n, count(wait_minutes) AS waits FROM readings',
  )
  return row
}

const ALTER = 'ALTER TABLE f.readings'
const OTHER_TYPE = `${ALTER} ALTER wait_minutes TYPE VARCHAR`

/** What somebody does to tables of ours, what is said of it, and how many readings repair leaves. Everyday runs try the first of each kind. */
const ALTERATIONS: [title: string, sql: string[], says: RegExp, rows: number][] = [
  ['a column of another type', [OTHER_TYPE], /readings\.wait_minutes is VARCHAR in place of \w+/, 40],
  ['a dropped column', [`${ALTER} DROP wait_minutes`], /readings\.wait_minutes is gone/, 30],
  ['a column that may not be empty', [`${ALTER} ALTER source SET NOT NULL`], /not ours on readings: NOT NULL/, 40],
  ['values of another type', [OTHER_TYPE, "UPDATE f.readings SET wait_minutes = 'ten'"], /wait_minutes is VARCHAR/, 30],
  ['a renamed column', [`${ALTER} RENAME wait_minutes TO minutes`], /readings\.wait_minutes is gone/, 30],
  [
    'a column in capitals',
    [`${ALTER} RENAME wait_minutes TO WAIT_MINUTES`],
    /is WAIT_MINUTES DOUBLE in place of DOUBLE/,
    40,
  ],
  ['a dropped table', ['DROP TABLE f.forecasts'], /forecasts is gone/, 30],
  ['a unique index', ['CREATE UNIQUE INDEX one ON f.readings (capture_id)'], /readings: the unique index one/, 40],
]

test.each(ALTERATIONS.slice(0, repetitions(3, ALTERATIONS.length)))(
  '%s in a table of ours is named and repaired',
  async (_title, sql, says, rows) => {
    const folder = await filledFolder()
    for (const statement of sql) await onFile(dataPaths(folder).warehouse_file, statement)
    {
      await using warehouse = await openWarehouse(folder)
      for (const use of [() => warehouse.query('SELECT 1'), () => warehouse.land(readings, rowsOf(200, 1))])
        await expect(use()).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT', message: expect.stringMatching(says) })
    }
    const found = await check(folder)
    expect([found.level, found.says]).toEqual(['wrong', expect.stringContaining('holdshort repair')])
    await json('repair', '--data-dir', folder, '--json')
    expect([await readingsIn(folder), (await check(folder)).level]).toEqual([{ n: rows, waits: rows }, 'ok'])
  },
)

test('repair says what no file has any more', async () => {
  const folder = await filledFolder()
  const { warehouse_file, warehouse_copy } = dataPaths(folder)
  for (const path of [warehouse_file, warehouse_copy]) await onFile(path, 'ALTER TABLE f.readings DROP wait_minutes')
  const { stderr } = await run('repair', '--data-dir', folder)
  expect(stderr).toContain('None of the files has readings.wait_minutes')
  expect([await readingsIn(folder), (await check(folder)).level]).toEqual([{ n: 40, waits: 0 }, 'ok'])
})

test("tables, columns and indexes of the operator's own are no fault", async () => {
  const folder = await filledFolder()
  const { warehouse_file, warehouse_copy } = dataPaths(folder)
  for (const sql of [
    'CREATE TABLE f.mine (x INTEGER PRIMARY KEY)',
    'CREATE VIEW f.seen AS FROM f.mine',
    'ALTER TABLE f.readings ADD COLUMN comment VARCHAR',
    'CREATE INDEX by_capture ON f.readings (capture_id)',
  ])
    await onFile(warehouse_file, sql)
  expect((await check(folder)).level).toBe('ok')
  await using warehouse = await openWarehouse(folder)
  await warehouse.land(readings, rowsOf(200, 5))
  await copyWarehouse(warehouse, warehouse_copy)
  expect(await readingsIn(folder)).toMatchObject({ n: 45 })
})
