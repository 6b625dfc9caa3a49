import { expect, test } from 'vitest'
import { connectBrowser } from '../../../accounts/alerts/connected-browsers.ts'
import { createSignedInPerson } from '../../accounts/people/signed-in-person.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { closedUnknown, measured, preCheckOnly } from '../fake-snapshot.ts'
import { shareHarness } from '../harness.ts'
import { call, connect } from '../mcp-clients.ts'

const harness = shareHarness()

const TOOL = 'create_wait_time_alert'
const ORDER = { iata: 'JFK', direction: 'above', threshold_minutes: 30 }

test('says where to connect a browser, or that nobody can sign in to the account', async () => {
  const client = await connect(harness, 'pro', 'client 2')
  const alone = await call(client, TOOL, ORDER)
  expect(alone.structuredContent).toMatchObject({ connectable: false, connected_browsers: 0, observed_now: true })
  expect(alone.content[0]!.text).toMatch(
    /^No notifications will be sent when security at JFK takes more than 30 min: .* no person can sign in to it\. The queue is observed now\.\n/,
  )
  expect(alone.content[0]!.text).toMatch(
    /1\. The person signs up at http\S+\/signup\.\n2\. On each phone .*\/alerts, sign in/,
  )
  expect(alone.structuredContent).toMatchObject({
    stored: true,
    next_steps: [{}, {}, {}].map(() => expect.any(String)),
  })
  const now = await call(client, TOOL, { ...ORDER, threshold_minutes: 1 })
  expect(now.content[0]!.text.split('\n')[0]).toMatch(
    /That is so now, \d+ min at T4: it fires at once when a phone or computer is connected\.$/,
  )
  await createSignedInPerson(harness, { account_id: harness.keys.pro.account_id })
  const person = await call(client, TOOL, { ...ORDER, quiet_from: '22:00', quiet_to: '06:00' })
  expect(person.structuredContent).toMatchObject({ connectable: true, quiet_from: '22:00' })
  expect(person.content[0]!.text).toMatch(
    /^No notifications will be sent yet when security at JFK takes more than 30 min/,
  )
  const unobserved = await call(client, TOOL, { ...ORDER, iata: 'LGA' })
  expect(unobserved.content[0]!.text.split('\n')[0]).toContain('Nothing observes the queue now')
  expect(person.content[0]!.text).toMatch(
    /1\. On each phone .* open http:\/\/\S+\/alerts, sign in, connect that browser/,
  )
  harness.controls.snapshot = snapshotAt(NOW, { queues: { 'JFK security': closedUnknown(NOW) } })
  const closed = await call(client, TOOL, ORDER)
  expect(closed.content[0]!.text.split('\n')[0]).toMatch(/Security is closed now: nothing is sent until a wait/)
  harness.controls.snapshot = snapshotAt(NOW, { queues: { 'JFK security': preCheckOnly(NOW, 3) } })
  const limited = await call(client, TOOL, ORDER)
  expect(limited.content[0]!.text.split('\n')[0]).toMatch(
    /Security is closed now for all but PreCheck: nothing is sent/,
  )
  const alerts = await harness.state.db.selectFrom('alerts').selectAll().execute()
  expect(alerts.map(({ account_id }) => account_id)).toEqual(Array(4).fill(harness.keys.pro.account_id))
})

test('says of an alert that has just fired when it fires again', async () => {
  const client = await connect(harness, 'pro', 'client 2')
  const { account_id } = harness.keys.pro
  const keys = { p256dh: 'unused', auth: 'unused' }
  const { state, controls } = harness
  const browser = { endpoint: 'https://push.example/phone', keys, label: 'phone' }
  await connectBrowser(state, account_id, browser, { actor: 'owner', source: null }, controls.now)
  const order = { ...ORDER, threshold_minutes: 55 }
  const first = await call(client, TOOL, order)
  expect(first.content[0]!.text).toMatch(/^You will be notified on 1 phone or computer/)
  const { alert_id } = first.structuredContent as { alert_id: string }
  const fired_at = new Date(controls.now).toISOString()
  await state.db.updateTable('alerts').set({ state: 'fired', fired_at }).where('id', '=', alert_id).execute()
  const again = await call(client, TOOL, order)
  expect(again.content[0]!.text.split('\n')[0]).toBe(
    'The alert for security at JFK exists and has just fired. It fires again after the wait was 44 min or less in between.',
  )
})

test('an alert of a terminal names it as a traveller does', async () => {
  harness.controls.snapshot = snapshotAt(NOW, { queues: { 'JFK security': measured(NOW, 9) } })
  const client = await connect(harness, 'pro', 'client 2')
  const { content } = await call(client, TOOL, { ...ORDER, terminal: '4' })
  expect(content[0]!.text).toContain('when security at JFK T4 takes more than 30 min')
})

test('says until when the alert is stored', async () => {
  const client = await connect(harness, 'enterprise', 'client 2')
  expect((await call(client, TOOL, ORDER)).content[0]!.text).toContain('on Mon 21 Dec there.')
})

test('says of a crossed threshold when it fires in the quiet hours, and of which terminal a figure is where the source names one alone', async () => {
  harness.controls.snapshot = snapshotAt(NOW, { queues: { 'JFK security': measured(NOW, 9) } })
  const client = await connect(harness, 'pro', 'client 2')
  const textOf = async (order: object) => {
    const { content } = await call(client, TOOL, { ...ORDER, threshold_minutes: 3, ...order })
    return content[0]!.text.split('\n')[0]
  }
  expect(await textOf({ quiet_from: '09:00', quiet_to: '10:30' })).toMatch(
    /That is so now, 9 min at T4: it fires after the quiet hours, at 10:30, if it is so then\.$/,
  )
  expect(await textOf({ quiet_from: '10:00', quiet_to: '10:30', terminal: '4' })).toMatch(
    /That is so now, 9 min: it fires at once when/,
  )
})
