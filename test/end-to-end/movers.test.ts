import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseAsItIs, openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { postgresqlPrograms, startCluster } from '../api/state/cluster.ts'
import { createInstallation, filesOf, readingRows } from '../bin/full-installation.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { BUCKET, startS3, storeEnvironment } from '../store/s3-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { reading } from '../warehouse/test-rows.ts'
import { holdshort } from './installation.ts'

const PEPPER = 'a pepper for the movers only'

/** All rows of all tables of a state, each as text, in order; nothing is created or migrated. */
async function rowsOf(place: { data_dir: string; database_url?: string }): Promise<Record<string, string[]>> {
  const database = await openDatabaseAsItIs(place)
  if (!database) return {}
  const db = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>
  const rows: Record<string, string[]> = {}
  for (const { name } of await db.introspection.getTables()) {
    if (/^(kysely|sqlite)_/.test(name)) continue
    const found = await db.selectFrom(name).selectAll().execute()
    // The installation counts how often its file was opened.
    const columns = (row: object) => (name === 'installation' ? ['id'] : Object.keys(row).sort())
    rows[name] = found.map((row) => JSON.stringify(row, columns(row))).sort()
  }
  await database.close()
  return rows
}

test.runIf(EXHAUSTIVE && postgresqlPrograms() !== null)(
  'accounts move from the folder to PostgreSQL and back with every row, and never into a wrong place (needs PostgreSQL)',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    const cluster = await startCluster()
    onTestFinished(cluster.remove)
    for (const name of ['state', 'clinic', 'other']) await cluster.run('postgres', `CREATE DATABASE ${name}`)
    const { key } = await fillState(data)
    const original = await rowsOf({ data_dir: data })
    expect(Object.values(original).filter((rows) => rows.length > 0).length).toBeGreaterThan(20)
    const settings = { HOLDSHORT_KEY_PEPPER: PEPPER, HOLDSHORT_DATA_DIR: data }
    const move = async (to: string, more: Record<string, string> = {}) => {
      const { code, stderr } = await holdshort(['state', 'move', '--to', to], Object.assign({}, settings, more))
      return [code, stderr.replaceAll('\n', ' ')]
    }

    // A database of something else, one that is not there, and what is no PostgreSQL.
    await cluster.run('clinic', 'CREATE TABLE patients (name text)', "INSERT INTO patients VALUES ('Ada')")
    const tablesOf = async (name: string) =>
      Object.keys(await rowsOf({ data_dir: data, database_url: cluster.url(name) }))
    expect(await move(cluster.url('clinic'))).toEqual([1, expect.stringMatching(/CONFLICT.*patients/)])
    expect(await tablesOf('clinic')).toEqual(['patients'])
    expect(await move(cluster.url('nowhere'))).toEqual([1, expect.stringMatching(/nowhere|unreachable|STATE_/i)])
    expect(await move('mysql://root@127.0.0.1/x')).toEqual([2, expect.stringContaining('--to')])
    expect(await move('folder')).toEqual([2, expect.stringContaining('in the folder already')])

    const database_url = cluster.url('state')
    expect(await move(database_url)).toEqual([0, expect.anything()])
    expect(await rowsOf({ data_dir: data, database_url })).toEqual(original)
    expect(await rowsOf({ data_dir: data })).toEqual(original)
    // A second time it would be the accounts of another installation.
    expect(await move(database_url)).toEqual([1, expect.stringMatching(/CONFLICT.*rows in/)])
    const listed = await holdshort(['keys', 'list', '--json'], Object.assign({ DATABASE_URL: database_url }, settings))
    expect(listed.stdout).toContain(key.slice(-4))

    const back = join(folder, 'back')
    await mkdir(back)
    const after = await rowsOf({ data_dir: data, database_url })
    const onServer = { DATABASE_URL: database_url }
    expect(await move('folder', onServer)).toEqual([1, expect.stringMatching(/CONFLICT.*rows in/)])
    expect(await move('folder', Object.assign({ HOLDSHORT_DATA_DIR: back }, onServer))).toEqual([0, expect.anything()])
    expect(await rowsOf({ data_dir: back })).toEqual(after)
    // What was moved is used as any other: new keys, and a change of access.
    const issued = await holdshort(
      ['keys', 'issue', '--tier', 'pro', '--name', 'Later', '--json'],
      Object.assign({}, settings, { HOLDSHORT_DATA_DIR: back }),
    )
    expect([issued.code, issued.stderr]).toEqual([0, expect.anything()])
    expect((await rowsOf({ data_dir: back }))['keys']).toHaveLength((after['keys'] ?? []).length + 1)
  },
)

async function fillState(data_dir: string): Promise<{ key: string }> {
  const { insertFullAccount } = await import('../api/accounts/privacy/full-account.ts')
  const state = await openState({ data_dir, key_pepper: PEPPER })
  const { key } = await insertFullAccount(state, 'ada')
  await insertFullAccount(state, 'grace')
  await state.close()
  return { key }
}

test.runIf(EXHAUSTIVE)(
  'a data folder moves into a bucket and out of it with every file, and never into a wrong place',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 's3'))
    const server = await startS3(join(folder, 's3'))
    onTestFinished(server.close)
    const { HOLDSHORT_STORE: _, ...aws } = storeEnvironment(server.url)
    const { data } = await createInstallation(join(folder, 'data'))
    const other = join(folder, 'other')
    const alone = await openWarehouse(other)
    await alone.land(readings, [reading({ checkpoint: 'of another installation' })])
    await alone.close()
    const move = async (to: string, data_dir: string, more: Record<string, string> = {}) => {
      const { code, stderr } = await holdshort(
        ['store', 'move', '--to', to, '--data-dir', data_dir],
        Object.assign({}, aws, more),
      )
      return [code, stderr.replaceAll('\n', ' ')]
    }
    const keysIn = async (prefix: string) =>
      (await openS3(readSettings(aws), `s3://${BUCKET}/${prefix}`).list('')).map(({ key }) => key)

    // A store that ignores preconditions, a bucket that is not there, and what is no bucket.
    const careless = await startS3(join(folder, 's3'), { obeysPreconditions: false })
    onTestFinished(careless.close)
    expect(await move(`s3://${BUCKET}/careless`, data, { AWS_ENDPOINT_URL: careless.url })).toEqual([
      1,
      expect.stringContaining('STORE_UNSAFE'),
    ])
    expect(await keysIn('careless')).toEqual([])
    expect(await move('s3://no-such-bucket/x', data)).toEqual([1, expect.stringContaining('STORE_REFUSED')])
    expect(await move('ftp://somewhere', data)).toEqual([2, expect.stringContaining('--to')])
    expect(await move('folder', data)).toEqual([2, expect.stringContaining('HOLDSHORT_STORE')])

    const live = `s3://${BUCKET}/live`
    expect(await move(live, data)).toEqual([0, expect.anything()])
    const stored = await keysIn('live')
    // The bucket of one installation is no place for another.
    expect(await move(live, other)).toEqual([1, expect.stringContaining('CONFLICT')])
    expect(await keysIn('live')).toEqual(stored)

    const back = join(folder, 'back')
    expect(await move('folder', other, { HOLDSHORT_STORE: live })).toEqual([2, expect.stringContaining('not empty')])
    expect(await move('folder', back, { HOLDSHORT_STORE: live })).toEqual([0, expect.anything()])
    const isStored = ([path]: [string, string]) => !/^key-pepper|^store|\/p-0000000[1-4]-/.test(path)
    // Modes are those of the new machine.
    const contentsOf = async (place: string) =>
      Object.fromEntries(
        Object.entries(await filesOf(place))
          .filter(isStored)
          .map(([path, text]) => [path, text.slice(text.indexOf(' '))]),
      )
    expect(await contentsOf(back)).toEqual(await contentsOf(data))
    expect(await readingRows(back)).toEqual(await readingRows(data))
    // It is an installation of its own now, which no bucket follows.
    expect(await readdir(back)).not.toContain('store.json')
    await rm(join(folder, 's3'), { recursive: true })
    await writeFile(join(folder, 'gone'), '')
    expect((await holdshort(['query', 'SELECT count(*) FROM readings', '--data-dir', back])).stdout).toContain('9')
  },
)
