import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkPostgresql } from '../../../bin/doctor/check-connections.ts'
import { checkState } from '../../../bin/doctor/check-folder.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { holdshort } from '../../end-to-end/installation.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type Cluster, startCluster } from './cluster.ts'

const key_pepper = 'pepper of the whole states'
let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster({})
  return cluster.remove
})

async function newDatabase(name: string): Promise<string> {
  await cluster.run('postgres', `CREATE DATABASE ${name}`)
  return cluster.url(name)
}

function environment(data_dir: string, database_url: string | undefined) {
  const own = { HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_KEY_PEPPER: key_pepper }
  return database_url === undefined ? own : { ...own, DATABASE_URL: database_url }
}

/** The keys that a command finds in the state of a folder or of a database, or how it refuses. */
async function keysIn(data_dir: string, database_url: string | undefined): Promise<number | string> {
  const { code, stdout, stderr } = await holdshort(['keys', 'list', '--json'], environment(data_dir, database_url))
  return code === 0 ? JSON.parse(stdout).length : stderr.replaceAll('\n', ' ')
}

/** A data folder that uses the state of this database, or its own, with one key more. */
async function usedState(database_url: string | undefined): Promise<string> {
  const data_dir = await temporaryFolder()
  expect(await holdshort(['keys', 'issue', '--tier', 'pro'], environment(data_dir, database_url))).toMatchObject({
    code: 0,
  })
  return data_dir
}

const accept = (data_dir: string, database_url: string | undefined) =>
  holdshort(['state', 'accept'], environment(data_dir, database_url))

test('another or an empty database, and a folder without DATABASE_URL, are refused until they are accepted', async () => {
  const url = await newDatabase('used')
  const data_dir = await usedState(url)
  const empty = await newDatabase('empty')
  const other = await newDatabase('other')
  await usedState(other)
  const settings = { ...readSettings({ HOLDSHORT_DATA_DIR: data_dir }), key_pepper }
  for (const [place, says] of [
    [empty, /^STATE_INCOMPLETE: .*holds no accounts and keys.*search_path.*state accept/],
    [other, /^STATE_INCOMPLETE: .*holds those of another installation.*state accept/],
    [undefined, /^STATE_INCOMPLETE: .*PostgreSQL database, and DATABASE_URL is not set.*state accept/],
  ] as const) {
    expect(await keysIn(data_dir, place)).toMatch(says)
    const checked = place === undefined ? checkState(settings) : checkPostgresql(settings, place)
    expect(await checked).toMatchObject({ says: expect.stringContaining('state accept') })
  }
  expect(await checkPostgresql(settings, url)).toMatch(/answers$/)
  expect(await keysIn(data_dir, url)).toBe(1)
  await accept(data_dir, empty)
  expect(await keysIn(data_dir, empty)).toBe(0)
  expect(await keysIn(data_dir, url)).toMatch(/^STATE_INCOMPLETE: /)
  await accept(data_dir, undefined)
  expect(await keysIn(data_dir, undefined)).toBe(0)
}, 60_000)

test('a folder with accounts takes no empty database, but one with a state, and goes on with what was moved', async () => {
  const data_dir = await usedState(undefined)
  const [moved, other] = [await newDatabase('moved'), await newDatabase('own')]
  expect(await keysIn(data_dir, moved)).toMatch(/^STATE_INCOMPLETE: .*state\.sqlite.*state move --to/)
  expect(await holdshort(['state', 'move', '--to', moved], environment(data_dir, undefined))).toMatchObject({ code: 0 })
  expect(await keysIn(data_dir, undefined)).toBe(1)
  expect(await keysIn(data_dir, moved)).toBe(1)
  expect(await keysIn(data_dir, undefined)).toMatch(/^STATE_INCOMPLETE: .*DATABASE_URL/)
  const back = await temporaryFolder()
  expect(await holdshort(['state', 'move', '--to', 'folder'], environment(back, moved))).toMatchObject({ code: 0 })
  expect(await keysIn(back, undefined)).toBe(1)
  const beside = await usedState(undefined)
  await usedState(other)
  expect(await keysIn(beside, other)).toBe(1)
}, 60_000)

test('a database whose search_path changes is refused', async () => {
  const url = await newDatabase('paths')
  const setPath = (path: string) => cluster.run('postgres', `ALTER DATABASE paths SET search_path = ${path}`)
  const data_dir = await usedState(url)
  await cluster.run('paths', 'CREATE SCHEMA elsewhere')
  for (const path of ['elsewhere', 'missing']) {
    await setPath(path)
    expect(await keysIn(data_dir, url)).toMatch(/^STATE_INCOMPLETE: .*search_path/)
  }
  await setPath('public')
  expect(await keysIn(data_dir, url)).toBe(1)
}, 60_000)

test('a folder that cannot be marked uses its database all the same', async () => {
  const url = await newDatabase('unmarked')
  const data_dir = await usedState(url)
  const { state_marker } = dataPaths(data_dir)
  expect(JSON.parse(readFileSync(state_marker, 'utf8'))).toMatchObject({ on: 'postgresql' })
  rmSync(state_marker)
  mkdirSync(state_marker)
  onTestFinished(() => rmSync(state_marker, { recursive: true }))
  expect(await keysIn(data_dir, url)).toBe(1)
}, 60_000)
