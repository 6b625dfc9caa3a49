import { expect, test } from 'vitest'
import { vapidKeys, vapidSubject } from '../../../../api/accounts/alerts/vapid.ts'
import { DAY_MS } from '../../../../config/domain.ts'
import { readSettings } from '../../../../config/settings.ts'
import { NOW } from '../../example-snapshot.ts'
import { setUpAlerts } from './alert-setup.ts'

test('an order has defaults: the whole airport, thirty days, no quiet hours; terminals in the answers’ spelling', async () => {
  const { account, create } = await setUpAlerts()
  await account('a')
  expect(await create('a')).toMatchObject({
    connected_browsers: 0,
    connectable: false,
    observed_now: true,
    alert: {
      account_id: 'a',
      iata: 'JFK',
      terminal: null,
      state: 'armed',
      quiet_from: null,
      quiet_to: null,
      expires_at: new Date(NOW + 30 * DAY_MS).toISOString(),
    },
  })
  expect((await create('a', { terminal: 't4' })).alert.terminal).toBe('T4')
  // Nothing is known of this one's terminals.
  expect(await create('a', { iata: 'DEL', terminal: '3' })).toMatchObject({
    observed_now: false,
    alert: { terminal: '3' },
  })
})

const day = (days: number) => new Date(NOW + days * DAY_MS).toISOString()

const FAULTY: [string, object][] = [
  ['iata', { iata: 'jfk' }],
  ['terminal', { terminal: 'T9' }],
  ['terminal', { terminal: ' ' }],
  ['direction', { direction: 'over' }],
  ['threshold_minutes', { threshold_minutes: 0 }],
  ['threshold_minutes', { threshold_minutes: 181 }],
  ['threshold_minutes', { threshold_minutes: 1.5 }],
  ['expires_at', { expires_at: day(0) }],
  ['expires_at', { expires_at: day(90.01) }],
  ['expires_at', { expires_at: 'tomorrow' }],
  ['quiet_from', { quiet_to: '06:00' }],
  ['quiet_to', { quiet_from: '22:00', quiet_to: '22:00' }],
  ['quiet_to', { quiet_from: '22:00', quiet_to: '24:00' }],
  ['until', { until: day(1) }],
]

test('a fault is named by its field, and nothing is made', async () => {
  const { account, create, state } = await setUpAlerts()
  await account('a')
  for (const [parameter, over] of FAULTY)
    await expect(create('a', over), JSON.stringify(over)).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      faults: [{ parameter }],
    })
  expect(await state.db.selectFrom('alerts').selectAll().execute()).toEqual([])
})

test('a well-formed code that no airport has is AIRPORT_NOT_FOUND', async () => {
  const { account, create } = await setUpAlerts()
  await account('a')
  await expect(create('a', { iata: 'QQQ' })).rejects.toMatchObject({ code: 'AIRPORT_NOT_FOUND' })
})

test('the keys are made once, whoever is first', async () => {
  const { state } = await setUpAlerts()
  const made = await Promise.all([vapidKeys(state, NOW), vapidKeys(state, NOW)])
  expect(made[0]).toEqual(made[1])
  expect(await vapidKeys(state, NOW + DAY_MS)).toEqual(made[0])
})

test.each([
  [{ HOLDSHORT_CONTACT: 'ops@example.org' }, 'mailto:ops@example.org'],
  [{ HOLDSHORT_CONTACT: 'mailto:ops@example.org' }, 'mailto:ops@example.org'],
  [{ HOLDSHORT_CONTACT: 'https://example.org/contact' }, 'https://example.org/contact'],
  [{ HOLDSHORT_CONTACT: 'tel:+1-201-555-0123', HOLDSHORT_SITE_URL: 'https://waits.example' }, 'https://waits.example'],
  [{ HOLDSHORT_CONTACT: 'the night desk', HOLDSHORT_SITE_URL: 'https://waits.example' }, 'https://waits.example'],
  [{ HOLDSHORT_CONTACT: 'the night desk' }, null],
])('%j is told to push services as %s', (environment, subject) => {
  expect(vapidSubject(readSettings(environment))).toBe(subject)
})
