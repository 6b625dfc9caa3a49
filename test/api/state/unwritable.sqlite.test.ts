import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { issueFurtherKey } from '../../../accounts/keys/keys.ts'
import { asStateError } from '../../../api/state/unreachable.ts'
import { DAY_MS, isoUtc } from '../../../config/vocabulary.ts'
import { openBilling } from '../../accounts/billing/billing-setup.ts'
import { authorizeUrl, begin, connected, postForm, refresh, register } from '../../accounts/oauth/flow.ts'
import { formBrowser } from '../../accounts/people/signed-in-person.ts'
import { openHarness } from '../harness.ts'
import { toolCall } from '../mcp/requests.ts'
import { insertRow } from './insert-row.ts'

/** Everything by which somebody outside makes the service store something. */
async function writingOperations() {
  const billing = await openBilling()
  billing.controls.now = Date.now()
  const { app, call, keys, state, controls } = billing
  const person = await billing.createPerson('pro')
  const other = await billing.createPerson('free')
  const client = await connected(billing, person)
  const registered = await register(billing)
  const browser = formBrowser(app)
  const password = 'four words and then some'
  const email = 'ada@example.org'
  await formBrowser(app).post('/signup', { email, password })
  const { account_id, person_id } = person
  await insertRow(state, 'passkeys', { id: 'pk_1', person_id, name: 'phone', transports: '[]' })
  const alert = { iata: 'JFK', direction: 'above', threshold_minutes: 30, state: 'armed' } as const
  await insertRow(state, 'alerts', { id: 'alert_1', account_id, ...alert, expires_at: isoUtc(controls.now + DAY_MS) })
  const push = { endpoint: 'https://push.example/1', p256dh: 'x', auth: 'x', label: 'desktop' }
  await insertRow(state, 'push_subscriptions', { id: 'push_1', account_id, ...push })
  const consent = await begin(person, authorizeUrl(registered))
  const request = new URL(consent, 'http://x').searchParams.get('request')!
  const key = await issueFurtherKey(state, account_id, controls.now, 'mine')
  const subscription = await billing.buy(person, 'enterprise')
  for (const page of ['/alerts', '/account', '/dashboard', '/plans'])
    expect((await person.get(page)).statusCode).toBe(200)
  const operations: Record<string, () => Promise<LightMyRequestResponse>> = {
    'POST /api/agent/register': () => call(null, '/api/agent/register', { method: 'POST', payload: {} }),
    'DELETE /api/keys/:keyId': () => call('free', `/api/keys/${keys.free.key_id}`, { method: 'DELETE' }),
    'POST /mcp submit_wait_time_report': () =>
      call(
        'enterprise',
        '/mcp',
        toolCall('submit_wait_time_report', { iata: 'JFK', wait_minutes: 12, queue: 'security' }),
      ),
    'POST /mcp create_wait_time_alert': () =>
      call(
        'enterprise',
        '/mcp',
        toolCall('create_wait_time_alert', { iata: 'JFK', threshold_minutes: 30, direction: 'above' }),
      ),
    'POST /account/password': () => person.post('/account/password', { new_password: password }, '/account'),
    'POST /account/passkeys/rename': () =>
      person.post('/account/passkeys/rename', { id: 'pk_1', name: 'mine' }, '/account'),
    'POST /account/passkeys/remove': () => person.post('/account/passkeys/remove', { id: 'pk_1' }, '/account'),
    'POST /account/browsers/end': () => person.post('/account/browsers/end', { session: 'x' }, '/account'),
    'POST /alerts/create': () =>
      person.post('/alerts/create', { airport: 'JFK', direction: 'above', threshold_minutes: '30' }, '/alerts'),
    'POST /alerts/remove': () => person.post('/alerts/remove', { id: 'alert_1' }, '/alerts'),
    'POST /alerts/browsers/disconnect': () => person.post('/alerts/browsers/disconnect', { id: 'push_1' }, '/alerts'),
    'POST /signup': () => browser.post('/signup', { email: 'bob@example.org', password }),
    'POST /sign-in': () => browser.post('/sign-in', { email, password }),
    'POST /sign-out/everywhere': () => other.post('/sign-out/everywhere', {}, '/account'),
    'POST /sign-out': () => other.post('/sign-out', {}, '/account'),
    'POST /dashboard/keys': () => person.post('/dashboard/keys', { name: 'x' }, '/dashboard'),
    'POST /dashboard/keys/:keyId/revoke': () =>
      person.post(`/dashboard/keys/${key.key_id}/revoke`, {}, `/dashboard/keys/${key.key_id}/revoke`),
    'POST /dashboard/clients/:grantId/disconnect': async () => {
      const [grant] = await state.db.selectFrom('connections').select('grant_id').execute()
      const url = `/dashboard/clients/${grant!.grant_id}/disconnect`
      return person.post(url, {}, url)
    },
    'POST /dashboard/clients/:grantId/writing': async () => {
      const [grant] = await state.db.selectFrom('connections').select('grant_id').execute()
      return person.post(`/dashboard/clients/${grant!.grant_id}/writing`, { may_write: 'yes' }, '/dashboard')
    },
    'POST /plans/checkout': () => other.post('/plans/checkout', { tier: 'pro' }, '/plans'),
    'POST /plans/change': () => person.post('/plans/change', { tier: 'pro' }, '/plans'),
    'POST /api/stripe/webhook': () => billing.deliver(billing.stripe.change(subscription.id, { status: 'canceled' })),
    'POST /connect-mcp': () => person.post('/connect-mcp', { request, answer: 'approve' }, consent),
    'GET /authorize': () => person.get(authorizeUrl(registered)),
    'POST /register': () =>
      app.inject({ method: 'POST', url: '/register', payload: { redirect_uris: ['https://client.example/callback'] } }),
    'POST /token': () => refresh(billing, client),
    'POST /revoke': () => postForm(app, '/revoke', { token: client.refresh_token, client_id: client.client_id }),
  }
  return { billing, person, operations }
}

/** Routes that write only after a passkey, a push service or Stripe has answered, and those that write nothing. */
const ELSEWHERE = new Set([
  'POST /api/v1/airports/bulk',
  'POST /mcp',
  'POST /account/passkeys',
  'POST /passkey/creation-options',
  'POST /account/export',
  'POST /account/delete',
  'POST /alerts/browsers/test',
  'POST /alerts/browsers/connect',
  'POST /alerts/browsers/renew',
  'POST /sign-in/link',
  'POST /plans/portal',
])

/** The routes of the app that are no plain reads, from its printed tree. */
function writingRoutes(printed: string): string[] {
  const above: string[] = []
  return printed.split('\n').flatMap((line) => {
    const match = /^(.*?)[├└]── (\S+)(?: \((.*)\))?/.exec(line)
    if (!match) return []
    const [, indent = '', segment = '', methods = ''] = match
    above.splice(indent.length / 4, Number.POSITIVE_INFINITY, segment)
    const path = above.join('').replace(/^\/*/, '/')
    return methods
      .split(', ')
      .filter((method) => method === 'POST' || method === 'DELETE')
      .map((method) => `${method} ${path}`)
  })
}

test('while nothing can be written, every operation that writes is answered 503 with a code that says so', async () => {
  const { billing, person, operations } = await writingOperations()
  const { app, call, state } = billing
  const covered = new Set(Object.keys(operations).map((name) => name.split(' ').slice(0, 2).join(' ')))
  const missing = writingRoutes(app.printRoutes({ commonPrefix: false })).filter(
    (route) => !covered.has(route) && !ELSEWHERE.has(route),
  )
  expect(missing).toEqual([])

  await sql.raw('PRAGMA query_only = ON').execute(state.db)
  for (const [name, run] of Object.entries(operations)) {
    const answer = await run()
    // The errors of tools are no errors of HTTP.
    expect([name, answer.statusCode]).toEqual([name, name.startsWith('POST /mcp') ? 200 : 503])
    expect(answer.body, name).toContain('STATE_UNWRITABLE')
    expect(answer.body, name).not.toMatch(/SQLITE|INTERNAL|server_error/)
  }
  // The snapshot is days older than the clock of this test, which is a fault of its own.
  const faults = async () =>
    ((await app.inject('/health')).json() as { faults: { code: string }[] }).faults
      .map(({ code }) => code)
      .filter((code) => code !== 'SNAPSHOT_STALE')
  expect(await faults()).toEqual(['STATE_UNWRITABLE'])
  billing.controls.now += 3_600_000
  for (const url of ['/api/v1/airports', '/api/v1/airports/JFK/wait-times', '/api/v1/airports/JFK/delays'])
    expect((await call('pro', url)).statusCode, url).toBe(200)
  // The last use of a session would be stored by now.
  for (const page of ['/', '/dashboard', '/alerts', '/plans', '/account'])
    expect((await person.get(page)).statusCode, page).toBe(200)

  await sql.raw('PRAGMA query_only = OFF').execute(state.db)
  for (const [name, run] of Object.entries(operations)) expect((await run()).statusCode, name).toBeLessThan(500)
  expect(await faults()).toEqual([])
  await app.close()
  const endpoints = await state.db.selectFrom('usage').select('endpoint').distinct().execute()
  expect(endpoints.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(['getWaitTimes', 'getDelays']))
})

test('on a full disk what was answered is stored, what is refused says why, and space ends it without a restart', async () => {
  const { app, call, state } = await openHarness()
  await sql.raw('PRAGMA max_page_count = 1').execute(state.db)
  const register = () => call(null, '/api/agent/register', { method: 'POST', remoteAddress: `10.1.${network++}.1` })
  let network = 1
  const stored: string[] = []
  let refused = await register()
  for (; refused.statusCode === 201; refused = await register()) stored.push(refused.json().agent_id)
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({
    code: 'STATE_UNWRITABLE',
    detail: expect.stringContaining('its disk is full'),
  })
  expect(refused.headers['retry-after']).toBe('60')
  expect((await call('free', '/api/v1/airports/JFK/delays')).statusCode).toBe(200)
  expect((await app.inject('/health')).json().faults).toMatchObject([{ code: 'STATE_UNWRITABLE' }])
  await sql.raw('PRAGMA max_page_count = 1073741823').execute(state.db)
  expect((await register()).statusCode).toBe(201)
  expect((await app.inject('/health')).json().faults).toEqual([])
  const accounts = await state.db.selectFrom('accounts').select('id').execute()
  expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining(stored))
})

test.each([
  ['53100', 'its disk is full'],
  ['ENOSPC', 'its disk is full'],
  ['SQLITE_FULL', 'its disk is full'],
  ['25006', 'it is read-only'],
  ['EROFS', 'it is read-only'],
  ['SQLITE_READONLY_DBMOVED', 'it is read-only'],
  ['SQLITE_IOERR_WRITE', 'its disk is full or does not take what is written'],
])('%s means that nothing can be written', (code, reason) => {
  const error = asStateError(Object.assign(new Error('secret place'), { code })) as Error
  expect(error).toMatchObject({ code: 'STATE_UNWRITABLE', message: expect.stringContaining(reason) })
  expect(error.message).not.toContain('secret')
})
