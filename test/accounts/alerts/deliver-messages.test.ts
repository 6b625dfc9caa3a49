import { expect, test } from 'vitest'
import { renewBrowser } from '../../../accounts/alerts/connected-browsers.ts'
import { deliverMessagesTask, evaluateAlertsTask } from '../../../accounts/alerts/periodic-tasks.ts'
import { auditLogOf } from '../../../accounts/audit/audit-log.ts'
import { HoldshortError } from '../../../config/errors.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { setUpAlerts, setUpWatch, snapshotOf } from './alert-setup.ts'
import { startFakePushService } from './fake-push-service.ts'

const MINUTE = 60_000

test('retries after 429 and 5xx with growing delays and honours Retry-After', async () => {
  const { publish, run, controls, phone, deliveries } = await setUpWatch()
  const runAt = async (ms: number) => {
    controls.now += ms
    await run()
    return phone.requests.length
  }
  phone.answer = { status: 429, headers: { 'retry-after': '300' } }
  await publish(50)
  expect(await runAt(299_000)).toBe(1)
  phone.answer = { status: 500 }
  expect(await runAt(1_000)).toBe(2)
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 2, error: 'the push service answered 500' }])
  expect(await runAt(59_000)).toBe(2)
  phone.answer = { status: 503, headers: { 'retry-after': new Date(controls.now + 11 * MINUTE).toUTCString() } }
  expect(await runAt(1_000)).toBe(3)
  expect(await runAt(10 * MINUTE)).toBe(3)
  phone.answer = { status: 201 }
  expect(await runAt(MINUTE)).toBe(4)
  expect(phone.messages.map(({ at: sent_at }) => sent_at)).toEqual(['2026-11-21T14:21:00Z'])
  // The TTL is the rest of the two hours.
  expect(Number(phone.requests[3]!.headers['ttl'])).toBeLessThan(7_200 - 16 * 60)
  expect(await runAt(30 * MINUTE)).toBe(4)
})

test.each([
  ['is cut off', 'accepted'],
  ['is large', 'a'.repeat(100_000)],
])('a message that was accepted is not sent again although the body of the answer %s', async (_what, body) => {
  const { publish, run, controls, phone, deliveries } = await setUpWatch()
  phone.answer = { status: 201, body, headers: { 'content-length': '200000' } }
  await publish(50)
  controls.now += 30 * MINUTE
  await run()
  expect(phone.messages).toHaveLength(1)
  expect(await deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }])
})

test.each([404, 410])(
  'removes a browser for which the push service answers %i, and the audit log records it',
  async (status) => {
    const { publish, phone, state, service, connect } = await setUpWatch()
    const desktop = service.browser('desktop')
    await connect('a', desktop, 'a desktop')
    phone.answer = { status }
    await publish(50)
    const left = await state.db.selectFrom('push_subscriptions').select('label').execute()
    expect(left).toEqual([{ label: 'a desktop' }])
    expect(desktop.messages).toHaveLength(1)
    const entry = (await auditLogOf(state.db, 'a', 10)).find(({ action }) => action === 'push_disconnected')
    expect(entry).toMatchObject({ actor: 'service', detail: expect.stringContaining('"reason":"gone"') })
    expect(entry!.detail).not.toContain('http')
  },
)

test.each([400, 403, 413, 302])(
  'after %i the message is dropped, the log does not contain the endpoint and the browser stays connected',
  async (status) => {
    const { publish, dependencies, phone, deliveries, state } = await setUpWatch()
    const logged: string[] = []
    const write = (fields: object, text: string) => logged.push(JSON.stringify(fields) + text)
    Object.assign(dependencies, { logger: { error: write, info: write, warn: write } })
    phone.answer = { status }
    await publish(50)
    await publish(55, 60)
    expect(phone.requests).toHaveLength(1)
    const error =
      status < 404 && status >= 400
        ? `the push service refuses the browser: ${status}`
        : `the push service answered ${status}`
    expect(await deliveries()).toMatchObject([{ state: 'dropped', error }])
    expect(logged).toHaveLength(1)
    expect(logged[0]).not.toContain('/push/phone')
    expect(await state.db.selectFrom('push_subscriptions').select('id').execute()).toHaveLength(1)
  },
)

test.each([404, 403])(
  'a browser that renews its push subscription while the former one is answered %i keeps the new one, and gets the message there',
  async (status) => {
    const { publish, state, service, phone, dependencies, deliveries } = await setUpWatch()
    const renewed = service.browser('renewed')
    const asked: string[] = []
    const egress = async (url: string) => {
      asked.push(url)
      const isFormer = url === phone.subscription.endpoint
      if (isFormer) await renewBrowser(state, url, renewed.subscription, NOW)
      return { status: isFormer ? status : 201, headers: {}, body: Buffer.alloc(0) }
    }
    Object.assign(dependencies, { egress })
    await publish(50)
    expect(asked).toEqual([phone.subscription.endpoint, renewed.subscription.endpoint])
    expect(await deliveries()).toMatchObject([{ state: 'sent', error: null }])
    const left = await state.db.selectFrom('push_subscriptions').select('endpoint').execute()
    expect(left).toEqual([{ endpoint: renewed.subscription.endpoint }])
  },
)

test('sends no request to an endpoint in a private network', async () => {
  const { publish, phone, deliveries } = await setUpWatch({}, { HOLDSHORT_OUTWARD_ALLOW: '' })
  await publish(50)
  expect(phone.requests).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'dropped', error: 'the address must be https' }])
})

test('a browser with unusable keys does not delay other browsers', async () => {
  const { publish, deliveries, state, service, connect } = await setUpWatch()
  await connect('a', service.browser('desktop'))
  await state.db.updateTable('push_subscriptions').set({ p256dh: 'x' }).where('endpoint', 'like', '%/phone').execute()
  await publish(50)
  expect((await deliveries()).map(({ state }) => state).sort()).toEqual(['dropped', 'sent'])
})

test('a stopping process leaves due messages to the next process', async () => {
  const { dependencies, deliveries, controls, phone } = await setUpWatch()
  controls.snapshot = snapshotOf(controls.now, 50)
  await evaluateAlertsTask.run(dependencies, controls.now)
  await deliverMessagesTask.run(dependencies, controls.now, AbortSignal.abort())
  expect(phone.requests).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }])
})

test('sends at most eight messages at a time', async () => {
  const { account, connect, create, publish, dependencies, service } = await setUpAlerts().then(async (alerts) => ({
    ...alerts,
    service: await startFakePushService(),
  }))
  let concurrent = 0
  let highest = 0
  const egress = async () => {
    concurrent++
    highest = Math.max(highest, concurrent)
    await new Promise((resolve) => setTimeout(resolve, 2))
    concurrent--
    return { status: 201, headers: {}, body: Buffer.alloc(0) }
  }
  Object.assign(dependencies, { egress })
  for (let k = 0; k < 20; k++) {
    await account(`a${k}`)
    await connect(`a${k}`, service.browser(`phone-${k}`))
    await create(`a${k}`)
  }
  await publish(50)
  expect(highest).toBeGreaterThan(1)
  expect(highest).toBeLessThanOrEqual(8)
  const sent = await dependencies.state.db.selectFrom('deliveries').select('id').where('state', '=', 'sent').execute()
  expect(sent).toHaveLength(20)
})

test('a browser whose push service does not answer holds up nobody else, and gets each message once it answers', async () => {
  const { account, connect, create, publish, run, controls, dependencies, deliveries, phone, service } =
    await setUpWatch()
  for (let threshold = 11; threshold < 60; threshold++)
    if (threshold !== 30) await create('a', { threshold_minutes: threshold })
  const requested: string[] = []
  let answers = false
  Object.assign(dependencies, {
    egress: async (endpoint: string) => {
      requested.push(endpoint)
      await new Promise((resolve) => setTimeout(resolve, 2))
      if (!answers && endpoint === phone.subscription.endpoint) throw new HoldshortError('OUTWARD_FAILED', 'no answer')
      return { status: 201, headers: {}, body: Buffer.alloc(0) }
    },
  })
  await publish(100)
  const attempts = requested.length
  expect(attempts, 'those under way when the first one failed').toBeLessThanOrEqual(8)
  await account('b')
  const other = service.browser('other')
  await connect('b', other)
  await create('b')
  controls.now += MINUTE
  await run()
  const before = requested.slice(attempts).indexOf(other.subscription.endpoint)
  expect(before, 'requests before that of another browser').toBeLessThanOrEqual(8)
  expect(requested).toContain(other.subscription.endpoint)
  answers = true
  controls.now += 2 * MINUTE
  await run()
  expect((await deliveries()).map(({ state }) => state)).toEqual(Array(50).fill('sent'))
})

test('new messages of browsers that did not answer wait behind those of others', async () => {
  const { account, connect, create, publish, dependencies, service } = await setUpAlerts().then(async (alerts) => ({
    ...alerts,
    service: await startFakePushService(),
  }))
  const requested: string[] = []
  Object.assign(dependencies, {
    egress: async (endpoint: string) => {
      requested.push(endpoint)
      if (endpoint.includes('dead')) throw new HoldshortError('OUTWARD_FAILED', 'no answer')
      return { status: 201, headers: {}, body: Buffer.alloc(0) }
    },
  })
  const names = [...Array.from({ length: 65 }, (_, index) => `dead-${index}`), 'live']
  for (const name of names) {
    await account(name)
    await connect(name, service.browser(name))
    await create(name)
    await create(name, { threshold_minutes: 60 })
  }
  await publish(50)
  const before = requested.length
  await publish(100)
  const place = requested.slice(before).findIndex((endpoint) => endpoint.includes('live'))
  expect([before, place]).toEqual([names.length, 0])
})

test('browsers whose push services give no answer keep those of others waiting for a moment only', async () => {
  const { account, connect, create, controls, dependencies, state } = await setUpAlerts()
  const service = await startFakePushService()
  const live = service.browser('live')
  let giveUp = (): void => undefined
  const timeLimit = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  let unanswered = 0
  let before: number | null = null
  Object.assign(dependencies, {
    egress: async (endpoint: string) => {
      if (endpoint === live.subscription.endpoint) {
        before = unanswered
        giveUp()
        return { status: 201, headers: {}, body: Buffer.alloc(0) }
      }
      unanswered++
      const timer = setTimeout(giveUp, 15_000)
      await timeLimit
      clearTimeout(timer)
      unanswered--
      throw new HoldshortError('OUTWARD_FAILED', 'no answer')
    },
  })
  const browsers = Array.from({ length: 20 }, (_, index) => service.browser(`dead-${index}`))
  for (const browser of [...browsers, live]) {
    await account(browser.subscription.endpoint)
    await connect(browser.subscription.endpoint, browser)
    await create(browser.subscription.endpoint)
  }
  controls.snapshot = snapshotOf(controls.now, 50)
  await evaluateAlertsTask.run(dependencies, controls.now)
  const { id } = await state.db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', live.subscription.endpoint)
    .executeTakeFirstOrThrow()
  const earlier = new Date(controls.now - MINUTE).toISOString()
  await state.db.updateTable('deliveries').set({ due_at: earlier }).where('subscription_id', '!=', id).execute()
  await deliverMessagesTask.run(dependencies, controls.now)
  // Eight begin together: were each waited for, no more than seven others had no answer.
  expect(before, 'requests without an answer when that of the live browser began').toBeGreaterThan(8)
  const rows = await state.db.selectFrom('deliveries').select(['state', 'attempts']).execute()
  expect(rows.map(({ state, attempts }) => `${state} ${attempts}`).toSorted()).toEqual([
    'sent 1',
    ...Array<string>(20).fill('waiting 1'),
  ])
})

test('a pause of hours that a push service asks for holds for what else waits for the browser', async () => {
  const { create, publish, run, controls, phone } = await setUpWatch()
  for (let threshold = 11; threshold < 60; threshold++)
    if (threshold !== 30) await create('a', { threshold_minutes: threshold })
  phone.answer = { status: 429, headers: { 'retry-after': '18000' } }
  await publish(100)
  for (let minute = 0; minute < 5; minute++) {
    controls.now += MINUTE
    await run()
  }
  expect(phone.requests.length, 'those under way when the first one was answered').toBeLessThanOrEqual(8)
})
