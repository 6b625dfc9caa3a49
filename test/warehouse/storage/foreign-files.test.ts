import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { checkDataFolder, checkWarehouse } from '../../../bin/doctor/check-folder.ts'
import { runCheck } from '../../../bin/doctor/finding.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { DAY_MS, isoUtc } from '../../../config/vocabulary.ts'
import { CATALOG } from '../../../warehouse/storage/catalog.ts'
import { openDuckdb, readRows, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { copyWarehouse, keepHouse } from '../../../warehouse/storage/housekeeping.ts'
import { keptCopies, lossText, warehouseFault } from '../../../warehouse/storage/kept-copies.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { deleteUntil, replaceDays } from '../../../warehouse/storage/write.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { json, run } from '../../end-to-end/commands.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { onFile } from '../on-file.ts'
import { landedAt, reading } from '../test-rows.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')

const rowsOf = (from: number, count: number, day = 0) =>
  Array.from({ length: count }, (_, index) => {
    const instant = isoUtc(NOW + day * DAY_MS + (from + index) * 1_000)
    return reading({
      ...landedAt(instant),
      capture_id: `capture-${day}-${from + index}`,
    })
  })

const countIn = async (dataDir: string) => {
  await using warehouse = await openWarehouse(dataDir)
  const [row] = await warehouse.query<{ n: number }>('SELECT count(*) AS n FROM readings')
  return row!.n
}

/** A data folder with so many readings, closed. */
async function folderWith(count: number): Promise<string> {
  const folder = await temporaryFolder()
  await using warehouse = await openWarehouse(folder)
  await warehouse.land(readings, rowsOf(0, count))
  await copyWarehouse(warehouse, dataPaths(folder).warehouse_copy)
  return folder
}

const check = (dataDir: string) =>
  runCheck('warehouse', () => checkWarehouse({ ...readSettings({}), data_dir: dataDir }))

/** What another process finds beside a file while its last rows are in the log only. */
async function withLogCopied(dataDir: string, target: string, land: (warehouse: Warehouse) => Promise<unknown>) {
  const { warehouse_file } = dataPaths(dataDir)
  await using warehouse = await openWarehouse(dataDir)
  await warehouse.checkpoint()
  await warehouse.write(async ({ connection }) => {
    // The log of the landing must stay where it is until it is copied.
    await connection.run("SET GLOBAL checkpoint_threshold = '1GB'")
  })
  await warehouse.query('SELECT 1')
  await land(warehouse)
  for (const end of ['', '.wal']) execFileSync('cp', [`${warehouse_file}${end}`, `${target}${end}`])
}

const EMPTY_FILES: Record<string, string> = {
  'an empty database': 'SELECT 1',
  'a database with tables of somebody else': 'CREATE TABLE f.t AS SELECT 1 AS x',
  'a database with some tables of ours by name': 'CREATE TABLE f.readings (x INTEGER)',
}

test.each(Object.entries(EMPTY_FILES).slice(0, repetitions(1, 3)))(
  '%s in the place of the warehouse is refused, named and repaired',
  async (_name, sql) => {
    const folder = await folderWith(30)
    const { warehouse_file, warehouse_copy, warehouse } = dataPaths(folder)
    const copyBefore = await readFile(warehouse_copy)
    await rm(warehouse_file)
    await onFile(warehouse_file, sql)
    for (const access of ['read', 'write'] as const) {
      await using opened = await openWarehouse(folder)
      const used = access === 'read' ? opened.query('SELECT 1') : opened.land(readings, rowsOf(100, 1))
      await expect(used).rejects.toMatchObject({ code: 'WAREHOUSE_FOREIGN' })
      await expect(keepHouse(opened, Date.now() + 2 * DAY_MS)).rejects.toMatchObject({ code: 'WAREHOUSE_FOREIGN' })
    }
    expect((await readFile(warehouse_copy)).equals(copyBefore)).toBe(true)
    const { level, says } = await check(folder)
    expect([level, says]).toEqual(['wrong', expect.stringMatching(/WAREHOUSE_FOREIGN.*holdshort repair/s)])
    expect(await json('repair', '--data-dir', folder, '--json')).toMatchObject({ damaged: true, lost: {} })
    expect(await countIn(folder)).toBe(30)
    expect((await readdir(warehouse)).some((name) => name.startsWith('damaged-'))).toBe(true)
    expect((await check(folder)).level).toBe('ok')
  },
)

test('the warehouse of another installation is refused, and taken when the operator says so', async () => {
  const [folder, other] = [await folderWith(30), await folderWith(50)]
  const { warehouse_file } = dataPaths(folder)
  await copyFile(dataPaths(other).warehouse_file, warehouse_file)
  expect((await check(folder)).says).toContain('WAREHOUSE_FOREIGN')
  const { code, stderr } = await run('repair', '--data-dir', folder, '--dry-run')
  expect([code, stderr]).toEqual([0, expect.stringContaining('30 rows: the copy of')])
  expect((await check(folder)).says).toContain('WAREHOUSE_FOREIGN')
  await json('repair', '--from', warehouse_file, '--data-dir', folder, '--json')
  expect(await countIn(folder)).toBe(50)
  expect((await check(folder)).level).toBe('ok')
})

/** Makes the file what earlier versions made: the engine's oldest format, without a mark. */
async function asEarlier(dataDir: string): Promise<void> {
  const { warehouse_file, warehouse_mark } = dataPaths(dataDir)
  const old = `${warehouse_file}.old`
  const engine = await openDuckdb('/tmp')
  await withConnection(engine, async (connection) => {
    await connection.run(`ATTACH '${warehouse_file}' AS f (READ_ONLY); ATTACH '${old}' AS o`)
    await connection.run('COPY FROM DATABASE f TO o; DROP TABLE o.installation; CHECKPOINT o; DETACH o; DETACH f')
  })
  engine.closeSync()
  await rm(warehouse_file)
  await copyFile(old, warehouse_file)
  await rm(old)
  await rm(warehouse_mark, { force: true })
}

const formatOf = async (path: string) =>
  JSON.stringify(
    await onFile(path, "SELECT tags::VARCHAR AS t FROM duckdb_databases() WHERE database_name = 'f'", ' (READ_ONLY)'),
  )

test('a file of an earlier version is read as it is, and gets its mark and its format when somebody writes', async () => {
  const folder = await folderWith(30)
  const { warehouse_file, warehouse_mark, warehouse_copy } = dataPaths(folder)
  await asEarlier(folder)
  expect(await formatOf(warehouse_file)).toContain('v1.0.0')
  expect(await countIn(folder)).toBe(30)
  expect([(await check(folder)).level, existsSync(warehouse_mark)]).toEqual(['ok', false])
  {
    await using warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsOf(100, 5))
    await copyWarehouse(warehouse, warehouse_copy)
  }
  expect([await countIn(folder), existsSync(warehouse_mark)]).toEqual([35, true])
  expect(await formatOf(warehouse_file)).toContain('v1.4.0')
  expect(await formatOf(warehouse_copy)).toContain('v1.4.0')
})

test('an earlier file without rows is refused where rows were collected, and adopted where none were', async () => {
  const folder = await folderWith(0)
  await rm(dataPaths(folder).warehouse_copy)
  await asEarlier(folder)
  expect((await check(folder)).level).toBe('ok')
  await copyFile(dataPaths(await folderWith(3)).warehouse_copy, dataPaths(folder).warehouse_copy)
  expect((await check(folder)).says).toContain('WAREHOUSE_FOREIGN')
})

test('a log of an earlier state is refused, and repair doubles and loses no row', async () => {
  const folder = await folderWith(30)
  const { warehouse_file } = dataPaths(folder)
  const saved = `${await temporaryFolder()}/saved`
  await withLogCopied(folder, saved, (warehouse) => warehouse.land(readings, rowsOf(100, 20)))
  expect(await countIn(folder)).toBe(50)
  {
    await using warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsOf(200, 10))
  }
  await copyFile(`${saved}.wal`, `${warehouse_file}.wal`)
  const { level, says } = await check(folder)
  expect([level, says]).toEqual([
    'wrong',
    expect.stringMatching(/WAREHOUSE_LOG_MISMATCH.*another state.*holdshort repair/s),
  ])
  const report = await json<{ lost: object; taken: string }>('repair', '--data-dir', folder, '--json')
  expect(report).toMatchObject({ lost: {}, taken: expect.stringContaining('the file without its log') })
  expect(await countIn(folder)).toBe(60)
  expect((await check(folder)).level).toBe('ok')
})

test('a log of another file is refused', async () => {
  const [folder, other] = [await folderWith(30), await folderWith(40)]
  const saved = `${await temporaryFolder()}/saved`
  await withLogCopied(other, saved, (warehouse) => warehouse.land(readings, rowsOf(100, 20)))
  await copyFile(`${saved}.wal`, `${dataPaths(folder).warehouse_file}.wal`)
  const { says } = await check(folder)
  expect(says).toMatch(/WAREHOUSE_LOG_MISMATCH.*another file/s)
  await json('repair', '--data-dir', folder, '--json')
  expect(await countIn(folder)).toBe(30)
})

test('repair goes on from a sound file without its damaged log, not from an older copy', async () => {
  const folder = await folderWith(30)
  const { warehouse_file, warehouse } = dataPaths(folder)
  {
    await using opened = await openWarehouse(folder)
    await opened.land(readings, rowsOf(100, 70))
  }
  const saved = `${await temporaryFolder()}/saved`
  await withLogCopied(folder, saved, (opened) => opened.land(readings, rowsOf(300, 20)))
  const log = await readFile(`${saved}.wal`)
  log[Math.floor(log.length / 2)]! ^= 1
  await copyFile(saved, warehouse_file)
  await writeFile(`${warehouse_file}.wal`, log)
  expect((await check(folder)).level).toBe('wrong')
  const { stdout, stderr } = await run('repair', '--data-dir', folder, '--json')
  expect(stderr).toMatch(/100 rows: the file without its log.*30 rows: the copy.*0 rows: the captures alone/s)
  expect(JSON.parse(stdout)).toMatchObject({ copied_rows: expect.any(Number), lost: {} })
  expect(await countIn(folder)).toBe(100)
  const kept = (await readdir(warehouse)).filter((name) => name.startsWith('damaged-'))
  expect(kept.toSorted().map((name) => name.replace(/\d{8}T\d{6}Z/, ''))).toEqual([
    'damaged-.duckdb',
    'damaged-.duckdb.wal',
  ])
})

test('repair counts what the older copy lacks where the file cannot be read', async () => {
  const folder = await folderWith(30)
  const { warehouse_file } = dataPaths(folder)
  await writeFile(warehouse_file, 'x'.repeat(20_000))
  expect((await check(folder)).says).toContain('no file of the engine')
  const { stderr } = await run('repair', '--data-dir', folder)
  expect(stderr).toContain('Taken: the copy of')
  expect(await countIn(folder)).toBe(30)
})

test('repair counts what the copy lacks of a file whose rows cannot all be read', async () => {
  const folder = await folderWith(30)
  const { warehouse_file } = dataPaths(folder)
  {
    await using warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsOf(100, 4_000))
  }
  const sound = await readFile(warehouse_file)
  const canRead = (sql: string) =>
    onFile(warehouse_file, sql, ' (READ_ONLY)').then(
      () => true,
      () => false,
    )
  // From the end, where the rows are, the first fault of a block that is met only when rows are read.
  for (let offset = sound.length - 16_384; ; offset -= 16_384) {
    expect(offset).toBeGreaterThan(4_096 * 4)
    const bytes = Buffer.from(sound)
    bytes.fill(0xa5, offset, offset + 64)
    await writeFile(warehouse_file, bytes)
    if ((await canRead('SELECT * FROM f.readings')) || !(await canRead('SELECT 1'))) continue
    const { stderr } = await run('repair', '--data-dir', folder, '--dry-run')
    if (!/4,000 rows of readings/.test(stderr)) continue
    expect(stderr).toMatch(/Taken: the copy of.*Would be lost.*4,000 rows of readings/s)
    break
  }
}, 60_000)

test('files of other kinds and views are named, and nothing is fetched for them', async () => {
  const folder = await folderWith(30)
  const { warehouse_file } = dataPaths(folder)
  const sound = await readFile(warehouse_file)
  const sqlite = `${await temporaryFolder()}/x.sqlite`
  const database = new Database(sqlite)
  database.exec('CREATE TABLE t (x INTEGER)')
  database.close()
  const cases: [Buffer | string, RegExp][] = [
    [await readFile(sqlite), /a database of SQLite/],
    ['', /it is empty/],
    [Buffer.alloc(40_000), /only zeros/],
    ['{"a": 1}', /no file of the engine/],
  ]
  for (const [bytes, words] of cases) {
    await writeFile(warehouse_file, bytes)
    await using warehouse = await openWarehouse(folder)
    await expect(warehouse.query('SELECT 1')).rejects.toMatchObject({
      code: 'WAREHOUSE_CORRUPT',
      message: expect.stringMatching(words),
    })
  }
  await writeFile(warehouse_file, sound)
  const log = `${warehouse_file}.wal`
  await symlink('/nowhere/warehouse.duckdb.wal', log)
  await using withoutLog = await openWarehouse(folder)
  await expect(withoutLog.query('SELECT 1')).rejects.toMatchObject({
    code: 'WAREHOUSE_CORRUPT',
    message: expect.stringContaining(`${log} is a link that leads nowhere`),
  })
  await rm(log)
  await onFile(warehouse_file, 'ALTER TABLE f.readings RENAME TO other')
  await onFile(warehouse_file, 'CREATE VIEW f.readings AS FROM f.other')
  for (const use of [(w: Warehouse) => w.query('SELECT 1'), (w: Warehouse) => w.land(readings, rowsOf(1, 1))]) {
    await using warehouse = await openWarehouse(folder)
    await expect(use(warehouse)).rejects.toMatchObject({
      code: expect.stringMatching(/WAREHOUSE_(CORRUPT|FOREIGN)/),
      message: expect.stringContaining('view in the place of the table readings'),
    })
  }
})

test('no engine of ours fetches or loads an extension by itself', async () => {
  const engine = await openDuckdb('/tmp')
  const [settings] = await withConnection(engine, (connection) =>
    readRows(
      connection,
      "SELECT current_setting('autoinstall_known_extensions') AS i, current_setting('autoload_known_extensions') AS l",
    ),
  )
  engine.closeSync()
  expect(settings).toEqual({ i: false, l: false })
})

const later = () => Date.now() + 2 * DAY_MS

test('a copy that lacks rows without a reason does not replace the last one', async () => {
  const folder = await folderWith(30)
  const { warehouse_copy } = dataPaths(folder)
  await using warehouse = await openWarehouse(folder)
  await warehouse.write(
    async ({ connection }) =>
      void (await connection.run('DELETE FROM readings WHERE minute(observed_at) = 0 AND second(observed_at) < 10')),
  )
  const { kept_copy } = await keepHouse(warehouse, later())
  expect(kept_copy).toMatchObject({ reason: null, tables: [{ name: 'readings', rows: 10, from: '2026-11-21' }] })
  expect(lossText(keptCopies(folder)[0]!)).toContain('10 rows of readings since 2026-11-21')
  expect(existsSync(warehouse_copy)).toBe(true)
  await warehouse.close()
  const { level, says } = await check(folder)
  expect([level, says]).toEqual(['warning', expect.stringContaining('WAREHOUSE_COPY_DIFFERS')])
  // The way out that the doctor names.
  const [kept] = keptCopies(folder)
  await json('repair', '--from', kept!.path, '--data-dir', folder, '--json')
  expect(await countIn(folder)).toBe(30)
})

test('a warehouse that went back to an earlier state is noticed by its next copy', async () => {
  const folder = await folderWith(30)
  const { warehouse_file, warehouse_copy } = dataPaths(folder)
  const earlier = await readFile(warehouse_file)
  {
    await using warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsOf(100, 20))
    await copyWarehouse(warehouse, warehouse_copy)
  }
  await writeFile(warehouse_file, earlier)
  await using warehouse = await openWarehouse(folder)
  await warehouse.land(readings, rowsOf(0, 5, 1))
  expect((await keepHouse(warehouse, later())).kept_copy?.tables).toEqual([
    { name: 'readings', rows: 20, from: '2026-11-21' },
  ])
})

test('retention and days that are written again explain what a copy lacks', async () => {
  const folder = await folderWith(30)
  const { warehouse_copy } = dataPaths(folder)
  await using warehouse = await openWarehouse(folder)
  for (const day of [1, 2]) await warehouse.land(readings, rowsOf(0, 10, day))
  await copyWarehouse(warehouse, warehouse_copy)
  await warehouse.write((context) => deleteUntil(context, readings, '2026-11-21'))
  await warehouse.write((context) =>
    replaceDays(
      context,
      readings,
      [{ kind: 'security', date: '2026-11-23', made_from: null }],
      `SELECT * EXCLUDE (date) FROM ${CATALOG}.readings WHERE date = DATE '2026-11-23' LIMIT 4`,
    ),
  )
  expect(await keepHouse(warehouse, later())).toEqual({ copied: true, kept_copy: null })
  await warehouse.write((context) => deleteUntil(context, readings, '2026-11-30'))
  expect(await keepHouse(warehouse, later() + 2 * DAY_MS)).toEqual({ copied: true, kept_copy: null })
})

test('a last copy that cannot be read is replaced', async () => {
  const folder = await folderWith(30)
  const { warehouse_copy } = dataPaths(folder)
  await writeFile(warehouse_copy, 'x'.repeat(10_000))
  await utimes(warehouse_copy, 0, 0)
  await using warehouse = await openWarehouse(folder)
  expect(await keepHouse(warehouse, later())).toEqual({ copied: true, kept_copy: null })
})

test('world.json that says other than the rows is named', async () => {
  const folder = await temporaryFolder()
  await mkdir(folder, { recursive: true })
  const { world } = dataPaths(folder)
  await writeFile(world, '{"simulated":true}')
  {
    await using warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsOf(0, 3))
  }
  await writeFile(world, '{"simulated":false}')
  const { level, says } = await check(folder)
  expect([level, says]).toEqual(['wrong', expect.stringMatching(/WORLD_MISMATCH.*\{"simulated":true\}/s)])
  await writeFile(world, '{"simulated":true}')
  expect(await countIn(folder)).toBe(3)
})

test('a copied folder is a warehouse of its own right', async () => {
  const folder = await folderWith(30)
  const target = await temporaryFolder()
  await cp(folder, target, { recursive: true, filter: (path) => !path.includes('/locks') })
  expect(await countIn(target)).toBe(30)
})

test('world.json that says other than the snapshots is named', async () => {
  const folder = await temporaryFolder()
  const { world, snapshots } = dataPaths(folder)
  await writeFile(world, '{"simulated":false}')
  await mkdir(`${snapshots}/20261121T100000Z`, { recursive: true })
  await writeFile(`${snapshots}/20261121T100000Z/manifest.json`, '{"simulated":true}')
  const settings = { ...readSettings({}), data_dir: folder }
  const { level, says } = await runCheck('data folder', () => checkDataFolder(settings))
  expect([level, says]).toEqual(['wrong', expect.stringContaining('write {"simulated":true} into')])
})

test('a kept copy is a fault of the service until it is gone', async () => {
  const folder = await folderWith(3)
  expect(warehouseFault(folder)).toBeNull()
  const kept = `${dataPaths(folder).warehouse}/copy-20261120T020000Z.duckdb`
  await writeFile(kept, '')
  await writeFile(
    kept.replace('duckdb', 'json'),
    JSON.stringify({ reason: null, tables: [{ name: 'readings', rows: 7, from: '2026-11-20' }] }),
  )
  expect(warehouseFault(folder)).toMatchObject({
    code: 'WAREHOUSE_COPY_DIFFERS',
    message: expect.stringContaining('7 rows of readings'),
  })
  await rm(kept)
  expect(warehouseFault(folder)).toBeNull()
})

test('a repair that was cut off is a fault of the service until it has ended', async () => {
  const folder = await temporaryFolder()
  const { unfinished_repair } = dataPaths(folder)
  expect(warehouseFault(folder)).toBeNull()
  await writeFile(unfinished_repair, '{}')
  expect(warehouseFault(folder)).toMatchObject({
    code: 'WAREHOUSE_CORRUPT',
    message: expect.stringContaining('cut off'),
  })
  await rm(unfinished_repair)
  expect(warehouseFault(folder)).toBeNull()
})

test('a folder of the warehouse that cannot be read is a fault of the service, not an error of each page', async () => {
  const folder = await folderWith(3)
  const { warehouse } = dataPaths(folder)
  await rename(warehouse, `${warehouse}-away`)
  // Links that form a circle: root would read a folder without permissions.
  await symlink(warehouse, warehouse)
  expect(warehouseFault(folder)).toMatchObject({
    code: 'DATA_FOLDER_UNUSABLE',
    message: expect.stringContaining('ELOOP'),
  })
  await expect(openWarehouse(folder)).rejects.toMatchObject({ code: 'DATA_FOLDER_UNUSABLE' })
  await rm(warehouse)
  await rename(`${warehouse}-away`, warehouse)
  expect(warehouseFault(folder)).toBeNull()
})
