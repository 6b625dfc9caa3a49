import { expect, test } from 'vitest'
import { OPERATOR } from '../../../accounts/audit/audit-log.ts'
import { endExpiredGrants, grantPlan, revokeGrant } from '../../../accounts/billing/grants.ts'
import { listAccounts } from '../../../accounts/billing/list-accounts.ts'
import { findOwner } from '../../../accounts/privacy/account-tables.ts'
import { deleteAccount } from '../../../accounts/privacy/delete-account.ts'
import { createProgram } from '../../../bin/program.ts'
import { letEventLoopPoll } from '../../api/event-loop.ts'
import { openHarness } from '../../api/harness.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'

const WAITS = '/api/v1/airports/JFK/wait-times'
const TERMINALS = '/api/v1/airports/JFK/historical?days=90'

test('a grant applies from the next call on, replaces the previous one and is ended by a task when it expires', async () => {
  const harness = await openHarness()
  const { state, controls, keys, call } = harness
  const { account_id } = keys.free
  expect((await call('free', WAITS)).statusCode).toBe(403)
  await grantPlan(state, account_id, { tier: 'enterprise', until: null, note: null }, controls.now)
  expect((await call('free', TERMINALS)).statusCode).toBe(200)
  const until = new Date(controls.now + 60_000).toISOString()
  await grantPlan(state, account_id, { tier: 'pro', until, note: 'trial' }, controls.now)
  expect((await call('free', TERMINALS)).statusCode).toBe(403)
  expect((await call('free', WAITS)).statusCode).toBe(200)
  await endExpiredGrants({ state }, controls.now + 59_999)
  expect((await call('free', WAITS)).statusCode).toBe(200)
  controls.now += 60_000
  await Promise.all([endExpiredGrants({ state }, controls.now), endExpiredGrants({ state }, controls.now)])
  expect((await call('free', WAITS)).statusCode).toBe(403)
  const log = await state.db.selectFrom('audit').selectAll().where('account_id', '=', account_id).execute()
  expect(log.map(({ action }) => action).sort()).toEqual([
    'plan_changed',
    'plan_changed',
    'plan_changed',
    'plan_grant_ended',
    'plan_granted',
    'plan_granted',
  ])
  expect(JSON.stringify(log)).not.toContain('trial')
  await expect(revokeGrant(state, account_id, controls.now)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an account is found by its id or its owner’s email, never by an unverified contact email', async () => {
  const harness = await openHarness()
  const { state, controls, app } = harness
  const ada = await createSignedInPerson(harness)
  expect((await findOwner(state.db, ada.account_id))?.account_id).toBe(ada.account_id)
  expect((await findOwner(state.db, ` ${ada.email.toUpperCase()}`))?.account_id).toBe(ada.account_id)
  const payload = { contact_email: 'victim@example.org' }
  await app.inject({ method: 'POST', url: '/api/agent/register', payload })
  expect(await findOwner(state.db, 'victim@example.org')).toBeNull()
  await grantPlan(state, ada.account_id, { tier: 'pro', until: '2027-01-31T00:00:00.000Z', note: null }, controls.now)
  const listed = await listAccounts(state, controls.now)
  expect(listed).toHaveLength(5)
  expect(listed.find(({ id }) => id === ada.account_id)).toMatchObject({
    email: ada.email,
    tier: 'pro',
    why: 'grant',
    until: '2027-01-31T00:00:00.000Z',
    subscription: null,
    keys: 0,
  })
})

test('an account that was deleted is listed as such and is granted nothing', async () => {
  const { state, controls, keys } = await openHarness()
  const { account_id } = keys.free
  await deleteAccount(state, { account_id, person_id: null }, OPERATOR, controls.now)
  const order = { tier: 'pro', until: null, note: null } as const
  await expect(grantPlan(state, account_id, order, controls.now)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const listed = await listAccounts(state, controls.now)
  const deleted_at = new Date(controls.now).toISOString()
  expect(listed.filter((account) => account.deleted_at !== null)).toMatchObject([
    { id: account_id, deleted_at, keys: 0 },
  ])
})

test('the command line grants, lists and revokes, and a running server applies it on the next call', async () => {
  const harness = await openHarness()
  const { dataDir, keys, call } = harness
  const { account_id } = keys.free
  const printed: string[] = []
  const write = process.stdout.write
  const run = async (...words: string[]) => {
    printed.length = 0
    process.stdout.write = ((text: string, written?: () => void) => {
      written?.()
      return printed.push(text) > 0
    }) as typeof write
    try {
      const program = await createProgram(words[0]!)
      await program.parseAsync([...words, '--data-dir', dataDir], { from: 'user' })
    } finally {
      process.stdout.write = write
    }
    await letEventLoopPoll()
    return printed.join('')
  }
  await run('accounts', 'grant', account_id, '--tier', 'pro', '--until', '2199-01-31', '--note', 'pilot')
  expect((await call('free', WAITS)).statusCode).toBe(200)
  const listed = JSON.parse(await run('accounts', 'list', '--json')) as { id: string }[]
  expect(listed.find(({ id }) => id === account_id)).toMatchObject({
    name: 'free test',
    tier: 'pro',
    why: 'grant',
    until: '2199-01-31T00:00:00.000Z',
    keys: 1,
  })
  const { key } = JSON.parse(await run('keys', 'issue', '--account', account_id, '--name', 'second', '--json'))
  expect((await harness.app.inject({ url: WAITS, headers: { 'x-api-key': key } })).statusCode).toBe(200)
  await run('accounts', 'revoke-grant', account_id)
  expect((await call('free', WAITS)).statusCode).toBe(403)
  for (const words of [
    ['accounts', 'grant', account_id, '--tier', 'pro', '--until', '2020-01-31'],
    ['accounts', 'grant', account_id, '--tier', 'pro', '--until', 'tomorrow'],
    ['keys', 'issue', '--account', account_id, '--tier', 'pro'],
    ['keys', 'issue'],
  ])
    await expect(run(...words), words.join(' ')).rejects.toMatchObject({ code: 'USAGE' })
})
