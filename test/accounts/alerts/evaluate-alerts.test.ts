import { expect, test, vi } from 'vitest'
import { disconnectBrowser, listBrowsers } from '../../../accounts/alerts/connected-browsers.ts'
import { removeAlert } from '../../../accounts/alerts/create-alert.ts'
import { unobservedText } from '../../../accounts/alerts/observed-wait.ts'
import { deleteExpiredAlertsTask } from '../../../accounts/alerts/periodic-tasks.ts'
import { vapidKeys } from '../../../accounts/alerts/vapid.ts'
import { UNKNOWN_STATUS } from '../../../config/answer-schemas.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { NO_ANSWER } from '../../../warehouse/publishing/read/delays.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { CLOSED_AT_NIGHT, fakeSnapshot, measured, NOTHING } from '../../api/fake-snapshot.ts'
import { insertRow } from '../../api/state/insert-row.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { OWNER, setUpAlerts, setUpWatch, snapshotOf } from './alert-setup.ts'

/** An account with one alert (JFK above 30) and one browser. */
test('a crossing is sent to the browser once, encrypted and signed, and again only after the wait has returned', async () => {
  const { publish, phone, created, service, state, controls } = await setUpWatch()
  expect(created).toMatchObject({ connected_browsers: 1, observed_now: true })
  await publish(30)
  expect(phone.requests).toEqual([])
  await publish(42)
  expect(phone.errors).toEqual([])
  expect(phone.messages).toEqual([
    {
      title: 'JFK security: 42 min (above your 30)',
      body: 'T4 only. Measured by an import of the operator (panynj) 2 min ago, at 9:20\u00a0am local time.',
      url: '/alerts',
      tag: created.alert.id,
      at: '2026-11-21T14:22:00Z',
    },
  ])
  const { headers, claims, key } = phone.requests[0]!
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '7200' })
  expect(headers['topic']).toMatch(/^[\w-]{32}$/)
  expect(key).toBe((await vapidKeys(state, NOW)).publicKey)
  const exp = controls.now / 1000 + 12 * 3_600
  expect(claims).toEqual({ aud: service.origin, exp, sub: 'https://github.com/holdshort/holdshort' })

  for (const wait of [50, 29, 31, 25, 60]) await publish(wait)
  expect(phone.messages).toHaveLength(1)
  await publish(24)
  await publish(31)
  expect(phone.messages.map(({ title }) => title.slice(0, 20))).toEqual([
    'JFK security: 42 min',
    'JFK security: 31 min',
  ])
  // The same topic: a push service that still holds the first message replaces it.
  expect(phone.requests[1]!.headers['topic']).toBe(headers['topic'])
  const { delivered_at } = await state.db.selectFrom('push_subscriptions').selectAll().executeTakeFirstOrThrow()
  expect(delivered_at).toBe(new Date(controls.now).toISOString().replace('.000Z', 'Z'))
})

test('an alert that is asked for again fires again while its threshold is crossed, unless it has just fired', async () => {
  const { publish, phone, create, controls } = await setUpWatch()
  await publish(42)
  expect(await create('a')).toMatchObject({ crossed_now: null, alert: { state: 'fired' } })
  await publish(43)
  expect(phone.messages).toHaveLength(1)
  controls.now += 10 * 60_000
  await publish(44)
  expect(phone.messages).toHaveLength(1)
  expect(await create('a')).toMatchObject({ crossed_now: 44, alert: { state: 'armed' } })
  await publish(45)
  await publish(46)
  expect(phone.messages.map(({ title }) => title.slice(0, 20))).toEqual([
    'JFK security: 42 min',
    'JFK security: 45 min',
  ])
})

test('an alert of a terminal fires by whatever name a source has for it, and says the name of every other face', async () => {
  for (const [stored, named] of [
    ['4', '4'],
    ['T4', '4'],
    ['4', 'Terminal 4'],
  ] as const) {
    const { publish, phone, state } = await setUpWatch({ terminal: 't4', direction: 'below', threshold_minutes: 15 })
    await state.db.updateTable('alerts').set({ terminal: stored }).execute()
    const terminals = measured(NOW + 60_000, 14).terminals.map((terminal) => ({ ...terminal, terminal: named }))
    await publish({ ...measured(NOW, 90), terminals })
    expect(phone.messages.map(({ title }) => title)).toEqual(['JFK T4 security: 14 min (below your 15)'])
  }
})

test('the message of an airport says what differs behind its average: the range, the longest terminal and what is closed', async () => {
  const { publish, phone } = await setUpWatch()
  const [terminal] = measured(NOW, 70).terminals as [ReturnType<typeof measured>['terminals'][number]]
  const terminalWith = (name: string, wait_minutes: number | null, status: 'open' | 'closed') => ({
    ...terminal,
    terminal: name,
    wait_minutes,
    status,
    checkpoints: terminal.checkpoints.map((checkpoint) => ({ ...checkpoint, wait_minutes, status })),
  })
  const terminals = [terminalWith('T4', 70, 'open'), terminalWith('T5', 10, 'open'), terminalWith('T8', null, 'closed')]
  await publish({ ...measured(NOW, 40), terminals } as ReturnType<typeof measured>)
  expect(phone.messages.map(({ title, body }) => [title, body])).toEqual([
    [
      'JFK security: 40 min (above your 30)',
      '10–70 min, longest at T4; T8 closed; 40 min on average. Measured by an import of the operator (panynj) 3 min ago, at 9:18\u00a0am local time.',
    ],
  ])
})

test('while airlines are shut out nothing fires, and the alert says until when', async () => {
  const { run, controls, phone, create, deliveries } = await setUpWatch()
  const closure = { ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true }
  controls.snapshot = fakeSnapshot(NOW, {
    queues: { 'JFK security': measured(NOW, 90) },
    delays: { JFK: { ...NO_ANSWER, status: 'closed', closures: [closure] } },
  })
  await run()
  expect(await deliveries()).toEqual([])
  expect(await create('a', { threshold_minutes: 31 })).toMatchObject({ observed_now: false, crossed_now: null })
  expect(unobservedText(controls.snapshot, { iata: 'JFK', terminal: null }, NOW)).toBe(
    'JFK is closed to airlines until 08:30 on Mon 30 Nov: nothing is sent until a wait is observed',
  )
  controls.snapshot = snapshotOf(NOW, 90)
  await run()
  expect(phone.messages).toHaveLength(2)
})

test.each([
  ['a prediction', { basis: 'predicted' }],
  ['a typical wait', { basis: 'typical' }],
  ['a measurement over an hour old', { freshness: 'stale' }],
  ['an expired measurement', { freshness: 'expired' }],
  ['no wait', NOTHING],
])('%s fires nothing', async (_, over) => {
  const { publish, phone, deliveries } = await setUpWatch()
  await publish({ ...measured(NOW, 90), ...over } as ReturnType<typeof measured>)
  expect(await deliveries()).toEqual([])
  await publish({ ...measured(NOW, 90), basis: 'reported', source: 'crowd', freshness: 'recent' })
  expect(phone.messages.map(({ body }) => body)).toEqual([
    'T4 only. Reported by travellers 4 min ago, at 9:18\u00a0am local time.',
  ])
})

test('a 0 that may be that of a closed queue is sent with its condition', async () => {
  const { publish, phone } = await setUpWatch({ direction: 'below', threshold_minutes: 15 })
  await publish({ ...measured(NOW, 0), ...UNKNOWN_STATUS })
  expect(phone.messages.map(({ title }) => title)).toEqual(['JFK security: 0 min if open now (below your 15)'])
})

test('nothing is sent in quiet hours; the alert fires at their end if the wait is still above', async () => {
  // It is 09:20 in New York.
  const { publish, phone } = await setUpWatch({ quiet_from: '22:00', quiet_to: '09:30' })
  await publish(50)
  await publish(50, 8)
  expect(phone.requests).toEqual([])
  await publish(45, 1)
  expect(phone.messages.map(({ title }) => title)).toEqual(['JFK security: 45 min (above your 30)'])
})

test('a message that could not be sent before the quiet hours is dropped when they begin', async () => {
  const { publish, run, controls, phone, deliveries } = await setUpWatch({ quiet_from: '10:00', quiet_to: '12:00' })
  phone.answer = { status: 503 }
  await publish(50)
  // The quiet hours begin in 39 minutes, so the push service may hold the message that long.
  expect(phone.requests[0]!.headers).toMatchObject({ ttl: String(39 * 60) })
  controls.now += 39 * 60_000
  phone.answer = { status: 201 }
  await run()
  expect(phone.messages).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'dropped', error: 'too late' }])
})

test('an expired alert does not fire and is deleted', async () => {
  const { publish, phone, state, dependencies, controls } = await setUpWatch({ expires_at: '2026-11-21T14:22:00Z' })
  await publish(50, 2)
  expect(phone.requests).toEqual([])
  await deleteExpiredAlertsTask.run(dependencies, controls.now)
  expect(await state.db.selectFrom('alerts').selectAll().execute()).toEqual([])
})

test('finished deliveries are deleted after a day', async () => {
  const { publish, deliveries, dependencies, controls } = await setUpWatch()
  await publish(50)
  await deleteExpiredAlertsTask.run(dependencies, controls.now + DAY_MS - 1)
  expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }])
  await deleteExpiredAlertsTask.run(dependencies, controls.now + DAY_MS + 1)
  expect(await deliveries()).toEqual([])
})

test('the message of a simulated world begins with SIMULATED', async () => {
  const { publish, phone, controls } = await setUpWatch()
  controls.snapshot = snapshotOf(controls.now, 10, true)
  await publish(50)
  expect(phone.messages[0]!.title).toBe('SIMULATED: JFK security: 50 min (above your 30)')
  expect(phone.messages[0]!.body).toMatch(/^From a simulated world: do not travel by it\. T4 only\. Measured/)
})

test('an alert waits until a browser is connected, then is sent to every browser of its account and no other', async () => {
  const { account, create, publish, run, service, connect, deliveries } = await setUpWatch()
  await account('b')
  expect(await create('b')).toMatchObject({ connected_browsers: 0 })
  await publish(50)
  expect(await deliveries()).toHaveLength(1)
  const phone = service.browser('b-phone')
  const desktop = service.browser('b-desktop')
  await connect('b', phone)
  await connect('b', desktop)
  await run()
  expect([phone.messages.length, desktop.messages.length]).toEqual([1, 1])
  expect(await deliveries()).toHaveLength(3)
})

test.each([
  [410, 0],
  [403, 0],
  [201, 1],
])(
  'an alert whose message was answered %i before its browser is connected anew has reached %i browsers, and reaches one in all',
  async (status, heard) => {
    const { publish, run, phone, service, connect, state, controls } = await setUpWatch()
    phone.answer = { status }
    await publish(50)
    expect(phone.messages).toHaveLength(heard)
    for (const { id } of await listBrowsers(state.db, 'a')) await disconnectBrowser(state, 'a', id, OWNER, controls.now)
    await publish(50)
    const anew = service.browser('anew')
    await connect('a', anew)
    await run()
    await publish(50)
    expect(phone.messages.length + anew.messages.length).toBe(1)
  },
)

test('an alert whose last browser is disconnected while it is evaluated waits for the next one', async () => {
  const { publish, run, phone, service, connect, state, controls } = await setUpWatch()
  const [browser] = await listBrowsers(state.db, 'a')
  const disconnectFirst = async (work: Parameters<ReturnType<typeof state.db.transaction>['execute']>[0]) => {
    await disconnectBrowser(state, 'a', browser!.id, OWNER, controls.now)
    return state.db.transaction().execute(work)
  }
  vi.spyOn(state.db, 'transaction').mockImplementationOnce(() => ({ execute: disconnectFirst }) as never)
  await publish(50)
  const anew = service.browser('anew')
  await connect('a', anew)
  await run()
  expect([phone.messages.length, anew.messages.length]).toEqual([0, 1])
})

test('of two processes on one state only one sends, and an older snapshot changes nothing back', async () => {
  const first = await setUpWatch()
  const two = await setUpAlerts({}, first.state)
  const late = snapshotOf(NOW + 60_000, 50)
  two.controls.now = NOW + 60_000
  two.controls.snapshot = late
  await Promise.all([first.publish(50), two.run(), two.run()])
  expect(first.phone.messages).toHaveLength(1)
  expect(await first.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }])
  // The first process sees the wait return; the second still has the older snapshot.
  await first.publish(5)
  await two.run()
  expect(first.phone.messages).toHaveLength(1)
  await first.publish(50)
  expect(first.phone.messages).toHaveLength(2)
})

test.runIf(EXHAUSTIVE)('ten thousand alerts are evaluated in less than a second of processor time', async () => {
  const { state, account, create, run, publish } = await setUpAlerts()
  for (let k = 0; k < 200; k++) {
    const account_id = await account(`a${k}`)
    await insertRow(state, 'push_subscriptions', { id: `push_${k}`, account_id, endpoint: `https://push.example/${k}` })
  }
  const { alert } = await create('a0')
  for (let k = 0; k < 200; k++) {
    const more = Array.from({ length: 50 }, (_, n) => ({ ...alert, id: `alert_${k}_${n}`, account_id: `a${k}` }))
    await state.db.insertInto('alerts').values(more).execute()
  }
  await publish(10)
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(1_000)
  expect(await state.db.selectFrom('alerts').select('id').where('state', '=', 'fired').execute()).toEqual([])
})

test('removing an alert also drops its undelivered messages', async () => {
  const { publish, phone, state, created, deliveries } = await setUpWatch()
  phone.answer = { status: 503 }
  await publish(50)
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 1 }])
  await removeAlert(state, 'a', created.alert.id, OWNER, NOW)
  phone.answer = { status: 201 }
  await publish(60, 5)
  expect(phone.messages).toEqual([])
  expect(await deliveries()).toEqual([])
})
