import { expect, test } from 'vitest'
import { openHarness } from '../../api/harness.ts'
import { createSignedInPerson, formBrowser } from '../people/signed-in-person.ts'
import { auditEntries, insertConnection, insertUsage, STRIPE_SETTINGS } from './account-rows.ts'

/** Two accounts; the first one has a key, a client and usage. */
async function twoAccounts() {
  const harness = await openHarness(STRIPE_SETTINGS)
  const ada = await createSignedInPerson(harness, { tier: 'pro' })
  const eve = await createSignedInPerson(harness, { tier: 'pro' })
  await ada.post('/dashboard/keys', { name: 'Ada’s key' }, '/dashboard')
  await insertConnection(harness, ada.account_id, 'grant-ada', 'Ada’s client')
  await insertUsage(harness, ada.account_id, '2026-11-20', 'getDelays', 4_321)
  const key = await harness.state.db.selectFrom('keys').selectAll().where('name', '=', 'Ada’s key').executeTakeFirst()
  return { harness, ada, eve, key_id: key!.id }
}

const everything = async ({ state }: Awaited<ReturnType<typeof openHarness>>) => ({
  keys: await state.db.selectFrom('keys').selectAll().orderBy('id').execute(),
  connections: await state.db.selectFrom('connections').selectAll().execute(),
  audit: await state.db.selectFrom('audit').selectAll().orderBy('id').execute(),
})

test('an account sees nothing of another account', async () => {
  const { ada, eve, key_id } = await twoAccounts()
  const own = (await ada.get('/dashboard')).body
  const other = (await eve.get('/dashboard')).body
  for (const trace of ['Ada’s key', key_id, 'Ada’s client', 'grant-ada', '4,321', ada.email]) {
    expect(own).toContain(trace)
    expect(other).not.toContain(trace)
  }
})

test('ids of another account, unknown ids and hostile ids return 404 and change nothing', async () => {
  const { harness, ada, eve, key_id } = await twoAccounts()
  const before = await everything(harness)
  const ids = [key_id, 'key_unknown', "' or '1'='1", '\0', '../..', 'ключ']
  const grantIds = ['grant-ada', 'unknown', ada.account_id]
  const places = [
    ...ids.map((id) => `/dashboard/keys/${encodeURIComponent(id)}/revoke`),
    ...grantIds.flatMap((id) => [`/dashboard/clients/${id}/disconnect`, `/dashboard/clients/${id}/writing`]),
  ]
  for (const place of places) {
    expect((await eve.get(place)).statusCode, place).toBe(404)
    const answer = await eve.post(place, { account_id: ada.account_id, key_id }, '/dashboard')
    expect(answer.statusCode, place).toBe(404)
  }
  // A field that names another account is ignored.
  await eve.post('/dashboard/keys', { name: 'mine', account_id: ada.account_id }, '/dashboard')
  const after = await everything(harness)
  expect(after.connections).toEqual(before.connections)
  expect(after.keys.filter(({ account_id }) => account_id === ada.account_id)).toHaveLength(1)
  expect(after.keys.find(({ id }) => id === key_id)?.revoked_at).toBeNull()
  expect(after.audit.filter(({ account_id }) => account_id === ada.account_id)).toHaveLength(1)
})

test('a visitor who is not signed in is redirected to sign-in, with the requested page as next', async () => {
  const { harness, key_id } = await twoAccounts()
  const before = await everything(harness)
  const stranger = formBrowser(harness.app)
  const response = await stranger.get('/dashboard?month=2026-11')
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    '/sign-in?next=%2Fdashboard%3Fmonth%3D2026-11',
  ])
  for (const place of [`/dashboard/keys/${key_id}/revoke`, '/dashboard/clients/grant-ada/disconnect']) {
    expect((await stranger.get(place)).statusCode).toBe(303)
    const answer = await stranger.post(place, {})
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/sign-in'])
  }
  expect((await stranger.post('/dashboard/keys', { name: 'mine' })).statusCode).toBe(303)
  expect(await everything(harness)).toEqual(before)
})

test('a client is disconnected after a confirmation, once, and the audit log records it', async () => {
  const { harness, ada } = await twoAccounts()
  const place = '/dashboard/clients/grant-ada/disconnect'
  expect((await ada.get('/dashboard')).body).toContain('<code>127.0.0.1:9000</code> connected')
  expect((await ada.get(place)).body).toContain('Disconnect this client?')
  expect((await ada.post(place, {})).headers.location).toBe('/dashboard?done=client_disconnected')
  expect((await ada.get('/dashboard')).body).not.toContain('Ada’s client')
  const row = await harness.state.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
  expect(row.revoked_at).toBe(new Date(harness.controls.now).toISOString())
  expect((await ada.post(place, {}, '/dashboard')).statusCode).toBe(404)
  const [, entry, ...more] = await auditEntries(harness, ada.account_id)
  expect(entry).toMatchObject({ action: 'client_disconnected', actor: 'owner', detail: { grant_id: 'grant-ada' } })
  expect(more).toEqual([])
})
