import { expect, test } from 'vitest'
import { deliverMessagesTask, evaluateAlertsTask } from '../../../../api/accounts/alerts/periodic-tasks.ts'
import { auditLogOf } from '../../../../api/accounts/audit/audit-log.ts'
import { HoldshortError } from '../../../../config/errors.ts'
import { setUpAlerts, snapshotOf } from './alert-setup.ts'
import { startFakePushService } from './fake-push-service.ts'

const MINUTE = 60_000

async function watching(environment = {}) {
  const alerts = await setUpAlerts(environment)
  const service = await startFakePushService()
  const phone = service.browser('phone')
  await alerts.account('a')
  await alerts.connect('a', phone)
  await alerts.create('a')
  return { ...alerts, service, phone }
}

test('429 and 5xx are tried again, later each time, and Retry-After is kept to', async () => {
  const { publish, run, controls, phone, deliveries } = await watching()
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
  expect(phone.messages.map(({ at }) => at)).toEqual(['2026-11-21T14:21:00Z'])
  // What is left of the two hours, not two hours again.
  expect(Number(phone.requests[3]!.headers['ttl'])).toBeLessThan(7_200 - 16 * 60)
  expect(await runAt(30 * MINUTE)).toBe(4)
})

test('after two hours an alert is no news: it is dropped', async () => {
  const { publish, run, controls, phone, deliveries } = await watching()
  phone.answer = { status: 500 }
  await publish(50)
  for (let k = 0; k < 30; k++) {
    controls.now += 5 * MINUTE
    await run()
  }
  expect(await deliveries()).toMatchObject([{ state: 'dropped', error: 'the push service answered 500' }])
  expect(phone.requests.length).toBeGreaterThan(6)
  expect(phone.requests.length).toBeLessThan(20)
})

test.each([404, 410])('a browser that answers %i is dropped, and its owner can read so', async (status) => {
  const { publish, phone, state, service, connect } = await watching()
  const desk = service.browser('desk')
  await connect('a', desk, 'a desk')
  phone.answer = { status }
  await publish(50)
  const left = await state.db.selectFrom('push_subscriptions').select('label').execute()
  expect(left).toEqual([{ label: 'a desk' }])
  expect(desk.messages).toHaveLength(1)
  const told = (await auditLogOf(state.db, 'a', 10)).find(({ action }) => action === 'push_disconnected')
  expect(told).toMatchObject({ actor: 'service', detail: expect.stringContaining('"reason":"gone"') })
  expect(told!.detail).not.toContain('http')
})

test.each([400, 403, 413, 302])(
  '%i is a fault: dropped, logged without the endpoint, the browser kept',
  async (status) => {
    const { publish, dependencies, phone, deliveries, state } = await watching()
    const logged: string[] = []
    const write = (said: object, text: string) => logged.push(JSON.stringify(said) + text)
    Object.assign(dependencies, { logger: { error: write, info: write, warn: write } })
    phone.answer = { status }
    await publish(50)
    await publish(55, 60)
    expect(phone.requests).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ state: 'dropped', error: `the push service answered ${status}` }])
    expect(logged).toHaveLength(1)
    expect(logged[0]).not.toContain('/push/phone')
    expect(await state.db.selectFrom('push_subscriptions').select('id').execute()).toHaveLength(1)
  },
)

test('an endpoint that leads into a private network is not asked, whatever let it in', async () => {
  const { publish, phone, deliveries } = await watching({ HOLDSHORT_OUTWARD_ALLOW: '' })
  await publish(50)
  expect(phone.requests).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'dropped', error: 'the address must be https' }])
})

test('no answer at all is tried again', async () => {
  const { publish, run, dependencies, controls, deliveries } = await watching()
  let asked = 0
  const egress = async () => {
    asked++
    throw new HoldshortError('OUTWARD_FAILED', 'push.example could not be asked')
  }
  Object.assign(dependencies, { egress })
  await publish(50)
  controls.now += MINUTE
  await run()
  expect(asked).toBe(2)
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 2, error: 'no answer' }])
})

test('a browser whose keys are unusable holds nobody up', async () => {
  const { publish, deliveries, state, service, connect } = await watching()
  await connect('a', service.browser('desk'))
  await state.db.updateTable('push_subscriptions').set({ p256dh: 'x' }).where('endpoint', 'like', '%/phone').execute()
  await publish(50)
  expect((await deliveries()).map(({ state }) => state).sort()).toEqual(['dropped', 'sent'])
})

test('a process that is to stop leaves what is due to the next', async () => {
  const { dependencies, deliveries, controls, phone } = await watching()
  controls.snapshot = snapshotOf(controls.now, 50)
  await evaluateAlertsTask.run(dependencies, controls.now)
  await deliverMessagesTask.run(dependencies, controls.now, AbortSignal.abort())
  expect(phone.requests).toEqual([])
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 0 }])
})

test('many messages go out a few at a time', async () => {
  const { account, connect, create, publish, dependencies, service } = await setUpAlerts().then(async (alerts) => ({
    ...alerts,
    service: await startFakePushService(),
  }))
  let [now, most] = [0, 0]
  const egress = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 2))
    now--
    return { status: 201, headers: {}, body: Buffer.alloc(0) }
  }
  Object.assign(dependencies, { egress })
  for (let k = 0; k < 20; k++) {
    await account(`a${k}`)
    await connect(`a${k}`, service.browser(`phone-${k}`))
    await create(`a${k}`)
  }
  await publish(50)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
  const sent = await dependencies.state.db.selectFrom('deliveries').select('id').where('state', '=', 'sent').execute()
  expect(sent).toHaveLength(20)
})
