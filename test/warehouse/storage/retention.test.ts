import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { loadSnapshot } from '../../../warehouse/publishing/snapshot/load.ts'
import { hasSnapshot } from '../../../warehouse/publishing/snapshot/names.ts'
import { makeCurrent, sweepSnapshots, writeSnapshot } from '../../../warehouse/publishing/snapshot/write.ts'
import { usedBytes } from '../../../warehouse/storage/housekeeping.ts'
import { ownBytes } from '../../../warehouse/storage/own-files.ts'
import { listCaptures, readCapture, writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { applyRetention, clockDoubt, periodsToDrop } from '../../../warehouse/storage/retention.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { emptyContent } from '../snapshot-content.ts'
import { reading } from '../test-rows.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const day = (age: number) => new Date(NOW - age * DAY_MS).toISOString().slice(0, 10)

test('deletes folders by age first, then the oldest until the rest fits', () => {
  const folder = (age: number, bytes: number) => ({ folder: day(age), ends_ms: NOW - age * DAY_MS, bytes })
  const folders = [folder(1, 100), folder(40, 100), folder(5, 100), folder(2, 100)]
  expect(periodsToDrop(folders, NOW, 30, 1_000).map((f) => f.folder)).toEqual([day(40)])
  expect(periodsToDrop(folders, NOW, 30, 200).map((f) => f.folder)).toEqual([day(40), day(5)])
  expect(periodsToDrop(folders, NOW, 30, 0)).toHaveLength(4)
  expect(periodsToDrop([], NOW, 30, 0)).toEqual([])
})

/** Stores a capture of some days ago. */
const capture = (data_dir: string, body: Buffer, age: number) =>
  writeCapture(data_dir, body, {
    source: 'sea-cwt',
    fetched_at: `${day(age)}T10:00:00Z`,
    url: 'https://example.org/',
    status: 200,
    content_type: null,
    etag: null,
    last_modified: null,
    iata: null,
  })

test('ends where days of hours were made of readings without a usable wait, and so have no rows', async () => {
  const data_dir = await temporaryFolder()
  const warehouse = await newWarehouse(data_dir)
  const closed = { wait_minutes: null, status: 'unknown' as const }
  for (const age of [4, 3, 2, 1])
    await warehouse.land(readings, [reading({ observed_at: `${day(age)}T10:00:00Z`, ...closed })])
  await rollUp(warehouse)
  expect(await warehouse.dayChanges(rollups)).toHaveLength(4)
  const settings = { ...readSettings({}), data_dir, warehouse_bytes: 0 }
  const reports = await applyRetention(warehouse, settings, NOW)
  expect(reports.map(({ class: retention, dropped }) => [retention, dropped])).toEqual([
    ['raw', 0],
    ['readings', 2],
    ['forecasts', 0],
    ['rollups', 0],
  ])
  expect(await warehouse.dayChanges(rollups)).toHaveLength(2)
})

test('hours whose readings were deleted stay when older readings land, unless these say more', async () => {
  const data_dir = await temporaryFolder()
  const warehouse = await newWarehouse(data_dir)
  const old = day(9)
  const minutesOf = (iata: string, waits: number[], source = 'sea-cwt') =>
    waits.map((wait_minutes, at) =>
      reading({ iata, source, wait_minutes, observed_at: `${old}T10:${String(at).padStart(2, '0')}:00Z` }),
    )
  await warehouse.land(readings, [
    ...minutesOf('SEA', [10, 20, 30]),
    ...minutesOf('JFK', [5]),
    ...minutesOf('JFK', [5], 'import'),
  ])
  for (const age of [7, 5, 3, 1]) await warehouse.land(readings, [reading({ observed_at: `${day(age)}T10:00:00Z` })])
  await rollUp(warehouse)
  const derived = async () => {
    const hours = await warehouse.query<{ iata: string; mean: number }>(
      `SELECT iata, mean FROM rollups WHERE level = 'airport' AND date = DATE '${old}' ORDER BY ALL`,
    )
    const counts = await warehouse.query(
      `SELECT (SELECT count(*) FROM open_hours WHERE date = DATE '${old}') AS open, (SELECT count(*) FROM source_waits WHERE date = DATE '${old}') AS by_source`,
    )
    return [Object.fromEntries(hours.map(({ iata, mean }) => [iata, mean])), ...counts]
  }
  const before = [
    { SEA: 20, JFK: 5 },
    { open: 2, by_source: 2 },
  ]
  expect(await derived()).toEqual(before)

  const settings = { ...readSettings({}), data_dir, readings_days: 8 }
  const night = () => applyRetention(warehouse, settings, NOW)
  await night()
  expect(await warehouse.query(`SELECT * FROM readings WHERE date = DATE '${old}'`)).toEqual([])
  await warehouse.land(readings, [...minutesOf('SEA', [90], 'import'), ...minutesOf('LAX', [7], 'import')])
  expect(await rollUp(warehouse)).toBe(1)
  const after = [
    { SEA: 20, JFK: 5, LAX: 7 },
    { open: 3, by_source: 2 },
  ]
  expect(await derived()).toEqual(after)
  expect(await rollUp(warehouse)).toBe(0)
  expect(await rollUp(warehouse, { all: true })).toBe(5)
  expect(await derived()).toEqual(after)

  await night()
  await warehouse.land(readings, minutesOf('SEA', [40, 40, 40, 40], 'import'))
  await rollUp(warehouse)
  expect(await derived()).toEqual([{ ...after[0], SEA: 40 }, after[1]])
})

test.runIf(EXHAUSTIVE)(
  'never retains more than the limits when many times the volume arrives',
  { timeout: 180_000 },
  async () => {
    const data_dir = await temporaryFolder()
    const days = 16
    const settings = { ...readSettings({}), data_dir, raw_bytes: 20_000, warehouse_bytes: 40_000_000 }
    const warehouse = await newWarehouse(data_dir)
    let offered = 0
    let deleted = 0
    for (let age = days; age >= 0; age -= 1) {
      const body = Buffer.from(
        Array.from({ length: 3_000 }, (_, i) => String.fromCharCode(33 + ((i * 7 + age * 13 + i * i) % 90))).join(''),
      )
      offered += (await capture(data_dir, body, age)).bytes
      // Texts that cannot be compressed: a day has some megabytes, and fills a row group, which the engine frees as a whole.
      await warehouse.landSelect(
        readings,
        `SELECT 'security' AS kind, 'sea-cwt' AS source, 'SEA' AS iata, NULL AS terminal, sha256(i::VARCHAR || '${day(age)}') AS checkpoint,
          'standard' AS lane, TIMESTAMPTZ '${day(age)} 10:00:00Z' AS observed_at, 'source' AS observed_at_basis, observed_at AS fetched_at, observed_at AS available_at,
          5 AS wait_minutes, NULL AS wait_minutes_low, NULL AS wait_minutes_high, NULL AS wait_text, 'open' AS status, []::VARCHAR[] AS flags, 'c' AS capture_id FROM range(130000) r(i)`,
      )
      const reports = await applyRetention(warehouse, settings, NOW - age * DAY_MS)
      deleted += reports.find((report) => report.class === 'readings')?.dropped ?? 0
      expect(await ownBytes(data_dir, 'raw')).toBeLessThanOrEqual(settings.raw_bytes)
      expect(await usedBytes(warehouse)).toBeLessThanOrEqual(settings.warehouse_bytes)
      expect(reports.map((report) => report.class)).toEqual(['raw', 'readings', 'forecasts', 'rollups'])
    }
    expect(offered).toBeGreaterThan(2 * settings.raw_bytes)
    const [retained] = await warehouse.query<{ newest: string; n: number }>(
      'SELECT max(observed_at) AS newest, count(*) AS n FROM readings',
    )
    expect(retained?.newest).toBe(`${day(0)}T10:00:00Z`)
    expect(retained?.n).toBe((days + 1) * 130_000 - deleted)
    expect(deleted).toBeGreaterThan(0)
    // Space of deleted rows is used again.
    expect((await stat(dataPaths(data_dir).warehouse_file)).size).toBeLessThan(3 * settings.warehouse_bytes)
  },
)

test('deletes no capture because something else has filled the disk', async () => {
  const data_dir = await temporaryFolder()
  const warehouse = await newWarehouse(data_dir)
  await warehouse.land(readings, [reading()])
  for (const age of [3, 2, 1]) await capture(data_dir, Buffer.from(`body ${age}`), age)
  const settings = { ...readSettings({}), data_dir, min_free_bytes: Number.MAX_SAFE_INTEGER }
  await applyRetention(warehouse, settings, NOW)
  expect(await listCaptures(data_dir)).toHaveLength(3)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
})

test('reads a capture byte for byte and rejects an altered one', async () => {
  const data_dir = await temporaryFolder()
  const body = Buffer.from([0, 10, 255, 123, 10, 34])
  const about = {
    source: 'sea-cwt',
    fetched_at: '2026-11-20T10:00:00Z',
    url: 'https://example.org/',
    status: 200,
    content_type: 'x',
    etag: '"1"',
    last_modified: null,
    iata: 'SEA',
  }
  const head = await writeCapture(data_dir, body, about)
  expect((await writeCapture(data_dir, body, about)).capture_id).toBe(head.capture_id)
  const paths = await listCaptures(data_dir, { source: 'sea-cwt' })
  expect(paths).toHaveLength(1)
  const back = await readCapture(paths[0] ?? '')
  expect({ ...back, body: Buffer.from(back.body) }).toEqual({ ...head, body })
  const content = gunzipSync(await readFile(paths[0] ?? ''))
  content[content.length - 1] = 0
  await writeFile(paths[0] ?? '', gzipSync(content))
  await expect(readCapture(paths[0] ?? '')).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
})

test('deletes old snapshots and retains the current one under any limit', async () => {
  const folder = await temporaryFolder()
  const { snapshots } = dataPaths(folder)
  for (const minute of ['00', '01', '02', '03'])
    await writeSnapshot(snapshots, emptyContent(`2026-11-20T10:${minute}:00Z`))
  expect(await sweepSnapshots(folder, 2, 1e9)).toBe(2)
  expect(await sweepSnapshots(folder, 5, 1)).toBe(1)
  expect((await readdir(snapshots)).sort()).toEqual(['20261120T100300Z', 'CURRENT'])
})

test('retains a snapshot that is about to become the current one, and deletes one of a clock that was ahead', async () => {
  const folder = await temporaryFolder()
  const { snapshots } = dataPaths(folder)
  await writeSnapshot(snapshots, emptyContent('2026-11-20T10:00:00Z'))
  const written: number[] = []
  const sweepWhilePublishing = async () => void written.push(await sweepSnapshots(folder, 5, 1e9))
  await writeSnapshot(snapshots, emptyContent('2026-11-20T10:01:00Z'), sweepWhilePublishing)
  expect(written).toEqual([0])
  expect(await loadSnapshot(snapshots)).toMatchObject({ id: '20261120T100100Z' })
  const ahead = await writeSnapshot(snapshots, emptyContent('2026-12-24T10:00:00Z'))
  await makeCurrent(snapshots, '20261120T100100Z')
  const future = new Date(Date.now() + DAY_MS)
  await utimes(join(snapshots, ahead), future, future)
  expect(await sweepSnapshots(folder, 5, 1e9)).toBe(1)
  expect(await hasSnapshot(snapshots, ahead)).toBe(false)
})

test('deletes nothing by age while the clock disagrees with the stored days, and says so', async () => {
  const data_dir = await temporaryFolder()
  const settings = { ...readSettings({}), data_dir, readings_days: 30 }
  const warehouse = await newWarehouse(data_dir)
  const ages = [36, 33, 30, 27, 24, 21, 18, 15, 12, 9, 6, 3, 2, 1, 0]
  await warehouse.land(
    readings,
    ages.map((age) => reading({ observed_at: `${day(age)}T10:00:00Z` })),
  )
  const count = async () => (await warehouse.query<{ n: number }>('SELECT count(*) AS n FROM readings'))[0]?.n
  const apply = async (now: number) =>
    (await applyRetention(warehouse, settings, now)).find((report) => report.class === 'readings')
  // Three years ahead for some minutes, with the readings that were collected meanwhile.
  const ahead = NOW + 3 * 365 * DAY_MS
  const atAge = (age: number) => reading({ observed_at: new Date(ahead - age * DAY_MS).toISOString() })
  await warehouse.land(readings, [atAge(0)])
  expect(await apply(ahead)).toMatchObject({
    dropped: 0,
    age_limit_off: expect.stringContaining('the clock says 2029'),
  })
  // And for days, so that the last days do hold data: there is still the gap before them.
  await warehouse.land(readings, [1, 2, 3, 4].map(atAge))
  expect(await apply(ahead)).toMatchObject({ dropped: 0, age_limit_off: expect.stringContaining('only 4 days') })
  expect(await apply(NOW - 10 * DAY_MS)).toMatchObject({ dropped: 0, age_limit_off: expect.any(String) })
  expect(await count()).toBe(ages.length + 5)
  // The clock is right again: the two days beyond the limit are deleted, as always.
  expect(await apply(NOW)).toMatchObject({ dropped: 2, age_limit_off: null })
  expect(await count()).toBe(ages.length + 3)
})

test('after a gap the clock is believed when two weeks hold data', () => {
  const ends = (ages: number[]) => ages.map((age) => ({ ends_ms: Math.floor(NOW / DAY_MS) * DAY_MS - age * DAY_MS }))
  const before = ends([200, 201, 202])
  const since = (days: number) => ends(Array.from({ length: days }, (_, age) => age))
  expect(clockDoubt([...before, ...since(13)], NOW)).toContain('only 13 days hold data')
  expect(clockDoubt([...before, ...since(14)], NOW)).toBeNull()
  expect(clockDoubt(since(3), NOW)).toBeNull()
})
