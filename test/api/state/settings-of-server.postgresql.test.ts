import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { addUsage, callsOfMonth } from '../../../api/gate/usage.ts'
import { openState } from '../../../api/state/open.ts'
import { checkPostgresql } from '../../../bin/doctor/check-connections.ts'
import { readSettings } from '../../../config/settings.ts'
import { startCuttingProxy } from '../../shared-store/cutting-proxy.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type Cluster, startCluster } from './cluster.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const DAY = '2026-11-21'

/** The state as two processes open it, on a server whose role has a setting of its operator. */
async function openTwice(cluster: Cluster, setting: string) {
  await cluster.run('postgres', `ALTER ROLE holdshort SET ${setting}`)
  const data_dir = await temporaryFolder()
  const open = () =>
    openState({ data_dir, database_url: cluster.url('postgres'), key_pepper: 'pepper of the settings of a server' })
  const states = [await open(), await open()] as const
  onTestFinished(() => Promise.all(states.map((state) => state.close())).then(() => undefined))
  return states
}

async function newCluster(): Promise<Cluster> {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  return cluster
}

test('writes of two processes wait for each other although transactions are serializable by default', async () => {
  const states = await openTwice(await newCluster(), "default_transaction_isolation = 'serializable'")
  const { account_id } = await issueKey(states[0], { tier: 'free' }, NOW)
  const writes = Array.from({ length: 20 }, (_, index) => {
    const state = states[index % 2]!
    return [
      addUsage(state.db, [{ account_id, day: DAY, endpoint: 'getDelays', calls: 1 }]),
      state.changeAccess(async (transaction) => sql`select pg_sleep(0.01)`.execute(transaction)),
    ]
  })
  const outcomes = await Promise.allSettled(writes.flat())
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await callsOfMonth(states[0].db, account_id, DAY.slice(0, 7))).toBe(20)
}, 60_000)

test('a lock that the server waits for no longer is answered with 503, and nothing was stored', async () => {
  const [one, other] = await openTwice(await newCluster(), 'lock_timeout = 200')
  await one.changeAccess(async () => {
    const refused = other.changeAccess(async () => undefined)
    await expect(refused).rejects.toMatchObject({ code: 'STATE_UNREACHABLE', message: expect.stringContaining('busy') })
  })
  expect(other.fault()).toBeNull()
  await other.changeAccess(async () => undefined)
}, 60_000)

test('a database whose encoding lacks letters takes no state, and doctor says how to make one that does', async () => {
  const cluster = await newCluster()
  const encoded = (name: string, encoding: string) =>
    cluster.run('postgres', `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`)
  await encoded('latin', 'LATIN1')
  await encoded('bytes', 'SQL_ASCII')
  const data_dir = await temporaryFolder()
  const key_pepper = 'pepper of the encodings'
  const open = (name: string) => openState({ data_dir, database_url: cluster.url(name), key_pepper })
  await expect(open('latin')).rejects.toThrow(/^DATABASE_URL: its database has the encoding LATIN1.*ENCODING 'UTF8'/)
  const settings = { ...readSettings({ HOLDSHORT_DATA_DIR: data_dir }), key_pepper }
  expect(await checkPostgresql(settings, cluster.url('latin'))).toMatchObject({
    says: expect.stringContaining('encoding LATIN1'),
  })
  await using state = await open('bytes')
  const name = "東京 ‹café› \\'"
  await issueKey(state, { tier: 'free', name }, NOW)
  const accounts = await state.db.selectFrom('accounts').select('name').execute()
  expect(accounts).toEqual([{ name }])
}, 60_000)

test('a new state is made in the schema to which search_path leads, beside that of another schema', async () => {
  const cluster = await newCluster()
  const open = async (path: string) => {
    await cluster.run('postgres', `ALTER ROLE holdshort SET search_path = ${path}`)
    const settings = { data_dir: await temporaryFolder(), key_pepper: 'pepper of the schemas' }
    return openState({ ...settings, database_url: cluster.url('postgres') })
  }
  await expect(open('missing')).rejects.toThrow(
    /^DATABASE_URL: the search_path of its role \(missing\) names no schema/,
  )
  const keysAfterOne = async (path: string) => {
    await using state = await open(path)
    await issueKey(state, { tier: 'free' }, NOW)
    return (await state.db.selectFrom('keys').select('id').execute()).length
  }
  expect(await keysAfterOne('public')).toBe(1)
  await cluster.run('postgres', 'CREATE SCHEMA elsewhere')
  expect(await keysAfterOne('elsewhere, public')).toBe(2)
  expect(await keysAfterOne('elsewhere')).toBe(1)
  expect(await keysAfterOne('public')).toBe(3)
}, 60_000)

test('a migration that is cut off ends with a code, and the next start does it whole', async () => {
  const cluster = await newCluster()
  const proxy = await startCuttingProxy(cluster.url('postgres'))
  onTestFinished(proxy.close)
  const data_dir = await temporaryFolder()
  const open = (database_url: string) => openState({ data_dir, database_url, key_pepper: 'pepper of the migration' })
  for (const number of [20, 45]) {
    const isCut = await proxy.without(number, () =>
      expect(open(proxy.url)).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' }),
    )
    expect(isCut).toBe(true)
  }
  await using state = await open(cluster.url('postgres'))
  await issueKey(state, { tier: 'free' }, NOW)
}, 60_000)
