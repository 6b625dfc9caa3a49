import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseAsItIs, openState } from '../../api/state/open.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { postgresqlPrograms, startCluster } from '../api/state/cluster.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { PARTS_MISSING, startSharedStores } from '../shared-store/installation.ts'
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
    expect(Object.values(original).filter((rows) => rows.length > 0).length).toBeGreaterThan(19)
    const settings = { HOLDSHORT_KEY_PEPPER: PEPPER, HOLDSHORT_DATA_DIR: data }
    const move = async (to: string, more: Record<string, string> = {}) => {
      const { code, stderr } = await holdshort(['state', 'move', '--to', to], { ...settings, ...more })
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
    const issued = await holdshort(['keys', 'issue', '--tier', 'pro', '--name', 'Later', '--json'], {
      ...settings,
      HOLDSHORT_DATA_DIR: back,
    })
    expect([issued.code, issued.stderr]).toEqual([0, expect.anything()])
    expect((await rowsOf({ data_dir: back }))['keys']).toHaveLength((after['keys'] ?? []).length + 1)
  },
)

async function fillState(data_dir: string): Promise<{ key: string }> {
  const { insertFullAccount } = await import('../accounts/privacy/full-account.ts')
  const state = await openState({ data_dir, key_pepper: PEPPER })
  const { key } = await insertFullAccount(state, 'ada')
  await insertFullAccount(state, 'grace')
  await state.close()
  return { key }
}

test.runIf(EXHAUSTIVE && PARTS_MISSING === null)(
  'the tables of a data folder move into a bucket and out of it with every row, and never into tables with rows',
  { timeout: 240_000 },
  async () => {
    const stores = await startSharedStores()
    onTestFinished(stores.remove)
    const [data, back] = [stores.folder(), stores.folder()]
    const warehouse = await openWarehouse(data)
    await warehouse.land(readings, [reading({ checkpoint: 'one' }), reading({ checkpoint: 'two' })])
    await rollUp(warehouse)
    const rowsIn = async (tables: Warehouse) => [
      await tables.query('SELECT * FROM readings ORDER BY ALL'),
      await tables.query('SELECT * FROM rollups ORDER BY ALL'),
      await tables.query('SELECT * FROM changes ORDER BY ALL'),
    ]
    const original = await rowsIn(warehouse)
    await warehouse.close()
    const move = async (to: string, folder: string) => {
      const { code, stderr } = await holdshort(['store', 'move', '--to', to], stores.environment(folder, 'moved'))
      return [code, stderr.replaceAll('\n', ' ')]
    }
    expect(await move('ftp://somewhere', data)).toEqual([2, expect.stringContaining('--to')])
    expect(await move('bucket', data)).toEqual([0, expect.anything()])
    expect(await move('bucket', data)).toEqual([1, expect.stringContaining('CONFLICT')])
    expect(await move('folder', back)).toEqual([0, expect.anything()])
    const moved = await openWarehouse(back)
    expect(await rowsIn(moved)).toEqual(original)
    await moved.close()
  },
)
