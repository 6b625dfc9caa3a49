import { expect, onTestFinished, test, vi } from 'vitest'
import { auditLogOf, OPERATOR } from '../../../accounts/audit/audit-log.ts'
import { setPassword } from '../../../accounts/people/people.ts'
import { signInLink } from '../../../bin/commands/accounts.ts'
import { type Harness, openHarness } from '../../api/harness.ts'
import { connected, mcp, openConnected, openOauth } from '../oauth/flow.ts'
import { createSignedInPerson, formBrowser } from './signed-in-person.ts'

const ADA = { email: 'ada@example.org', password: 'four words and then some' }

async function signedUp({ app, state }: Harness) {
  const browser = formBrowser(app)
  await browser.post('/signup', ADA)
  return { ...browser, person: await state.db.selectFrom('people').selectAll().executeTakeFirstOrThrow() }
}

async function anotherBrowser({ app }: Harness, password = ADA.password) {
  const browser = formBrowser(app)
  const { statusCode } = await browser.post('/sign-in', { ...ADA, password })
  return { ...browser, statusCode }
}

test('signing out ends one session, signing out everywhere ends all, from the next request on', async () => {
  const harness = await openHarness()
  const first = await signedUp(harness)
  const second = await anotherBrowser(harness)
  const third = await anotherBrowser(harness)
  const oldCookie = second.cookies.get('hs_session')!
  const out = await second.post('/sign-out', {}, '/account')
  expect([out.statusCode, out.headers.location]).toEqual([303, '/sign-in'])
  expect(second.cookies.has('hs_session')).toBe(false)
  // A copy of the old cookie is no longer valid.
  second.cookies.set('hs_session', oldCookie)
  expect((await second.get('/account')).headers.location).toBe('/sign-in?next=%2Faccount')
  expect((await third.get('/account')).statusCode).toBe(200)
  await third.post('/sign-out/everywhere', {}, '/account')
  expect((await first.get('/account')).statusCode).toBe(303)
  expect(await harness.state.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  const log = await auditLogOf(harness.state.db, first.person.account_id, 100)
  expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['signed_out', 'signed_out_everywhere']))
})

test('signing out everywhere disconnects every MCP client of the account from the next call on, and leaves keys', async () => {
  const harness = await openOauth()
  const { client, person } = await openConnected(harness)
  const other = await connected(harness, await createSignedInPerson(harness))
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  await person.post('/sign-out/everywhere', {}, '/account')
  expect((await mcp(harness, client.access_token)).statusCode).toBe(401)
  expect((await mcp(harness, other.access_token)).statusCode).toBe(200)
  expect((await harness.call('free', '/api/agent/me')).statusCode).toBe(200)
  const log = await auditLogOf(harness.state.db, person.account_id, 100)
  expect(log.find(({ action }) => action === 'client_disconnected')?.detail).toContain('signed out everywhere')
})

test('changing the password needs the current one and signs out the other browsers', async () => {
  const harness = await openHarness()
  const mine = await signedUp(harness)
  const other = await anotherBrowser(harness)
  const change = (current_password: string, new_password: string) =>
    mine.post('/account/password', { current_password, new_password }, '/account')
  const refused: [string, string, number, string][] = [
    ['not the current one', 'another good password', 401, 'id="current_password-fault"'],
    [ADA.password, 'short', 400, 'id="new_password-fault"'],
    ['', 'another good password', 401, 'id="current_password-fault"'],
  ]
  for (const [current, fresh, status, expectedText] of refused) {
    const { statusCode, body } = await change(current, fresh)
    expect([statusCode, body.includes(expectedText)], expectedText).toEqual([status, true])
    expect(body).not.toContain(`"${fresh}"`)
  }
  expect((await change(ADA.password, 'another good password')).headers.location).toBe('/account?done=account-password')
  expect((await mine.get('/account?done=account-password')).body).toContain('All other browsers are signed out.')
  expect((await other.get('/account')).statusCode).toBe(303)
  expect((await anotherBrowser(harness)).statusCode).toBe(401)
  expect((await anotherBrowser(harness, 'another good password')).statusCode).toBe(303)
  // Guessing the current password from an open browser is limited like signing in.
  for (let failure = 0; failure < 5; failure++) await change('not the current one', 'another good password')
  expect((await change('another good password', 'yet another password')).statusCode).toBe(429)
})

test('a sign-in that is under way while the password is changed signs nobody in with the former one', async () => {
  const harness = await openHarness()
  const { person } = await signedUp(harness)
  const late = formBrowser(harness.app)
  const signingIn = late.post('/sign-in', ADA)
  // The attempt is counted once the person was read, before the password is checked.
  const counted = () => harness.state.db.selectFrom('sign_in_failures').select('id').executeTakeFirst()
  await vi.waitUntil(counted, { interval: 1 })
  await setPassword(harness.state, person, 'another hash', OPERATOR, harness.controls.now)
  expect((await signingIn).headers.location).not.toBe('/account')
  expect((await late.get('/account')).headers.location).toBe('/sign-in?next=%2Faccount')
})

test('of two that change a password at once the second needs the new one', async () => {
  const harness = await openHarness()
  const browsers = [await signedUp(harness), await anotherBrowser(harness)]
  const passwords = ['another good password', 'yet another password']
  const answers = await Promise.all(
    browsers.map(({ post }, index) =>
      post('/account/password', { current_password: ADA.password, new_password: passwords[index]! }, '/account'),
    ),
  )
  const done = answers.map(({ headers }) => headers.location === '/account?done=account-password')
  expect(done.toSorted()).toEqual([false, true])
  const works = await Promise.all(passwords.map((password) => anotherBrowser(harness, password)))
  expect(works.map(({ statusCode }) => statusCode === 303)).toEqual(done)
})

test('the page lists browsers with address and time, and only their owner can sign one out', async () => {
  const harness = await openHarness()
  const mine = await signedUp(harness)
  const other = await anotherBrowser(harness)
  await harness.state.db
    .updateTable('sessions')
    .set({ user_agent: '<img src=x onerror=alert(1)> Firefox/140.0 (X11; Linux)' })
    .execute()
  const page = await mine.get('/account')
  expect(page.body).toContain('Firefox on Linux')
  expect(page.body).not.toContain('<img')
  const session = /name="session" value="([^"]+)"/.exec(page.body)![1]!
  const eve = await createSignedInPerson(harness)
  expect((await eve.post('/account/browsers/end', { session }, '/account')).statusCode).toBe(409)
  expect((await other.get('/account')).statusCode).toBe(200)
  expect((await mine.post('/account/browsers/end', { session }, '/account')).statusCode).toBe(303)
  expect((await other.get('/account')).statusCode).toBe(303)
  expect((await mine.get('/account')).statusCode).toBe(200)
})

test('the owner can download all stored data, and deleting needs the typed email and the password', async () => {
  const harness = await openHarness()
  const mine = await signedUp(harness)
  const exported = await mine.post('/account/export', {}, '/account')
  expect(exported.headers['content-disposition']).toBe('attachment; filename="holdshort-account-2026-11-21.json"')
  expect(exported.json()).toMatchObject({ has_password: true, people: [{ email: ADA.email }] })
  expect(exported.body).not.toContain('argon2')
  const leave = (typed_email: string, delete_password: string) =>
    mine.post('/account/delete', { typed_email, delete_password }, '/account')
  expect((await leave('eve@example.org', ADA.password)).statusCode).toBe(400)
  expect((await leave(ADA.email, 'wrong')).statusCode).toBe(401)
  expect((await mine.get('/account')).statusCode).toBe(200)
  const left = await leave(ADA.email, ADA.password)
  expect([left.statusCode, left.body.includes('Your account is deleted.')]).toEqual([200, true])
  expect(mine.cookies.has('hs_session')).toBe(false)
  expect(await harness.state.db.selectFrom('people').selectAll().execute()).toEqual([])
  expect((await anotherBrowser(harness)).statusCode).toBe(401)
})

test('a form is accepted only with its CSRF token, of its session, from this site', async () => {
  const harness = await openHarness()
  const mine = await signedUp(harness)
  const eve = await createSignedInPerson(harness)
  const tokenOf = async (browser: Pick<typeof mine, 'get'>) =>
    /name="_csrf" value="([^"]+)"/.exec((await browser.get('/account')).body)![1]!
  const own = await tokenOf(mine)
  const foreign = await tokenOf(eve)
  const cookie = (browser: Pick<typeof mine, 'cookies'>) =>
    [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const send = (token: string | null, headers: Record<string, string> = {}) =>
    harness.app.inject({
      method: 'POST',
      url: '/sign-out/everywhere',
      headers: { cookie: cookie(mine), 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: token === null ? '' : new URLSearchParams({ _csrf: token }).toString(),
    })
  const eves = eve.cookies.get('hs_csrf')!
  const attacks = [
    await send(null),
    await send('made-up'),
    await send(foreign),
    // Her CSRF token and its secret cookie, planted beside his session cookie.
    await send(foreign, { cookie: `hs_session=${mine.cookies.get('hs_session')}; hs_csrf=${eves}` }),
    await send(own, { cookie: `hs_session=${mine.cookies.get('hs_session')}` }),
    await send(own, { origin: 'https://evil.example' }),
    await send(own, { origin: 'null' }),
    await send(own, { 'sec-fetch-site': 'cross-site' }),
    await send(own, { 'sec-fetch-site': 'same-site' }),
  ]
  expect(attacks.map(({ statusCode }) => statusCode)).toEqual(attacks.map(() => 403))
  for (const { body } of attacks) expect(body).toContain('FORM_REFUSED')
  const byProgram = await send(null, { accept: 'application/json' })
  expect([byProgram.statusCode, byProgram.json().code]).toEqual([403, 'FORM_REFUSED'])
  // The forms of every other page are refused alike.
  for (const url of [
    '/dashboard/keys',
    '/dashboard/keys/x/revoke',
    '/dashboard/clients/x/disconnect',
    '/alerts/create',
    '/connect-mcp',
  ])
    for (const _csrf of ['', 'made-up', foreign])
      expect((await mine.post(url, { _csrf }, '/account')).statusCode, url).toBe(403)
  expect((await mine.get('/account')).statusCode).toBe(200)
  expect((await send(own, { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(303)
  expect((await mine.get('/account')).statusCode).toBe(303)
  // The sign-in form is protected too: nobody can be signed in to an account that someone else chose.
  const { headers } = await harness.app.inject({ method: 'POST', url: '/sign-in', payload: ADA })
  expect(headers['set-cookie']).toBeUndefined()
})

test('the operator’s link signs in once, when its button is pressed, and can set a new password', async () => {
  const harness = await openHarness({ HOLDSHORT_KEY_PEPPER: 'a pepper of these tests alone' })
  const mine = await signedUp(harness)
  const printed: string[] = []
  vi.stubEnv('HOLDSHORT_KEY_PEPPER', 'a pepper of these tests alone')
  vi.useFakeTimers({ now: harness.controls.now, toFake: ['Date'] })
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(printed.push(String(text))))
  onTestFinished(() => {
    output.mockRestore()
    vi.useRealTimers()
    vi.unstubAllEnvs()
  })
  const flags = { dataDir: harness.dataDir }
  for (let link = 0; link < 3; link++) await signInLink('Ada@example.org', flags)
  await expect(signInLink('nobody@example.org', flags)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(signInLink('nobody', flags)).rejects.toMatchObject({ code: 'USAGE' })
  const links = printed.map((line) => new URL(line.trim()))
  expect(links.map(({ origin, pathname }) => origin + pathname)).toEqual(
    links.map(() => 'http://127.0.0.1:8080/sign-in/link'),
  )
  const [first, second, third] = links.map(({ searchParams }) => searchParams.get('token')!)
  const use = (token: string, new_password = '') => {
    const browser = formBrowser(harness.app)
    return browser.post('/sign-in/link', { token, new_password }, `/sign-in/link?token=${token}`)
  }
  // `post` loads the page first, so loading it does not use up the link.
  expect((await use(first!)).headers.location).toBe('/account')
  const again = await use(first!)
  expect([again.statusCode, again.body.includes('SIGN_IN_FAILED')]).toEqual([401, true])
  for (const refused of ['short', 'ADA@example.org']) expect((await use(second!, refused)).statusCode).toBe(400)
  expect((await mine.get('/account')).statusCode).toBe(200)
  expect((await use(second!, 'another good password')).statusCode).toBe(303)
  expect((await mine.get('/account')).statusCode).toBe(303)
  expect((await anotherBrowser(harness, 'another good password')).statusCode).toBe(303)
  expect((await use(third!)).statusCode, 'a link from before the new password').toBe(401)
  await signInLink('Ada@example.org', flags)
  harness.controls.now += 15 * 60_000
  expect((await use(new URL(printed[3]!.trim()).searchParams.get('token')!)).statusCode).toBe(401)
  expect((await use('"><script>')).body).not.toContain('<script>')
  const log = await auditLogOf(harness.state.db, mine.person.account_id, 100)
  expect(log.filter(({ action }) => action === 'sign_in_link_made').map(({ actor }) => actor)).toEqual(
    printed.map(() => 'operator'),
  )
  expect(JSON.stringify(log)).not.toContain(first)
})
