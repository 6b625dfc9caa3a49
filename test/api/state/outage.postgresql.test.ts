import { expect, onTestFinished, test } from 'vitest'
import { usageByEndpoint } from '../../../api/data/gate/usage.ts'
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
  expect(refused.body).not.toContain('127.0.0.1')
  const registration = await call(null, '/api/agent/register', { method: 'POST' })
  expect(registration.statusCode).toBe(503)
  expect((await app.inject('/health')).statusCode).toBe(200)
  expect((await app.inject('/')).statusCode).toBe(200)
  await cluster.start()
  expect([await status(), await status(), await status()]).toEqual([200, 200, 200])
  expect((await call(null, '/api/agent/register', { method: 'POST' })).statusCode).toBe(201)
  expect((await call('pro', '/api/agent/me')).json().usage.calls).toBe(5)
  const rows = await usageByEndpoint(state.db, keys.pro.account_id, new Date(controls.now).toISOString().slice(0, 7))
  expect(rows).toEqual([{ endpoint: 'getDelays', calls: 5 }])
}, 60_000)
