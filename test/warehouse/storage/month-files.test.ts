import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../config/domain.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { compactTables, sweepReplaced } from '../../../warehouse/storage/compact.ts'
import { listFolders, liveAndReplaced, partFileName, partFiles } from '../../../warehouse/storage/layout.ts'
import { quarantinedFiles } from '../../../warehouse/storage/quarantined.ts'
import { replaceCaptures } from '../../../warehouse/storage/replace-captures.ts'
import { applyRetention } from '../../../warehouse/storage/retention.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { type OpenWarehouse, openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const FIRST = Date.parse('2026-09-24T10:00:00Z')
const dayAt = (day: number) => new Date(FIRST + day * DAY_MS).toISOString()
const rowOf = (day: number, minute = 0) =>
  reading({
    observed_at: new Date(FIRST + day * DAY_MS + minute * 60_000).toISOString(),
    capture_id: `c${day}-${minute}`,
    wait_minutes: 10 + (day % 7),
  })

const upkeep = (warehouse: OpenWarehouse) => warehouse.maintain((context) => compactTables(context))
const countOf = async (warehouse: OpenWarehouse, where = 'true') =>
  (await warehouse.query<{ n: number }>(`SELECT count(*) AS n FROM readings WHERE ${where}`))[0]?.n
const rowsIn = (warehouse: OpenWarehouse, table: string) => warehouse.query(`SELECT * FROM ${table} ORDER BY ALL`)

const DAYS = 12
let lived: string

/** As the service runs: landings, rollups and an upkeep each day. */
beforeAll(async () => {
  lived = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
  const warehouse = await openWarehouse(lived)
  for (let day = 0; day < DAYS; day += 1) {
    await warehouse.land(readings, [rowOf(day, 0), rowOf(day, 5)])
    await warehouse.land(readings, [rowOf(day, 10)])
    await warehouse.maintain(async (context) => {
      await compactTables(context)
      await rollUp(context)
    })
  }
  await warehouse.close()
})
afterAll(() => rm(lived, { recursive: true, force: true }))

/** A folder in which the service has run for these days, in two months. */
async function folderAfterDays(): Promise<string> {
  const folder = await temporaryFolder()
  await cp(lived, folder, { recursive: true })
  return folder
}

async function filesOf(warehouse: OpenWarehouse, month: string): Promise<string[]> {
  const folders = await listFolders(warehouse.context.warehouseDir, readings)
  return folders.filter(({ values }) => values['month'] === month).flatMap(({ parts }) => parts.map(({ name }) => name))
}

test('a month is one file once it is over, a running month a handful, and every row is there once', async () => {
  const warehouse = await openWarehouse(await folderAfterDays())
  expect(await filesOf(warehouse, '2026-09')).toEqual([
    expect.stringMatching(/^c-\d{8}-m3f800000-[0-9a-f]{16}\.parquet$/),
  ])
  expect((await filesOf(warehouse, '2026-10')).length).toBeLessThanOrEqual(6)
  expect(await countOf(warehouse)).toBe(DAYS * 3)
  expect(await countOf(warehouse, "date = '2026-09-26'")).toBe(3)
  expect(await warehouse.query("SELECT count(*) AS n FROM rollups WHERE level = 'airport' AND samples = 3")).toEqual([
    { n: DAYS },
  ])
  // What was derived from a day stays current when the day becomes part of the file of its month.
  expect(await warehouse.maintain((context) => rollUp(context))).toBe(0)
  const globbed = await warehouse.query(
    `SELECT count(*) AS n FROM read_parquet('${warehouse.data_dir}/warehouse/readings/**/*.parquet', hive_partitioning = true)`,
  )
  expect(globbed).toEqual([{ n: DAYS * 3 }])
  await warehouse.close()
})

test('rows that arrive late, replays and corrections reach the days of a month that is one file', async () => {
  const warehouse = await openWarehouse(await folderAfterDays())
  expect(await warehouse.land(readings, [rowOf(2, 0), rowOf(2, 20)])).toBe(1)
  expect(await countOf(warehouse, "date = '2026-09-26'")).toBe(4)
  expect(await warehouse.maintain((context) => rollUp(context))).toBe(1)
  const samples = () =>
    warehouse.query(
      `SELECT samples FROM rollups WHERE level = 'airport' AND hour = date_trunc('hour', TIMESTAMPTZ '${dayAt(2)}')`,
    )
  expect(await samples()).toEqual([{ samples: 4 }])
  await warehouse.maintain((context) => replaceCaptures(context, readings, ['c2-0', 'c3-5'], [rowOf(3, 40)]))
  await warehouse.refresh()
  expect(await countOf(warehouse)).toBe(DAYS * 3 + 1 - 2 + 1)
  expect(await warehouse.maintain((context) => rollUp(context))).toBe(2)
  expect(await samples()).toEqual([{ samples: 3 }])
  const before = [await rowsIn(warehouse, 'readings'), await rowsIn(warehouse, 'rollups')]
  await warehouse.maintain((context) => rollUp(context, { all: true }))
  await upkeep(warehouse)
  await warehouse.maintain((context) => sweepReplaced(context, Date.now() + 3_600_000))
  await warehouse.refresh()
  expect([await rowsIn(warehouse, 'readings'), await rowsIn(warehouse, 'rollups')]).toEqual(before)
  expect(await filesOf(warehouse, '2026-09')).toHaveLength(1)
  await warehouse.close()
})

test('retention deletes the first days of a month and leaves the others and what was derived from them', async () => {
  const folder = await folderAfterDays()
  const warehouse = await openWarehouse(folder)
  const settings = { ...readSettings({}), data_dir: folder, readings_days: 6, min_free_bytes: 1 }
  const now = FIRST + 11 * DAY_MS
  const [, report] = await warehouse.maintain((context) => applyRetention(context, settings, now))
  expect(report).toMatchObject({ class: 'readings', dropped: 5, age_limit_off: null })
  await warehouse.refresh()
  expect(await warehouse.query('SELECT min(date) AS first, count(*) AS n FROM readings')).toEqual([
    { first: '2026-09-29', n: 7 * 3 },
  ])
  expect(await warehouse.maintain((context) => rollUp(context))).toBe(0)
  expect(await warehouse.query("SELECT count(*) AS n FROM rollups WHERE level = 'airport'")).toEqual([{ n: DAYS }])
  expect(await warehouse.maintain((context) => applyRetention(context, settings, now))).toMatchObject([
    {},
    { dropped: 0 },
    {},
    {},
  ])
  await warehouse.close()
})

test('a damaged file of a month goes to quarantine with its days, which land again', async () => {
  const folder = await folderAfterDays()
  const warehouse = await openWarehouse(folder)
  const [file = ''] = await filesOf(warehouse, '2026-09')
  await warehouse.close()
  await writeFile(join(dataPaths(folder).warehouse, 'readings', 'kind=security', 'month=2026-09', file), 'cut')
  const again = await openWarehouse(folder)
  expect(await quarantinedFiles(folder)).toEqual([`readings/kind=security/month=2026-09/${file}`])
  expect(await again.query('SELECT min(date) AS first FROM readings')).toEqual([{ first: '2026-10-01' }])
  expect(await again.land(readings, [rowOf(3), rowOf(4)])).toBe(2)
  await again.close()
})

test('a folder of an earlier release, which had a folder for each day, is taken over with every row and fact', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  for (const day of [0, 1, 2]) await warehouse.land(readings, [rowOf(day), rowOf(day, 5)])
  await warehouse.land(readings, [rowOf(1, 10)])
  await warehouse.maintain((context) => rollUp(context))
  const rows = [await rowsIn(warehouse, 'readings'), await rowsIn(warehouse, 'rollups')]
  await warehouse.close()
  const { warehouse: warehouseDir } = dataPaths(folder)
  for (const table of [readings, rollups])
    for (const { folder: month, parts } of await listFolders(warehouseDir, table))
      for (const { name, kind, number, digest, days } of parts) {
        const day = join(month, '..', `date=2026-09-${days?.[0]}`)
        await mkdir(join(day, 'w-00000009'), { recursive: true })
        await rename(join(month, name), join(day, partFileName(kind, number, digest)))
      }
  const again = await openWarehouse(folder)
  expect([await rowsIn(again, 'readings'), await rowsIn(again, 'rollups')]).toEqual(rows)
  expect(await again.maintain((context) => rollUp(context))).toBe(0)
  expect(await readdir(join(warehouseDir, 'readings', 'kind=security'))).toEqual(['month=2026-09'])
  await again.close()
})

test('every file of a folder is live or replaced by a live one, whatever their order', () => {
  const days = fc.oneof(
    fc.constant(null),
    fc.integer({ min: 1, max: 4 }).map((day) => ({ day })),
    fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((month) => ({ month: month.sort() })),
  )
  const file = fc
    .record({ kind: fc.constantFrom('p' as const, 'c' as const), number: fc.integer({ min: 1, max: 9 }), days })
    .map(({ kind, number, days: of }) => partFileName(of && 'month' in of ? 'c' : kind, number, null, of))
  fc.assert(
    fc.property(fc.uniqueArray(file, { maxLength: 12, selector: (name) => name.slice(0, 10) }), (names) => {
      const parts = partFiles(names)
      expect(parts.map(({ name }) => name).sort()).toEqual([...names].sort())
      const { live, replaced } = liveAndReplaced(parts)
      expect([...live, ...replaced].sort(byName)).toEqual([...parts].sort(byName))
      // Sweeping what was replaced changes nothing, and no day has rows in two files of months.
      expect(liveAndReplaced(live)).toEqual({ live, replaced: [] })
      expect(live.filter(({ isMonth }) => isMonth).length).toBeLessThanOrEqual(1)
      for (const newest of live.filter(({ kind, isMonth }) => kind === 'c' && !isMonth))
        for (const other of live.filter(({ isMonth }) => !isMonth))
          if (String(other.days) === String(newest.days)) expect(other.number).toBeGreaterThanOrEqual(newest.number)
    }),
    { numRuns: repetitions(100, 1_000) },
  )
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
