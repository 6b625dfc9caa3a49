import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { usageByEndpoint } from '../../../api/gate/usage.ts'
import { openState } from '../../../api/state/open.ts'
import { checkPostgresql } from '../../../bin/doctor/check-connections.ts'
import { readSettings } from '../../../config/settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openHarness } from '../harness.ts'
import { startCluster } from './cluster.ts'

const URL = '/api/v1/airports/JFK/delays'

test('answers 503 while the server is unavailable, then recovers, and no counted call is lost or counted twice', async () => {
  const cluster = await startCluster({ durable: true })
  onTestFinished(() => cluster.remove())
  const { app, call, keys, state, controls } = await openHarness({
    DATABASE_URL: cluster.url('postgres'),
    HOLDSHORT_KEY_PEPPER: 'pepper of the outage',
  })
  const status = async () => {
    controls.now += 61_000
    return (await call('pro', URL)).statusCode
  }
  expect([await status(), await status()]).toEqual([200, 200])
  await cluster.kill()
  const refused = await call('pro', URL)
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'STATE_UNREACHABLE'])
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.json().detail).not.toContain('127.0.0.1')
  const registration = await call(null, '/api/agent/register', { method: 'POST' })
  expect(registration.statusCode).toBe(503)
  const faults = async () => (await app.inject('/health')).json().faults.map(({ code }: { code: string }) => code)
  expect(await faults()).toContain('STATE_UNREACHABLE')
  expect((await app.inject('/')).statusCode).toBe(200)
  await cluster.start()
  expect([await status(), await status(), await status()]).toEqual([200, 200, 200])
  expect(await faults()).not.toContain('STATE_UNREACHABLE')
  expect((await call(null, '/api/agent/register', { method: 'POST' })).statusCode).toBe(201)
  expect((await call('pro', '/api/agent/me')).json().usage.calls).toBe(5)
  const rows = await usageByEndpoint(state.db, keys.pro.account_id, new Date(controls.now).toISOString().slice(0, 7))
  expect(rows).toEqual([{ endpoint: 'getDelays', calls: 5 }])
}, 60_000)

test('a slow statement is no outage while others are answered', async () => {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  const { app, call, state } = await openHarness({
    DATABASE_URL: `${cluster.url('postgres')}?options=-c%20statement_timeout%3D1000`,
    HOLDSHORT_KEY_PEPPER: 'pepper of the slow statement',
  })
  const refused = expect(sql`select pg_sleep(5)`.execute(state.db)).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' })
  await sleep(200)
  expect((await call('pro', URL)).statusCode).toBe(200)
  await refused
  expect((await app.inject('/health')).json()).toMatchObject({ faults: [] })
}, 60_000)

test('a read-only server answers reads, refuses writes with its own code, and is used again without a restart', async () => {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  const { app, call } = await openHarness({
    DATABASE_URL: cluster.url('postgres'),
    HOLDSHORT_KEY_PEPPER: 'pepper of the standby',
  })
  const setReadOnly = async (isReadOnly: boolean) => {
    const server = new pg.Client(cluster.url('postgres'))
    await server.connect()
    await server.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    await server.query('select pg_reload_conf()')
    await server.end()
    await sleep(500)
  }
  const register = () => call(null, '/api/agent/register', { method: 'POST' })
  await setReadOnly(true)
  const refused = await register()
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'STATE_UNWRITABLE'])
  expect((await call('pro', URL)).statusCode).toBe(200)
  expect((await app.inject('/health')).json()).toMatchObject({
    status: 'degraded',
    faults: [{ code: 'STATE_UNWRITABLE' }],
  })
  await setReadOnly(false)
  expect((await register()).statusCode).toBe(201)
  expect((await app.inject('/health')).json()).toMatchObject({ faults: [] })
}, 60_000)

test('a server that takes no first state is refused with the way out, and one with a state is opened', async () => {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  const data_dir = await temporaryFolder()
  const database_url = cluster.url('postgres')
  const open = async () =>
    (await openState({ data_dir, database_url, key_pepper: 'pepper of the first state' })).close()
  const setReadOnly = (on: string) =>
    cluster.run('template1', `ALTER DATABASE postgres SET default_transaction_read_only = ${on}`)
  await setReadOnly('on')
  await expect(open()).rejects.toMatchObject({
    code: 'STATE_UNWRITABLE',
    message: expect.stringMatching(/^the database of DATABASE_URL cannot .*read-only.*: name the primary server/),
  })
  await setReadOnly('off')
  await open()
  await setReadOnly('on')
  await open()
}, 60_000)

test('a role without rights is refused with a code that says so, doctor names the rights, and what is granted works at once', async () => {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  const url = cluster.url('postgres').replace('holdshort@', 'guest@')
  await cluster.run('postgres', 'CREATE ROLE guest LOGIN')
  const environment = { DATABASE_URL: url, HOLDSHORT_KEY_PEPPER: 'pepper of the guest' }
  const settings = readSettings({ ...environment, HOLDSHORT_DATA_DIR: await temporaryFolder() })
  await expect(openHarness(environment)).rejects.toMatchObject({ code: 'STATE_UNREACHABLE' })
  const says = async () => {
    const verdict = await checkPostgresql(settings, url)
    return typeof verdict === 'string' ? verdict : verdict.says
  }
  expect(await says()).toMatch(
    /answers, but the role of DATABASE_URL lacks CREATE on a schema of its search_path; grant it/,
  )
  await cluster.run('postgres', 'GRANT CREATE ON SCHEMA public TO guest')
  const { call } = await openHarness(environment)
  expect(await says()).toMatch(/ answers$/)
  await cluster.run('postgres', 'ALTER TABLE alerts RENAME TO away')
  expect(await says()).toContain('its database lacks the table alerts; restore it')
  await cluster.run('postgres', 'ALTER TABLE away RENAME TO alerts')
  await cluster.run('postgres', 'REVOKE INSERT, DELETE ON keys FROM guest')
  expect(await says()).toContain('lacks INSERT on keys, DELETE on keys; grant it')
  const refused = await call(null, '/api/agent/register', { method: 'POST' })
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'STATE_UNREACHABLE'])
  await cluster.run('postgres', 'GRANT INSERT, DELETE ON keys TO guest')
  expect((await call(null, '/api/agent/register', { method: 'POST' })).statusCode).toBe(201)
  await cluster.run('postgres', 'ALTER ROLE guest SET default_transaction_read_only = on')
  expect(await says()).toContain('lacks writing: it is read-only')
}, 60_000)
