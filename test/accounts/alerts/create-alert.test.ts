import { expect, test } from 'vitest'
import { vapidKeys } from '../../../accounts/alerts/vapid.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { setUpAlerts } from './alert-setup.ts'

test('a new alert covers the whole airport for thirty days without quiet hours, and its terminal gets the spelling of answers', async () => {
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
  for (const terminal of ['t4', '4', 'Terminal 4'])
    expect((await create('a', { terminal })).alert.terminal, terminal).toBe('T4')
  // No terminal of this airport is known.
  expect(await create('a', { iata: 'DEL', terminal: '3' })).toMatchObject({
    observed_now: false,
    alert: { terminal: '3' },
  })
})

test('an alert that the account has already gets the new end, also where two are created at once', async () => {
  const { account, create, state } = await setUpAlerts()
  await account('a')
  await account('b')
  const twice = await Promise.all([create('a', { quiet_from: null }), create('a')])
  expect(twice[0].alert.id).toBe(twice[1].alert.id)
  const expires_at = new Date(NOW + 60 * DAY_MS).toISOString()
  expect((await create('a', { expires_at })).alert).toMatchObject({ id: twice[0].alert.id, expires_at })
  expect((await create('a')).alert, 'no end was named').toMatchObject({ expires_at })
  const others = [await create('b'), await create('a', { terminal: '4' }), await create('a', { threshold_minutes: 44 })]
  expect(new Set([...others, ...twice].map(({ alert }) => alert.id)).size).toBe(4)
  const ends = await state.db.selectFrom('alerts').select('expires_at').where('account_id', '=', 'a').execute()
  expect(ends.map((row) => row.expires_at).filter((end) => end === expires_at)).toHaveLength(1)
})

test('the VAPID keys are created once, also by concurrent callers', async () => {
  const { state } = await setUpAlerts()
  const keys = await Promise.all([vapidKeys(state, NOW), vapidKeys(state, NOW)])
  expect(keys[0]).toEqual(keys[1])
  expect(await vapidKeys(state, NOW + DAY_MS)).toEqual(keys[0])
})
