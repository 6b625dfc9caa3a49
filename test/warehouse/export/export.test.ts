import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LicenceId } from '../../../config/licences.ts'
import { EXPORTABLE, selectTables, WITHHELD_TABLES } from '../../../warehouse/export/exported-tables.ts'
import { type Manifest, readExportManifest } from '../../../warehouse/export/manifest.ts'
import type { TermsContext } from '../../../warehouse/export/terms.ts'
import { groupRows } from '../../../warehouse/export/write-files.ts'
import { openDuckdb, readRows } from '../../../warehouse/storage/duckdb.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { forecasts } from '../../../warehouse/tables/forecasts.ts'
import { allTables } from '../../../warehouse/tables/index.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { landedAt, reading } from '../test-rows.ts'
import { exportOf } from './export-of.ts'

const LIVE: TermsContext = { simulated: false, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false }
const SIMULATED: TermsContext = { ...LIVE, simulated: true }
const GRANTED: TermsContext = { ...LIVE, grants: new Map<string, LicenceId>([['import', 'CC-BY-4.0']]) }

/** Readings of three airports over two months: of a US authority, of an import, and of a site with unknown terms. */
function someReadings(source: string, iata: string, kind: 'security' | 'immigration' = 'security') {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']
  return days.flatMap((day) =>
    ['09', '10', '11'].flatMap((hour) =>
      [5, 35].map((minute) => {
        const instant = `${day}T${hour}:${String(minute).padStart(2, '0')}:00Z`
        return reading({
          source,
          iata,
          kind,
          ...landedAt(instant),
          wait_minutes: minute === 5 ? 0 : 13,
        })
      }),
    ),
  )
}

async function filled(folder: string): Promise<Warehouse> {
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, [
    ...someReadings('cbp-awt', 'JFK', 'immigration'),
    ...someReadings('import', 'EWR'),
    ...someReadings('sea-cwt', 'SEA'),
  ])
  await rollUp(warehouse)
  return warehouse
}

const exported = (dataDir: string, folder: string, terms = LIVE, names: readonly string[] = ['all']) =>
  exportOf(dataDir, { folder, tables: selectTables(names), terms })

/** Every file below a folder with its bytes, except our own notes about it. */
async function bytesBelow(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const files = names.map(({ parentPath, name }) => join(parentPath, name)).sort()
  const digests = await Promise.all(
    files.map(async (path) => [
      path.slice(folder.length + 1),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ]),
  )
  return new Map(digests.filter(([path]) => !path!.startsWith('.holdshort')) as [string, string][])
}

const manifestIn = async (folder: string): Promise<Manifest> => (await readExportManifest(folder))!

async function sql<R extends object>(statement: string): Promise<R[]> {
  const duckdb = await openDuckdb('/tmp')
  const connection = await duckdb.connect()
  try {
    return await readRows<R>(connection, statement)
  } finally {
    connection.closeSync()
    duckdb.closeSync()
  }
}

describe('an export', () => {
  const world: { dataDir: string; folder: string; close: () => Promise<void> } = {
    dataDir: '',
    folder: '',
    close: () => Promise.resolve(),
  }
  beforeAll(async () => {
    world.dataDir = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
    world.folder = `${world.dataDir}-export`
    const warehouse = await filled(world.dataDir)
    world.close = async () => {
      await warehouse.close()
      await rm(world.dataDir, { recursive: true, force: true })
      await rm(world.folder, { recursive: true, force: true })
    }
    await exported(world.dataDir, world.folder, GRANTED)
  })
  afterAll(() => world.close())

  it('lays a file a month, with its length, digest, rows and span in the manifest', async () => {
    const { files, tables } = await manifestIn(world.folder)
    const paths = files.map(({ path }) => path)
    expect(paths).toContain('data/v1/rollups/year=2026/month=10/rollups-2026-10.parquet')
    expect(paths).toContain('data/v1/airports/EWR.csv')
    for (const { path, table, bytes, sha256, rows, from, to } of files) {
      const content = await readFile(join(world.folder, path))
      expect(content.length).toBe(bytes)
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
      if (path.endsWith('.csv')) continue
      const { time_column } = tables.find(({ name }) => name === table)!
      const [found] = await sql<object>(
        `SELECT count(*) AS rows, min(${time_column}) AS "from", max(${time_column}) AS "to" FROM '${join(world.folder, path)}'`,
      )
      expect(found).toEqual({ rows, from, to })
    }
  })

  it('gives a glob over a table what the view gives, of the sources that may be passed on', async () => {
    const [found] = await sql<{ rows: number; months: number }>(
      `SELECT count(*) AS rows, count(DISTINCT month) AS months FROM '${world.folder}/data/v1/readings/*/*/*.parquet'`,
    )
    expect(found).toEqual({ rows: 48, months: 2 })
  })

  it('leaves out what nobody may pass on, and says which rows and why', async () => {
    const { left_out, sources, withheld_tables } = await manifestIn(world.folder)
    expect(left_out.map(({ table, source, rows }) => [table, source, rows])).toEqual([
      ['open_hours', 'sea-cwt', 12],
      ['readings', 'sea-cwt', 24],
      ['rollups', 'sea-cwt', expect.any(Number)],
    ])
    expect(left_out[0]?.reason).toContain('No licence to pass on the figures of sea-cwt (Port of Seattle)')
    expect(sources.map(({ id, licence, credit }) => [id, licence, credit])).toEqual([
      ['cbp-awt', 'us-government-work', 'U.S. Customs and Border Protection'],
      ['import', 'CC-BY-4.0', 'Imported as "import"'],
    ])
    expect(withheld_tables.map(({ name }) => name)).toContain('runs')
    expect(
      await sql(
        `SELECT * FROM read_parquet('${world.folder}/data/v1/*/*/*/*.parquet', union_by_name = true) WHERE iata = 'SEA'`,
      ),
    ).toEqual([])
  })

  it('sorts by airport, then lane, then time, marks every row and compresses with zstd', async () => {
    const path = `${world.folder}/data/v1/rollups/year=2026/month=11/rollups-2026-11.parquet`
    const rows = await sql<{ iata: string; level: string; lane: string; hour: string; simulated: boolean }>(
      `SELECT iata, level, lane, hour, simulated FROM read_parquet('${path}', file_row_number = true) ORDER BY file_row_number`,
    )
    const keys = rows.map(({ iata, level, lane, hour }) => `${iata} ${level} ${lane} ${hour}`)
    expect(keys).toEqual(keys.toSorted())
    expect(new Set(rows.map(({ simulated }) => simulated))).toEqual(new Set([false]))
    const codecs = await sql(`SELECT DISTINCT compression FROM parquet_metadata('${path}')`)
    expect(codecs).toEqual([{ compression: 'ZSTD' }])
  })

  it('writes a CSV an airport with the clock of the airport', async () => {
    const lines = (await readFile(join(world.folder, 'data/v1/airports/EWR.csv'), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(13)
    expect(lines.slice(0, 2)).toEqual([
      'iata,kind,hour,local_time,mean,p50,p90,max,samples,source,simulated',
      'EWR,security,2026-10-30T09:00:00Z,2026-10-30T05:00:00,6.5,6.5,11.7,13.0,2,import,false',
    ])
  })

  it('writes nothing again when nothing changed', async () => {
    const path = join(world.folder, 'data/v1/rollups/year=2026/month=10/rollups-2026-10.parquet')
    await utimes(path, 1_000, 1_000)
    const before = await bytesBelow(world.folder)
    const report = await exported(world.dataDir, world.folder, GRANTED)
    expect(report).toMatchObject({ written_files: 0, deleted_files: 0 })
    expect((await stat(path)).mtimeMs).toBe(1_000_000)
    expect(await bytesBelow(world.folder)).toEqual(before)
  })

  it('refuses a second export of the same folder at the same time', async () => {
    const both = await Promise.allSettled([
      exported(world.dataDir, world.folder, GRANTED),
      exported(world.dataDir, world.folder, GRANTED),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((both.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason.code).toBe('CONFLICT')
  })
})

it.runIf(EXHAUSTIVE)(
  'makes the same bytes of the same rows: in another folder, after an unrelated landing, from compacted files',
  async () => {
    const [dataDir, first, second, third] = await Promise.all([0, 1, 2, 3].map(temporaryFolder))
    const warehouse = await filled(dataDir!)
    await exported(dataDir!, first!, GRANTED)
    await exported(dataDir!, second!, GRANTED)
    const bytes = await bytesBelow(first!)
    expect(bytes.size).toBeGreaterThan(10)
    expect(await bytesBelow(second!)).toEqual(bytes)

    await warehouse.land(readings, [reading({ source: 'sea-cwt', observed_at: '2026-12-05T10:00:00Z' })])
    await warehouse.land(readings, [reading({ source: 'cbp-awt', iata: 'LAX', observed_at: '2026-11-02T12:00:00Z' })])
    const report = await exported(dataDir!, first!, GRANTED)
    const after = await bytesBelow(first!)
    const changed = [...after].filter(([path, digest]) => bytes.get(path) !== digest).map(([path]) => path)
    expect(changed.filter((path) => path.startsWith('data/'))).toEqual([
      'data/v1/readings/year=2026/month=11/readings-2026-11.parquet',
    ])
    expect(report).toMatchObject({ written_rows: 25, deleted_files: 0 })

    await exported(dataDir!, third!, GRANTED)
    expect(await bytesBelow(third!)).toEqual(after)
    await warehouse.close()
  },
)

it.runIf(EXHAUSTIVE)(
  'marks simulated rows in column, file names, manifest, README and metadata, and leaves none out',
  async () => {
    const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
    const warehouse = await filled(dataDir)
    await exported(dataDir, folder, SIMULATED)
    const manifest = await manifestIn(folder)
    expect(manifest).toMatchObject({ simulated: true, left_out: [] })
    for (const { path } of manifest.files) expect(path).toMatch(/-simulated\.(parquet|csv)$/)
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('**SIMULATED.**')
    const parquet = `${folder}/data/v1/readings/*/*/*.parquet`
    expect(await sql(`SELECT DISTINCT simulated FROM '${parquet}'`)).toEqual([{ simulated: true }])
    const csv = await readFile(join(folder, 'data/v1/airports/SEA-simulated.csv'), 'utf8')
    expect(
      new Set(
        csv
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',').at(-1)),
      ),
    ).toEqual(new Set(['true']))
    await warehouse.close()
  },
)

it.runIf(EXHAUSTIVE)(
  'keeps rows of unknown terms for the own use of the operator, and says that they must not be passed on',
  async () => {
    const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
    const warehouse = await filled(dataDir)
    await exported(dataDir, folder, { ...LIVE, own_use: true })
    const manifest = await manifestIn(folder)
    expect(manifest).toMatchObject({ may_be_passed_on: false, left_out: [] })
    expect(manifest.sources.find(({ id }) => id === 'sea-cwt')).toMatchObject({ licence: null })
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toContain('**Not to be passed on.**')
    await warehouse.close()
  },
)

it.runIf(EXHAUSTIVE)(
  'deletes its own files when they are no longer part of it, and never a file of somebody else',
  async () => {
    const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
    const warehouse = await filled(dataDir)
    await writeFile(join(folder, 'notes.txt'), 'mine')
    await exported(dataDir, folder, GRANTED)
    await writeFile(join(folder, 'data/v1/readings/mine.txt'), 'mine')
    await exported(dataDir, folder, GRANTED, ['rollups'])
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
    expect(await readdir(join(folder, 'data/v1/readings'))).toEqual(['mine.txt'])
    expect((await manifestIn(folder)).tables.map(({ name }) => name)).toEqual(['rollups'])
    await warehouse.close()
  },
)

it.runIf(EXHAUSTIVE)('changes nothing when a file of somebody else is where one of its own would be', async () => {
  const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
  const warehouse = await filled(dataDir)
  const foreign = join(folder, 'data/v1/rollups/year=2026/month=10/rollups-2026-10.parquet')
  await mkdir(dirname(foreign), { recursive: true })
  await writeFile(foreign, 'mine')
  await writeFile(join(folder, 'README.md'), 'my own words')
  await expect(exported(dataDir, folder, GRANTED)).rejects.toThrow(/README\.md.* not of an export; nothing was changed/)
  expect(await readFile(foreign, 'utf8')).toBe('mine')
  expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('my own words')
  expect(existsSync(join(folder, 'manifest.json'))).toBe(false)
  expect(await readdir(folder)).toEqual(['.holdshort-export', 'README.md', 'data'])
  await warehouse.close()
})

it.runIf(EXHAUSTIVE)('writes a file again that was cut or is missing', async () => {
  const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
  const warehouse = await filled(dataDir)
  await exported(dataDir, folder, GRANTED)
  const bytes = await bytesBelow(folder)
  await writeFile(join(folder, 'data/v1/readings/year=2026/month=10/readings-2026-10.parquet'), 'cut')
  await rm(join(folder, 'data/v1/airports/JFK.csv'))
  await rm(join(folder, 'README.md'))
  await exported(dataDir, folder, GRANTED)
  expect(await bytesBelow(folder)).toEqual(bytes)
  await warehouse.close()
})

it('exports forecasts as figures of its own, and knows what to do with every table', async () => {
  const [dataDir, folder] = [await temporaryFolder(), await temporaryFolder()]
  const warehouse = await openWarehouse(dataDir)
  const issued_at = '2026-11-01T00:00:00Z'
  const none = { terminal: '', direction: null, samples: null, p_within_5: 0.5, basis: 'predicted' as const }
  const row = { kind: 'security' as const, iata: 'JFK', issued_at, valid_at: issued_at, p10: 1, p50: 2, p90: 3 }
  await warehouse.land(forecasts, [{ ...row, ...none, model: 'model:JFK@2026-11-01T00Z' }])
  await exported(dataDir, folder)
  const { files } = await manifestIn(folder)
  expect(files.map(({ table, rows, sources }) => [table, rows, sources])).toEqual([['forecasts', 1, []]])
  const decided = [...EXPORTABLE.map(({ table }) => table.name), ...WITHHELD_TABLES.map(({ name }) => name)]
  expect(decided.toSorted()).toEqual(allTables.map(({ name }) => name).toSorted())
  expect(() => selectTables(['runs'])).toThrow(/runs is never exported/)
  expect(() => selectTables(['reading'])).toThrow(/"reading" is not one of readings/)
  await warehouse.close()
})

it('makes row groups larger with the table, within the limits of the engine', () => {
  expect([1, 100_000, 1_000_000, 10_000_000, 1e12].map(groupRows)).toEqual([2_048, 4_096, 12_288, 32_768, 122_880])
})
