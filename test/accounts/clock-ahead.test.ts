import { expect, onTestFinished, test } from 'vitest'
import { deleteExpiredAlertsTask } from '../../accounts/alerts/periodic-tasks.ts'
import type { AccountDependencies } from '../../accounts/dependencies.ts'
import { expireConnectionsTask } from '../../accounts/oauth/connections.ts'
import { redeemDecision, storeDecision } from '../../accounts/oauth/consent-decision.ts'
import { SECONDS } from '../../accounts/oauth/constants.ts'
import { consumeChallenge, newChallenge } from '../../accounts/people/passkeys.ts'
import { deleteExpiredSignInsTask } from '../../accounts/people/periodic-task.ts'
import { consumeSignInToken, makeSignInToken } from '../../accounts/people/sign-in-link.ts'
import { deleteOldReportsTask } from '../../api/reports/delete-old-reports.ts'
import { fileReport } from '../../api/reports/file-report.ts'
import { recentReports } from '../../api/reports/recent-reports.ts'
import { openStateAt } from '../../api/state/open.ts'
import { deleteOldAvailabilityTask, recordAvailabilityTask } from '../../api/status/availability.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { insertRow } from '../api/state/insert-row.ts'
import { type AlertSetup, setUpPhone, snapshotOf } from './alerts/alert-setup.ts'
import {
  authorize,
  authorizeUrl,
  CALLBACK,
  challengeOf,
  connected,
  mcp,
  openOauth,
  postForm,
  refresh,
  register,
  verifier,
} from './oauth/flow.ts'
import { createSignedInPerson } from './people/signed-in-person.ts'

/** How far the clock is ahead, for some minutes. */
const AHEAD = [3 * 365 * DAY_MS, DAY_MS]

/** Does something while the clock of an installation is ahead. */
async function whileAhead<T>({ controls }: { controls: { now: number } }, ms: number, work: () => Promise<T>) {
  controls.now += ms
  const result = await work()
  controls.now -= ms
  return result
}

const alertsOf = ({ state }: AlertSetup) => state.db.selectFrom('alerts').selectAll().execute()

test.each(AHEAD)('an alert that fired while the clock was %d ms ahead is armed and fires again', async (ms) => {
  const watch = await setUpPhone()
  // Clock and snapshot were both ahead, as on one machine.
  await whileAhead(watch, ms, async () => {
    await watch.create('a')
    await watch.publish(50)
  })
  expect(watch.phone.messages).toHaveLength(1)
  await watch.publish(10)
  await watch.publish(50)
  expect(watch.phone.messages).toHaveLength(2)
})

test.each(AHEAD)('messages that wait for their push service outlast a clock that is %d ms ahead', async (ms) => {
  const watch = await setUpPhone()
  await watch.create('a')
  watch.phone.answer = { status: 503 }
  await watch.publish(50)
  // The clock is in doubt, so what goes by age does not run.
  const { deliverMessagesTask } = await import('../../accounts/alerts/periodic-tasks.ts')
  await whileAhead(watch, ms, () => Promise.resolve(deliverMessagesTask.run(watch.dependencies, watch.controls.now)))
  watch.phone.answer = { status: 201 }
  watch.controls.now += 60_000
  await watch.run()
  expect(watch.phone.messages).toHaveLength(1)
  expect(await watch.deliveries()).toMatchObject([{ state: 'sent' }])
})

test.each(AHEAD)(
  'a message that was postponed while the clock was %d ms ahead is sent once, and not for years',
  async (ms) => {
    const watch = await setUpPhone()
    watch.phone.answer = { status: 503 }
    await whileAhead(watch, ms, async () => {
      await watch.create('a')
      await watch.publish(50)
    })
    watch.phone.answer = { status: 201 }
    watch.controls.now += 60_000
    await watch.run()
    await watch.run()
    expect(watch.phone.messages).toHaveLength(1)
    expect(Number(watch.phone.requests.at(-1)?.headers['ttl'])).toBeLessThanOrEqual(7_200)
  },
)

test.each(AHEAD)(
  'an alert that was made while the clock was %d ms ahead lasts no longer than any other',
  async (ms) => {
    const watch = await setUpPhone()
    const usual = (await watch.create('a')).alert
    await whileAhead(watch, ms, () => watch.create('a', { threshold_minutes: 40 }))
    await whileAhead(watch, ms, () => watch.publish(50, 0))
    await deleteExpiredAlertsTask.run(watch.dependencies, watch.controls.now)
    const alerts = await alertsOf(watch)
    expect(alerts.map(({ expires_at, created_at }) => [created_at, expires_at])).toEqual([
      [usual.created_at, usual.expires_at],
      [usual.created_at, usual.expires_at],
    ])
    await deleteExpiredAlertsTask.run(watch.dependencies, watch.controls.now + DAY_MS + HOUR_MS)
    expect(await watch.deliveries()).toEqual([])
  },
)

test.each(AHEAD)(
  'codes, links, challenges and approvals of a clock that was %d ms ahead are worth nothing',
  async (ms) => {
    const harness = await openOauth()
    const { state, controls } = harness
    const code_verifier = verifier()
    const { person, client_id, code } = await whileAhead(harness, ms, async () => {
      const signedIn = await createSignedInPerson(harness)
      const registered = await register(harness)
      const back = await authorize(signedIn, authorizeUrl(registered, { code_challenge: challengeOf(code_verifier) }))
      return { person: signedIn, client_id: registered, code: back.searchParams.get('code')! }
    })
    const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: CALLBACK, code_verifier }
    expect((await postForm(harness.app, '/token', fields)).json().error).toBe('invalid_grant')

    const pepper = state.pepper
    const link = (now: number) => makeSignInToken(state, person.email, now).then((made) => made?.token ?? '')
    expect(await consumeSignInToken(state, await link(NOW + ms), NOW)).toBeNull()
    expect(await consumeSignInToken(state, await link(NOW), NOW)).not.toBeNull()
    const answered = (made: number) =>
      consumeChallenge(state, newChallenge(pepper, 'passkey', made).toString('base64url'), 'passkey', NOW)
    expect([await answered(NOW + ms), await answered(NOW)]).toEqual([false, true])
    const decision = { request: 'r', account_id: person.account_id, session: 's', approved: true, may_write: false }
    const redeemed = async (made: number) => redeemDecision(state, await storeDecision(state, decision, made), 'r', NOW)
    expect([await redeemed(NOW + ms), await redeemed(NOW)]).toEqual([null, decision])

    await link(NOW + ms)
    await deleteExpiredSignInsTask.run({ state } as AccountDependencies, controls.now)
    const later = new Date(NOW + HOUR_MS).toISOString()
    expect(await state.db.selectFrom('challenges').selectAll().where('expires_at', '>', later).execute()).toEqual([])
  },
)

test.each(AHEAD)(
  'a client that was connected while the clock was %d ms ahead stays so, and no longer than any other',
  async (ms) => {
    const harness = await openOauth()
    const { state, controls } = harness
    const client = await whileAhead(harness, ms, async () => {
      const made = await connected(harness, await createSignedInPerson(harness))
      await mcp(harness, made.access_token)
      return made
    })
    const before = await state.db
      .selectFrom('oauth_records')
      .select(['id'])
      .where('model', '=', 'RefreshToken')
      .execute()
    await expireConnectionsTask.run({ state } as AccountDependencies, controls.now)
    const records = await state.db.selectFrom('oauth_records').selectAll().where('model', '!=', 'Client').execute()
    const last = new Date(controls.now + SECONDS.grant * 1_000).toISOString()
    expect(records.filter(({ expires_at }) => expires_at! > last)).toEqual([])
    expect(records.filter(({ model }) => model === 'RefreshToken')).toHaveLength(before.length)
    const [connection] = await state.db.selectFrom('connections').selectAll().execute()
    const now = new Date(controls.now).toISOString()
    expect(connection).toMatchObject({ created_at: now, revoked_at: null })
    expect(connection!.used_at === null || connection!.used_at <= now).toBe(true)
    expect((await refresh(harness, client)).statusCode).toBe(200)
  },
)

test.each(AHEAD)(
  'a report that was filed while the clock was %d ms ahead is not the newest for as long',
  async (ms) => {
    const state = await openStateAt(':memory:', 'a pepper of enough characters')
    onTestFinished(() => state.close())
    for (const id of ['a', 'b']) await insertRow(state, 'accounts', { id, tier: 'free', created_at: '' })
    const snapshot = snapshotAt()
    const report = (observed_ms: number, wait_minutes: number) => ({
      iata: 'JFK',
      queue: 'customs' as const,
      terminal: null,
      lane: null,
      wait_minutes,
      observed_at: new Date(observed_ms).toISOString(),
    })
    await fileReport(state, report(NOW + ms, 60), 'a', { snapshot, now: NOW + ms })
    await fileReport(state, report(NOW, 20), 'b', { snapshot, now: NOW })
    const shown = await recentReports(state, { iata: 'JFK', queue: null, limit: 9 }, { snapshot, now: NOW })
    expect(shown.reports.map(({ wait_minutes }) => wait_minutes)).toEqual([20])
    await state.db
      .updateTable('wait_reports')
      .set({ landed_at: new Date(NOW).toISOString() })
      .execute()
    await deleteOldReportsTask.run({ state } as AccountDependencies, NOW)
    await deleteOldReportsTask.run({ state } as AccountDependencies, NOW + 31 * DAY_MS)
    expect(await state.db.selectFrom('wait_reports').selectAll().execute()).toEqual([])
  },
)

test('minutes that were served while the clock was ahead do not make the next starts doubt the clock', async () => {
  const state = await openStateAt(':memory:', 'a pepper of enough characters')
  onTestFinished(() => state.close())
  const dependencies = { state, holder: { current: () => snapshotOf(NOW, 10) } } as unknown as AccountDependencies
  for (const instant of [NOW, NOW + AHEAD[0]!]) await recordAvailabilityTask.run(dependencies, instant)
  await deleteOldAvailabilityTask.run(dependencies, NOW)
  const minutes = await state.db.selectFrom('served_minutes').selectAll().execute()
  expect(minutes).toEqual([{ minute: Math.floor(NOW / 60_000) }])
})
