import { randomUUID } from 'node:crypto'
import argon2 from '@node-rs/argon2'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { auditLogOf } from '../../../accounts/audit/audit-log.ts'
import { isOutdated } from '../../../accounts/people/passwords.ts'
import { deleteExpiredSignInsTask } from '../../../accounts/people/periodic-task.ts'
import { findOwner } from '../../../accounts/privacy/account-tables.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { type Harness, openHarness } from '../../api/harness.ts'
import { formBrowser } from './signed-in-person.ts'

const hash = vi.spyOn(argon2, 'hash')
const verify = vi.spyOn(argon2, 'verify')
beforeEach(() => {
  vi.clearAllMocks()
})
afterAll(() => {
  vi.restoreAllMocks()
})

const ADA = { email: 'ada@example.org', password: 'four words and then some' }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

async function signedUp(harness: Harness) {
  const browser = formBrowser(harness.app)
  const answer = await browser.post('/signup', ADA)
  expect(answer.statusCode).toBe(303)
  const person = await harness.state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
  return { ...browser, answer, person }
}

const cookieOf = (answer: LightMyRequestResponse, name: string) => answer.cookies.find((cookie) => cookie.name === name)
const workDone = () => hash.mock.calls.length + verify.mock.calls.length

test('signing up makes a free account, signs in, and the audit log records it', async () => {
  const harness = await openHarness()
  const { answer, person, get } = await signedUp(harness)
  expect(answer.headers.location).toBe('/dashboard')
  expect(cookieOf(answer, 'hs_session')).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: 2_592_000,
  })
  expect(cookieOf(answer, 'hs_session')).not.toHaveProperty('secure')
  expect(person.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const account = await harness.state.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', person.account_id)
    .execute()
  expect(account).toMatchObject([{ tier: 'free' }])
  const log = await auditLogOf(harness.state.db, person.account_id, 10)
  expect(log.map(({ action, actor, source }) => [action, actor, source]).sort()).toEqual([
    ['account_created', 'owner', '127.0.0.1'],
    ['signed_in', 'owner', '127.0.0.1'],
  ])
  expect(JSON.stringify(log)).not.toContain(ADA.password)
  const page = await get('/account')
  expect(page.statusCode).toBe(200)
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.body).toContain('You are signed in as <strong>ada@example.org</strong>')
})

test('an email is the same however a browser writes its domain', async () => {
  const { app, state } = await openHarness()
  expect((await formBrowser(app).post('/signup', { ...ADA, email: 'Ada@München.example' })).statusCode).toBe(303)
  for (const email of ['ada@xn--mnchen-3ya.example', 'ADA@MÜNCHEN.EXAMPLE', ' ada@mu\u0308nchen.example'])
    expect((await formBrowser(app).post('/sign-in', { ...ADA, email })).statusCode, email).toBe(303)
  expect(await findOwner(state.db, 'ada@münchen.example')).not.toBeNull()
  expect((await formBrowser(app).post('/signup', { ...ADA, email: 'ivan@почта.рф' })).statusCode).toBe(303)
  expect(await findOwner(state.db, 'IVAN@xn--80a1acny.xn--p1ai')).not.toBeNull()
  for (const email of ['ada@', 'ada@ü', 'иван@почта.рф', 'ada@exa mple.org', 'ada@ü..org'])
    expect((await formBrowser(app).post('/signup', { ...ADA, email })).statusCode, email).toBe(400)
})

test('on an https site the cookies are bound to this host', async () => {
  const { app } = await openHarness({ HOLDSHORT_SITE_URL: 'https://waits.example' })
  const answer = await formBrowser(app).post('/signup', ADA)
  const expected = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' }
  expect(cookieOf(answer, '__Host-hs_session')).toMatchObject(expected)
  expect(cookieOf(answer, '__Host-hs_session')).not.toHaveProperty('domain')
  expect(cookieOf(await app.inject('/sign-in'), '__Host-hs_csrf')).toMatchObject(expected)
})

test('a refused form shows the fault at each field and keeps the email but no password', async () => {
  const { app, state } = await openHarness({ HOLDSHORT_REGISTRATIONS_PER_MINUTE: '1' })
  const browser = formBrowser(app)
  const wrong: [Record<string, string>, string][] = [
    [{ email: '"><script>alert(1)</script>', password: ADA.password }, 'Write an email like'],
    [{ email: "ada' or 1=1 --", password: ADA.password }, 'Write an email like'],
    [{ email: ADA.email, password: 'short-secret'.slice(0, 11) }, 'Use at least 12 characters'],
    [{ email: ADA.email, password: 'x'.repeat(257) }, 'Use at most 256 characters'],
    [{ email: ADA.email, password: 'Password1234' }, 'one of the most common'],
    [{ email: ADA.email, password: 'ADA@example.org' }, 'Your email is the first password'],
    [{ email: ADA.email }, 'Use at least 12 characters'],
  ]
  for (const [fields, message] of wrong) {
    const { statusCode, body } = await browser.post('/signup', fields)
    expect([statusCode, body.includes(message)], message).toEqual([400, true])
    expect(body).toContain('INVALID_PARAMETER')
    expect(body).toMatch(/aria-describedby="\w+-fault \w+-hint" aria-invalid="true" autofocus/)
    expect(body).not.toContain('<script>alert')
    if (fields['password']) expect(body).not.toContain(`${fields['password']}"`)
  }
  // None of them counted as a registration; 256 of the widest characters are accepted.
  expect((await browser.post('/signup', { email: ADA.email, password: '🔑'.repeat(256) })).statusCode).toBe(303)
  expect(await state.db.selectFrom('people').select('email').execute()).toEqual([{ email: ADA.email }])
})

test('a taken email costs the same work, reveals nothing more than needed, and attempts are limited', async () => {
  const harness = await openHarness({ HOLDSHORT_REGISTRATIONS_PER_MINUTE: '3' })
  await signedUp(harness)
  const fresh = workDone()
  const taken = await formBrowser(harness.app).post('/signup', { email: ' ADA@Example.ORG', password: ADA.password })
  expect(taken.statusCode).toBe(400)
  expect(taken.body).toContain('No account can be made with this email; if it is yours, sign in instead.')
  expect(cookieOf(taken, 'hs_session')).toBeUndefined()
  expect(workDone()).toBe(fresh * 2)
  const tries = await Promise.all(
    ['b@x.org', 'c@x.org', 'd@x.org'].map((email) => formBrowser(harness.app).post('/signup', { ...ADA, email })),
  )
  expect(tries.map(({ statusCode }) => statusCode).sort()).toEqual([303, 429, 429])
  const refused = tries.find(({ statusCode }) => statusCode === 429)!
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.body).toContain('Try again in 1 min.')
})

test('a wrong password and an unknown email look the same and take the same work; the session is new', async () => {
  const harness = await openHarness()
  const { person } = await signedUp(harness)
  const browser = formBrowser(harness.app)
  const answers: string[] = []
  for (const fields of [
    { ...ADA, password: 'wrong' },
    { ...ADA, email: 'eve@example.org' },
  ]) {
    vi.clearAllMocks()
    const answer = await browser.post('/sign-in', fields)
    expect(answer.statusCode).toBe(401)
    expect(answer.body).toContain('SIGN_IN_FAILED')
    expect(workDone()).toBe(1)
    answers.push(answer.body.replace(/value="[^"]+"/g, ''))
  }
  expect(answers[0]).toBe(answers[1])
  browser.cookies.set('hs_session', 'planted by someone else')
  const right = await browser.post('/sign-in', { email: 'Ada@example.org ', password: ADA.password, next: '/account' })
  expect([right.statusCode, right.headers.location]).toEqual([303, '/account'])
  const first = browser.cookies.get('hs_session')!
  expect(first).not.toBe('planted by someone else')
  const log = await auditLogOf(harness.state.db, person.account_id, 10)
  expect(log.map(({ action, actor }) => `${action} ${actor}`).sort()).toEqual([
    'account_created owner',
    'sign_in_failed stranger',
    'signed_in owner',
    'signed_in owner',
  ])
  // A person who is signed in does not see the form again.
  expect((await browser.get('/sign-in?next=/account')).headers.location).toBe('/account')
})

test('exactly five failures of an email from one network in 15 minutes are allowed, also at once; then the right password is refused too', async () => {
  const harness = await openHarness()
  await signedUp(harness)
  const pages = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const browser = formBrowser(harness.app)
      await browser.get('/sign-in')
      return browser
    }),
  )
  vi.clearAllMocks()
  const answers = await Promise.all(pages.map((browser) => browser.post('/sign-in', { ...ADA, password: 'wrong' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  expect(workDone()).toBe(5)
  const { controls, state } = harness
  controls.now += 5 * MINUTE
  const waiting = await formBrowser(harness.app).post('/sign-in', ADA)
  expect([waiting.statusCode, waiting.headers['retry-after']]).toEqual([429, '600'])
  expect(waiting.body).toContain('Too many failed sign-ins. Try again in 10 min.')
  // Another email is not limited, and a refused attempt does not extend the wait.
  expect((await formBrowser(harness.app).post('/sign-in', { ...ADA, email: 'eve@example.org' })).statusCode).toBe(401)
  controls.now += 10 * MINUTE
  expect((await formBrowser(harness.app).post('/sign-in', ADA)).statusCode).toBe(303)
  await deleteExpiredSignInsTask.run({ state } as never, controls.now + 15 * MINUTE)
  expect(await state.db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([])
})

/** Wrong passwords for Ada from a network; returns the statuses. */
async function guess({ app }: Harness, network: number, times: number, email = ADA.email) {
  const stranger = formBrowser(app, new Map(), `198.51.${network}.7`)
  const statuses: number[] = []
  for (let i = 0; i < times; i++)
    statuses.push((await stranger.post('/sign-in', { email, password: 'wrong' })).statusCode)
  return statuses
}

/** Stores so many more failures of each subject that has failed, in place of as many attempts. */
async function addFailures({ state: { db } }: Harness, times: number) {
  const rows = await db.selectFrom('sign_in_failures').selectAll().execute()
  const bySubject = new Map(rows.map((row) => [row.subject_hash, row]))
  const more = [...bySubject.values()].flatMap((row) =>
    Array.from({ length: times }, () => ({ ...row, id: randomUUID() })),
  )
  await db.insertInto('sign_in_failures').values(more).execute()
}

test('wrong passwords from another network keep nobody out; fifty of one email from everywhere do, but never a browser that has signed in before', async () => {
  const harness = await openHarness()
  const ada = await signedUp(harness)
  const elsewhere = () => formBrowser(harness.app, new Map(), '203.0.113.9')
  expect(await guess(harness, 0, 6)).toEqual([401, 401, 401, 401, 401, 429])
  expect((await elsewhere().post('/sign-in', ADA)).statusCode, 'a new browser of another network').toBe(303)
  expect(await guess(harness, 1, 5)).toEqual([401, 401, 401, 401, 401])
  await addFailures(harness, 45)
  expect((await elsewhere().post('/sign-in', ADA)).statusCode).toBe(429)
  ada.cookies.delete('hs_session')
  expect((await ada.post('/sign-in', ADA)).statusCode, 'her own browser').toBe(303)
  // Thirty failures of its network do not keep it out either.
  await formBrowser(harness.app).post('/sign-in', { email: 'eve@example.org', password: 'wrong' })
  await addFailures(harness, 30)
  ada.cookies.delete('hs_session')
  expect((await formBrowser(harness.app).post('/sign-in', ADA)).statusCode).toBe(429)
  expect((await ada.post('/sign-in', ADA)).statusCode).toBe(303)
})

test('a device cookie is of one person, ends with the password, is signed, and its own failures count', async () => {
  const harness = await openHarness()
  const ada = await signedUp(harness)
  expect(cookieOf(ada.answer, 'hs_device')).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    maxAge: 31_536_000,
  })
  const eve = { email: 'eve@example.org', password: 'another four good words' }
  const other = formBrowser(harness.app)
  await other.post('/signup', eve)
  await guess(harness, 0, 5)
  await addFailures(harness, 45)
  const tryWith = async (device: string, password = ADA.password) =>
    (await formBrowser(harness.app, new Map([['hs_device', device]])).post('/sign-in', { ...ADA, password })).statusCode
  const device = ada.cookies.get('hs_device')!
  expect(await tryWith(other.cookies.get('hs_device')!), 'of another person').toBe(429)
  expect(await tryWith(`${device.slice(0, -1)}${device.endsWith('A') ? 'B' : 'A'}`), 'changed').toBe(429)
  expect(await tryWith(device.replace(/\.\d+\./, `.${NOW + DAY}.`)), 'dated anew').toBe(429)
  expect(await tryWith(device)).toBe(303)
  await ada.post(
    '/account/password',
    { current_password: ADA.password, new_password: 'five entirely new good words' },
    '/account',
  )
  expect(ada.cookies.get('hs_device')).not.toBe(device)
  expect(await tryWith(device, 'five entirely new good words'), 'after a new password').toBe(429)
  const renewed = ada.cookies.get('hs_device')!
  expect(await tryWith(renewed, 'five entirely new good words')).toBe(303)
  expect(await tryWith(renewed, 'wrong')).toBe(401)
  await addFailures(harness, 48)
  expect([await tryWith(renewed, 'wrong'), await tryWith(renewed, 'wrong')]).toEqual([401, 429])
})

test('a signed-in person confirms a change though strangers have guessed', async () => {
  const harness = await openHarness()
  const ada = await signedUp(harness)
  ada.cookies.delete('hs_device')
  await formBrowser(harness.app).post('/sign-in', { ...ADA, password: 'wrong' })
  await addFailures(harness, 30)
  const change = { current_password: ADA.password, new_password: 'five entirely new good words' }
  expect((await ada.post('/account/password', change, '/account')).statusCode).toBe(303)
})

test('thirty failures from one network are allowed for all emails together; a successful sign-in does not reset them', async () => {
  const harness = await openHarness()
  await signedUp(harness)
  const browser = formBrowser(harness.app)
  await browser.post('/sign-in', { email: 'eve@example.org', password: 'wrong' })
  const rows = await harness.state.db
    .selectFrom('sign_in_failures')
    .selectAll()
    .where('subject_hash', '!=', '')
    .execute()
  expect(rows).toHaveLength(3)
  expect(JSON.stringify(rows)).not.toMatch(/eve|127\.0/)
  await addFailures(harness, 28)
  expect((await formBrowser(harness.app).post('/sign-in', ADA)).statusCode).toBe(303)
  expect((await browser.post('/sign-in', { email: 'bob@example.org', password: 'wrong' })).statusCode).toBe(401)
  expect((await browser.post('/sign-in', ADA)).statusCode).toBe(429)
})

test('a hash with other parameters is renewed at the next successful sign-in', async () => {
  const harness = await openHarness()
  const { person } = await signedUp(harness)
  const old = await hash(ADA.password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await harness.state.db.updateTable('people').set({ password_hash: old }).where('id', '=', person.id).execute()
  expect(isOutdated(old)).toBe(true)
  expect((await formBrowser(harness.app).post('/sign-in', ADA)).statusCode).toBe(303)
  const { password_hash } = await harness.state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow()
  expect(isOutdated(password_hash!)).toBe(false)
  expect((await formBrowser(harness.app).post('/sign-in', ADA)).statusCode).toBe(303)
})

test('a session ends after 7 idle days and after 30 days in any case', async () => {
  const harness = await openHarness()
  const { get } = await signedUp(harness)
  const { controls, state } = harness
  for (let day = 6; day < 30; day += 6) {
    controls.now = NOW + day * DAY
    expect((await get('/account')).statusCode, `day ${day}`).toBe(200)
  }
  controls.now = NOW + 30 * DAY
  expect((await get('/account')).headers.location).toBe('/sign-in?next=%2Faccount')
  const browser = formBrowser(harness.app)
  await browser.post('/sign-in', ADA)
  controls.now += 7 * DAY - 1
  expect((await state.db.selectFrom('sessions').selectAll().execute()).length).toBe(2)
  await deleteExpiredSignInsTask.run({ state } as never, controls.now)
  expect((await state.db.selectFrom('sessions').selectAll().execute()).length).toBe(1)
  controls.now += 1
  expect((await browser.get('/account')).statusCode).toBe(303)
})
