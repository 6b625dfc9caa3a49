import { expect, test } from 'vitest'
import { connectBrowser, MAX_BROWSERS } from '../../../accounts/alerts/connected-browsers.ts'
import { MAX_ALERTS } from '../../../accounts/alerts/create-alert.ts'
import { auditLogOf } from '../../../accounts/audit/audit-log.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { type Harness, openHarness } from '../../api/harness.ts'
import { readCases } from '../../values.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'
import { OWNER } from './alert-setup.ts'
import { startFakePushService } from './fake-push-service.ts'

const FIELDS = { airport: 'jfk', terminal: '', direction: 'above', threshold_minutes: '30', days: '7' }

async function opened(environment: Record<string, string> = { HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1' }) {
  const harness = await openHarness(environment)
  return { harness, person: await createSignedInPerson(harness), service: await startFakePushService() }
}

/** Sends what the page's script sends: JSON, with the CSRF token of the page in a header. */
async function connect({ app }: Harness, person: SignedInPerson, body: unknown, token?: string) {
  const page = await person.get('/alerts')
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const own = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  return app.inject({
    method: 'POST',
    url: '/alerts/browsers/connect',
    payload: JSON.stringify(body),
    headers: {
      cookie,
      'content-type': 'application/json',
      'csrf-token': token ?? own,
      'user-agent': 'Firefox/140 Android',
    },
  })
}
const idsIn = (body: string, action: string) =>
  [...body.matchAll(new RegExp(`action="${action}"[\\s\\S]*?name="id" value="([^"]+)"`, 'g'))].map(([, id]) => id!)

test('without a script an alert is created by code or name, listed with its current wait, and removed', async () => {
  const { person, harness } = await opened()
  const created = await person.post('/alerts/create', { ...FIELDS, quiet_from: '22:00', quiet_to: '06:00' }, '/alerts')
  expect([created.statusCode, created.headers['location']]).toEqual([303, '/alerts?said=created_unheard'])
  await person.post('/alerts/create', { ...FIELDS, airport: 'sao paulo', direction: 'below', terminal: '3' }, '/alerts')
  const { body } = await person.get('/alerts?said=created_unheard')
  expect(body).toContain('no browser is connected yet')
  expect(body).toMatch(/JFK over 30 min<span>John F\. Kennedy[\s\S]*?armed<span>now 14 min at T4, measured 2 min ago/)
  expect(body).toMatch(/quiet 22:00 to 06:00 \(America\/New_York\), until/)
  expect(body).toMatch(/GRU T3 under 30 min[\s\S]*?Nothing observes the queue now/)
  const ids = idsIn(body, '/alerts/remove')
  expect(ids).toHaveLength(2)
  for (const id of ids) expect((await person.post('/alerts/remove', { id }, '/alerts')).statusCode).toBe(303)
  expect((await person.post('/alerts/remove', { id: ids[0]! }, '/alerts')).statusCode).toBe(404)
  const actions = (await auditLogOf(harness.state.db, person.account_id, 10)).map(({ action }) => action)
  expect(actions.sort()).toEqual(['alert_created', 'alert_created', 'alert_removed', 'alert_removed'])
})

/** Fields of the form that are refused, and what is said at them. */
const REFUSED = readCases<[what: string, over: Record<string, string>, fault: string][]>(
  'accounts/alerts/form-faults.json',
)

test('a fault is shown at its field, and the other fields keep their values', async () => {
  const { person } = await opened()
  for (const [name, over, expectedText] of REFUSED) {
    const answer = await person.post('/alerts/create', { ...FIELDS, terminal: 'T4', ...over }, '/alerts')
    expect(answer.statusCode, name).toBe(400)
    expect(answer.body, name).toContain(expectedText)
    expect(answer.body, name).not.toContain('<b>')
    expect(answer.body.match(/aria-invalid/g), name).toHaveLength(1)
    if (!('terminal' in over)) expect(answer.body, name).toContain('name="terminal" value="T4"')
  }
})

test('an account has at most fifty alerts, also with many requests at once', async () => {
  const { person, harness } = await opened()
  const page = await person.get('/alerts')
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.body)![1]!
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const create = (threshold_minutes: number) => {
    const payload = new URLSearchParams({ ...FIELDS, _csrf, threshold_minutes: String(threshold_minutes) })
    return harness.app.inject({ method: 'POST', url: '/alerts/create', headers, payload: payload.toString() })
  }
  const answers = await Promise.all(Array.from({ length: MAX_ALERTS + 3 }, (_, index) => create(index + 1)))
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 303)).toHaveLength(MAX_ALERTS)
  expect(statuses.filter((status) => status === 409)).toHaveLength(3)
  // One that the account has is no further one.
  const kept = statuses.indexOf(303) + 1
  expect((await create(kept)).statusCode).toBe(303)
})

test('a browser is connected, tested and disconnected', async () => {
  const { harness, person, service } = await opened()
  const phone = service.browser('phone')
  const answer = await connect(harness, person, { ...phone.subscription, expirationTime: null })
  expect([answer.statusCode, answer.json()]).toEqual([200, { label: 'Firefox on Android' }])
  const { body } = await person.get('/alerts')
  expect(body).not.toContain(phone.subscription.endpoint)
  const [id = ''] = idsIn(body, '/alerts/browsers/test')
  expect((await person.post('/alerts/browsers/test', { id }, '/alerts')).headers['location']).toBe(
    '/alerts?said=test_sent',
  )
  expect(phone.messages).toMatchObject([{ title: 'Holdshort: a test', body: 'Alerts reach Firefox on Android.' }])
  phone.answer = { status: 503 }
  const later = await person.post('/alerts/browsers/test', { id }, '/alerts')
  expect(later.headers['location']).toBe('/alerts?said=test_waiting')
  phone.answer = { status: 410 }
  const gone = await person.post('/alerts/browsers/test', { id }, '/alerts')
  expect(gone.headers['location']).toBe('/alerts?said=test_gone')
  expect((await person.get('/alerts')).body).toContain('No browser is connected yet: until one is')

  await connect(harness, person, { ...service.browser('desk').subscription, label: ' Desk <1> ' })
  const again = await person.get('/alerts')
  expect(again.body).toContain('Desk &lt;1>')
  const [desk = ''] = idsIn(again.body, '/alerts/browsers/disconnect')
  expect((await person.post('/alerts/browsers/disconnect', { id: desk }, '/alerts')).statusCode).toBe(303)
  expect(await harness.state.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([])
})

test('at most five test messages in ten minutes', async () => {
  const { harness, person, service } = await opened()
  const phone = service.browser('phone')
  await connect(harness, person, phone.subscription)
  const [id = ''] = idsIn((await person.get('/alerts')).body, '/alerts/browsers/test')
  const statuses = []
  for (let k = 0; k < 6; k++) statuses.push((await person.post('/alerts/browsers/test', { id }, '/alerts')).statusCode)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
  expect(phone.messages).toHaveLength(5)
})

test('an account cannot see, test, disconnect or remove anything of another account', async () => {
  const { harness, person, service } = await opened()
  const other = await createSignedInPerson(harness)
  const phone = service.browser('phone')
  await connect(harness, person, phone.subscription)
  await person.post('/alerts/create', FIELDS, '/alerts')
  const { body } = await person.get('/alerts')
  const [browser = ''] = idsIn(body, '/alerts/browsers/test')
  const [alert = ''] = idsIn(body, '/alerts/remove')
  const theirs = await other.get('/alerts')
  expect(theirs.body).not.toContain(browser)
  expect(theirs.body).not.toContain(alert)
  for (const [action, id] of [
    ['browsers/test', browser],
    ['browsers/disconnect', browser],
    ['remove', alert],
  ] as const)
    expect((await other.post(`/alerts/${action}`, { id }, '/alerts')).statusCode, action).toBe(404)
  expect(phone.requests).toEqual([])
  const after = await person.get('/alerts')
  expect([idsIn(after.body, '/alerts/browsers/test'), idsIn(after.body, '/alerts/remove')]).toEqual([
    [browser],
    [alert],
  ])
})

test('a browser that connects to another account moves to it, and the audit logs of both record it', async () => {
  const { harness, person, service } = await opened()
  const other = await createSignedInPerson(harness)
  const phone = service.browser('phone')
  await connect(harness, person, phone.subscription)
  await connect(harness, person, phone.subscription)
  await connect(harness, other, phone.subscription)
  const rows = await harness.state.db.selectFrom('push_subscriptions').selectAll().execute()
  expect(rows.map(({ account_id }) => account_id)).toEqual([other.account_id])
  const actions = async ({ account_id }: SignedInPerson) =>
    (await auditLogOf(harness.state.db, account_id, 10)).map(({ action }) => action).sort()
  expect(await actions(person)).toEqual(['push_connected', 'push_disconnected'])
  expect(await actions(other)).toEqual(['push_connected'])
})

test('an account has at most ten browsers, and the page says so', async () => {
  const { harness, person, service } = await opened()
  for (let k = 0; k < MAX_BROWSERS; k++) {
    const { subscription } = service.browser(`phone-${k}`)
    await connectBrowser(harness.state, person.account_id, { ...subscription, label: `phone ${k}` }, OWNER, NOW)
  }
  const answer = await connect(harness, person, service.browser('one-more').subscription)
  expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'CONFLICT' }])
  expect((await person.get('/alerts')).body).toContain('No more than 10 browsers')
})

/** What of a subscription is changed so that it is of no use. */
const UNUSABLE = readCases<{
  browsers: [what: string, over: { endpoint?: string; keys?: Record<string, string> | null }][]
}>('accounts/alerts/unusable-browsers.json').browsers

test('an invalid push subscription, or one in a private network, is refused when it is connected', async () => {
  const { harness, person, service } = await opened({})
  const { keys } = service.browser('phone').subscription
  for (const [name, over] of UNUSABLE) {
    const subscription = {
      endpoint: over.endpoint ?? 'https://push.example.org/x',
      keys: over.keys === null ? 1 : { ...keys, ...over.keys },
    }
    const answer = await connect(harness, person, subscription)
    expect([answer.statusCode, answer.json()], name).toMatchObject([400, { code: 'INVALID_PARAMETER' }])
  }
  expect(await harness.state.db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([])
})

test('connecting a browser needs the CSRF token of the page', async () => {
  const { harness, person, service } = await opened()
  const answer = await connect(harness, person, service.browser('phone').subscription, 'another')
  expect(answer.statusCode).toBe(403)
})

test('a browser whose push subscription was replaced goes on with the new one, without a sign-in', async () => {
  const { harness, person, service } = await opened()
  const [former, next] = [service.browser('former'), service.browser('next')]
  await connect(harness, person, { ...former.subscription, label: 'phone' })
  const renew = (payload: object, headers: Record<string, string> = {}) =>
    harness.app.inject({ method: 'POST', url: '/alerts/browsers/renew', payload, headers })
  const order = { former_endpoint: former.subscription.endpoint, ...next.subscription }
  expect((await renew(order, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect((await renew(next.subscription)).json().message).toContain('former_endpoint')
  expect((await renew({ ...order, former_endpoint: `${service.origin}/push/unknown` })).statusCode).toBe(404)
  expect((await renew({ ...order, endpoint: 'http://10.0.0.1/push' })).json().message).toContain('endpoint')
  expect((await renew(order)).statusCode).toBe(204)
  const { endpoint, label, p256dh } = await harness.state.db
    .selectFrom('push_subscriptions')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect({ endpoint, label, p256dh }).toEqual({
    endpoint: next.subscription.endpoint,
    label: 'phone',
    p256dh: next.subscription.keys.p256dh,
  })
  expect((await renew(order)).statusCode).toBe(404)
})

test('a browser whose push service refuses messages is to be connected again', async () => {
  const { harness, person, service } = await opened()
  const phone = service.browser('phone')
  await connect(harness, person, { ...phone.subscription, label: 'phone' })
  const [id] = idsIn((await person.get('/alerts')).body, '/alerts/browsers/test')
  const words = 'disconnect it, and connect it again'
  phone.answer = { status: 403 }
  await person.post('/alerts/browsers/test', { id: id! }, '/alerts')
  expect((await person.get('/alerts')).body).toContain(words)
  phone.answer = { status: 201 }
  harness.controls.now += 1_000
  await person.post('/alerts/browsers/test', { id: id! }, '/alerts')
  expect((await person.get('/alerts')).body).not.toContain(words)
})
