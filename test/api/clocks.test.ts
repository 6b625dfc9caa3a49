import { expect, onTestFinished, test } from 'vitest'
import { registerAgent } from '../../accounts/keys/registration.ts'
import { deleteExpiredSessions, findVisitor, startSession } from '../../accounts/people/sessions.ts'
import { beginAttempt } from '../../accounts/people/sign-in-limits.ts'
import { openStateAt } from '../../api/state/open.ts'
import { watchClock } from '../../bin/service/server.ts'
import { steadyClock } from '../../config/steady-clock.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { NOW } from './example-snapshot.ts'
import { openHarness } from './harness.ts'

const YEARS_3 = 3 * 365 * DAY_MS
const CAPS = { registrations_per_minute: 2, registrations_per_day: 4 }

async function memoryState() {
  const state = await openStateAt(':memory:', 'a pepper of enough characters')
  onTestFinished(() => state.close())
  return state
}

test.each([YEARS_3, DAY_MS, HOUR_MS])(
  'what was counted while the clock was %d ms ahead locks nobody out',
  async (ahead) => {
    const state = await memoryState()
    const register = (now: number) =>
      registerAgent(state, CAPS, { address: '203.0.113.7' }, now).then(
        () => 0,
        (error) => error.retryAfterSeconds as number,
      )
    const signIn = (now: number) =>
      beginAttempt(state, { email: 'ada@example.org', address: '203.0.113.7', device: null }, now).then(
        () => 0,
        (error) => error.retryAfterSeconds as number,
      )
    for (let i = 0; i < 4; i++) await register(NOW + ahead + i * 61_000)
    for (let i = 0; i < 5; i++) await signIn(NOW + ahead)
    expect(await register(NOW + ahead + 250_000)).toBeGreaterThan(3_600)
    expect(await signIn(NOW + ahead)).toBeGreaterThan(0)
    expect([await register(NOW), await signIn(NOW)]).toEqual([0, 0])
    expect(await register(NOW)).toBe(0)
    expect(await register(NOW)).toBeLessThanOrEqual(60)
  },
)

test('a session that began while the clock was ahead lasts no longer than any other', async () => {
  const harness = await openHarness({})
  const { state } = harness
  const { person_id } = await createSignedInPerson(harness)
  const { cookie } = await startSession(state, person_id, { source: '203.0.113.7', user_agent: null }, NOW + YEARS_3)
  expect(await findVisitor(state, cookie, NOW)).not.toBeNull()
  await deleteExpiredSessions(state, NOW)
  expect(await findVisitor(state, cookie, NOW + 6 * DAY_MS)).not.toBeNull()
  expect(await findVisitor(state, cookie, NOW + 14 * DAY_MS)).toBeNull()
})

test.each([YEARS_3, DAY_MS])('a clock that is %d ms behind for some minutes signs nobody out', async (behind) => {
  const harness = await openHarness({})
  const { state } = harness
  const { person_id } = await createSignedInPerson(harness)
  const { cookie } = await startSession(state, person_id, { source: '203.0.113.7', user_agent: null }, NOW)
  expect(await findVisitor(state, cookie, NOW + 1_000 - behind)).not.toBeNull()
  expect(await findVisitor(state, cookie, NOW + 120_000)).not.toBeNull()
})

test('nothing is ended by age for an hour after the clock was set, or when it is far from the last service', async () => {
  const state = await memoryState()
  const clock = { wall: NOW, steady: 0 }
  const pass = (ms: number) => {
    clock.wall += ms
    clock.steady += ms
  }
  const isTrusted = watchClock(
    state.db,
    () => clock.wall,
    () => clock.steady,
  )
  expect(await isTrusted()).toBe(true)
  clock.wall += YEARS_3
  expect(await isTrusted()).toBe(false)
  pass(120_000)
  clock.wall -= YEARS_3
  expect(await isTrusted()).toBe(false)
  pass(HOUR_MS + 1)
  expect(await isTrusted()).toBe(true)
  await state.db
    .insertInto('served_minutes')
    .values({ minute: Math.floor(clock.wall / 60_000) })
    .execute()
  const restarted = (wall: number) =>
    watchClock(
      state.db,
      () => wall,
      () => 0,
    )()
  expect(await restarted(clock.wall + YEARS_3)).toBe(false)
  expect(await restarted(clock.wall + HOUR_MS)).toBe(true)
})

test('a steady clock stands still while the clock is behind, and never goes back', () => {
  const times = [NOW, NOW + DAY_MS, NOW, NOW + 60_000, NOW - YEARS_3, NOW - YEARS_3 + 1_000]
  const steady = steadyClock(() => times.shift() ?? 0)
  const elapsed = Array.from({ length: 6 }, steady).map((reading) => reading - NOW)
  expect(elapsed).toEqual([0, DAY_MS, DAY_MS, DAY_MS + 60_000, DAY_MS + 60_000, DAY_MS + 61_000])
})
