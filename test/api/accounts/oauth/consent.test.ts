import { expect, test } from 'vitest'
import { disconnect, listConnections } from '../../../../api/accounts/oauth/connections.ts'
import { CLIENT_WRITES } from '../../../../api/accounts/oauth/consent-page.tsx'
import { TOOLS } from '../../../../api/registry.ts'
import { createSignedInPerson, formBrowser } from '../people/signed-in-person.ts'
import {
  authorize,
  authorizeUrl,
  begin,
  CALLBACK,
  connected,
  decide,
  locationOf,
  mcp,
  onward,
  openConnected,
  openOauth,
  postForm,
  refresh,
  register,
  SITE,
  shareOauth,
} from './flow.ts'

const harness = shareOauth()

test('the page shows client, permissions, destination and account, and escapes the client name', async () => {
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const client_id = await register(harness, { client_name: '<img src=x onerror=alert(1)>' })
  const answer = await person.get(await begin(person, authorizeUrl(client_id)))
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('&lt;img src=x onerror=alert(1)>')
  expect(answer.body).not.toContain('<img')
  for (const expectedText of [
    'not verified',
    '<strong>client.example</strong>',
    person.email,
    '(now Pro)',
    'value="deny"',
  ])
    expect(answer.body).toContain(expectedText)
})

test('the page names everything that a connection may write: one line for each tool that is not read-only', async () => {
  const writing = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
  expect(Object.keys(CLIENT_WRITES).sort()).toEqual(writing.sort())
  const person = await createSignedInPerson(harness)
  const { body } = await person.get(await begin(person, authorizeUrl(await register(harness))))
  for (const { consequence } of Object.values(CLIENT_WRITES)) expect(body).toContain(consequence)
  expect(body).toMatch(/asks to read airport data as you, and to file reports of waits and to make alerts/)
})

test('the page cannot be framed; it alone does not limit where its form leads', async () => {
  const person = await createSignedInPerson(harness)
  const { headers } = await person.get(await begin(person, authorizeUrl(await register(harness))))
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
  expect(headers['content-security-policy']).not.toContain('form-action')
  expect([headers['x-frame-options'], headers['cache-control']]).toEqual(['DENY', 'no-store'])
  const start = await person.get('/connect-mcp')
  expect(start.headers['content-security-policy']).toContain("form-action 'self';")
})

test('the page says what the calls may cost, and for how long the client stays connected', async () => {
  for (const [tier, charged] of [['free', false] as const, ['enterprise', true] as const]) {
    const person = await createSignedInPerson(harness, { tier })
    const { body } = await person.get(await begin(person, authorizeUrl(await register(harness))))
    const text = body.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ')
    expect(text).toContain(`(now ${tier === 'free' ? 'Free' : 'Enterprise'})`)
    expect(text.includes('may be charged to you')).toBe(charged)
    expect(text).toContain('not used for 30 days, and for at most 365 days')
  }
})

test('a visitor who is not signed in signs in first and returns to the same request', async () => {
  const stranger = formBrowser(harness.app)
  const began = await stranger.get(authorizeUrl(await register(harness)))
  const response = await stranger.get(onward(began))
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(onward(began))}`,
  ])
})

test('over https the cookies are secure and contain only the request id', async () => {
  const site = 'https://holdshort.example'
  const harness = await openOauth({ HOLDSHORT_SITE_URL: site })
  const { cookies } = await createSignedInPerson(harness)
  const person = formBrowser(harness.app, new Map([['__Host-hs_session', cookies.get('hs_session')!]]))
  const began = await person.get(authorizeUrl(await register(harness), { resource: `${site}/mcp` }))
  expect(began.cookies.map(({ name }) => name)).toContain('__Secure-hs_oauth_resume.sig')
  for (const cookie of began.cookies) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax' })
  const page = onward(began)
  const request = new URL(page, site).searchParams.get('request')!
  const token = /name="_csrf" value="([^"]+)"/.exec((await person.get(page)).body)![1]!
  const decided = await person.post('/connect-mcp', { request, answer: 'approve', _csrf: token }, page)
  expect(String(decided.headers.location)).toContain(`${site}/authorize/${request}`)
  const back = await person.get(onward(decided))
  expect(locationOf(back).searchParams.has('code')).toBe(true)
  expect(back.cookies.map(({ name }) => name).filter((name) => name.includes('session'))).toEqual([])
})

test('after a denial the client receives access_denied, and nothing is connected', async () => {
  const person = await createSignedInPerson(harness)
  const answered = await authorize(person, authorizeUrl(await register(harness)), 'deny')
  expect(Object.fromEntries(answered.searchParams)).toMatchObject({ error: 'access_denied', state: 'st4te', iss: SITE })
  expect(await harness.state.db.selectFrom('connections').selectAll().execute()).toEqual([])
})

test('a form from another origin or without its token approves nothing', async () => {
  const person = await createSignedInPerson(harness)
  const page = await begin(person, authorizeUrl(await register(harness)))
  const request = new URL(page, SITE).searchParams.get('request')!
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = /name="_csrf" value="([^"]+)"/.exec((await person.get(page)).body)![1]!
  const fields = { request, answer: 'approve' }
  const tries = [
    postForm(harness.app, '/connect-mcp', fields, { cookie }),
    postForm(harness.app, '/connect-mcp', { ...fields, _csrf: token }, { cookie, origin: 'https://evil.example' }),
    postForm(harness.app, '/connect-mcp', { ...fields, _csrf: token }, { cookie, 'sec-fetch-site': 'cross-site' }),
  ]
  for (const answer of await Promise.all(tries))
    expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
  expect(await harness.state.db.selectFrom('challenges').selectAll().execute()).toEqual([])
})

test('a person who is sent another’s consent page cannot approve for that other, and an approval cannot be reused', async () => {
  const attacker = await createSignedInPerson(harness)
  const victim = await createSignedInPerson(harness)
  const page = await begin(attacker, authorizeUrl(await register(harness)))
  const link = await decide(victim, page)
  // The victim's browser did not begin this request.
  const inVictim = await victim.get(link)
  expect([inVictim.statusCode, inVictim.headers.location]).toEqual([400, undefined])
  // The attacker's browser did, but has no decision; it gets the consent page again.
  const inAttacker = await attacker.get(link.split('?')[0]!)
  expect(locationOf(inAttacker).pathname).toBe('/connect-mcp')
  expect(await harness.state.db.selectFrom('connections').selectAll().execute()).toEqual([])
})

test('a decision is valid once, for its own request, for one minute', async () => {
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  const first = await decide(person, await begin(person, authorizeUrl(client_id)))
  const second = await begin(person, authorizeUrl(client_id))
  const request = new URL(second, SITE).searchParams.get('request')!
  const moved = `/authorize/${request}${new URL(first, SITE).search}`
  expect(locationOf(await person.get(moved)).pathname).toBe('/connect-mcp')
  const late = await decide(person, await begin(person, authorizeUrl(client_id)))
  harness.controls.now += 61_000
  expect(locationOf(await person.get(late)).pathname).toBe('/connect-mcp')
  expect(await harness.state.db.selectFrom('connections').selectAll().execute()).toEqual([])
})

test('an unknown or finished request is answered with a page, not with an internal error', async () => {
  const person = await createSignedInPerson(harness)
  expect((await person.get('/connect-mcp?request=unknown')).statusCode).toBe(404)
  expect((await person.get('/connect-mcp?request=a&request=b')).statusCode).toBe(404)
  expect((await person.get('/connect-mcp')).body).toContain(`${SITE}/mcp`)
  const done = await decide(person, await begin(person, authorizeUrl(await register(harness))))
  await person.get(done)
  expect((await person.get(done)).statusCode).toBe(400)
})

test('a client that was removed before the approval is not connected, and the person sees why', async () => {
  const harness = await openOauth()
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  const link = await decide(person, await begin(person, authorizeUrl(client_id)))
  await harness.state.db.deleteFrom('oauth_records').where('id', '=', client_id).execute()
  const answered = await person.get(link)
  expect([answered.statusCode, answered.headers.location]).toEqual([400, undefined])
  expect(await harness.state.db.selectFrom('connections').selectAll().execute()).toEqual([])
})

test('a connection is listed for its account only, and ends with the next call after disconnecting', async () => {
  const { person, client } = await openConnected(harness)
  const { state, controls } = harness
  const other = await createSignedInPerson(harness)
  await connected(harness, other)
  const [connection, ...more] = await listConnections(state.db, person.account_id)
  expect(more).toEqual([])
  expect(connection).toMatchObject({ client_id: client.client_id, client_name: 'Test client', redirect_uri: CALLBACK })
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  const by = { actor: 'owner', source: '192.0.2.1' } as const
  expect(await disconnect(state, other.account_id, connection!.grant_id, by, controls.now)).toBe(false)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  expect(await disconnect(state, person.account_id, connection!.grant_id, by, controls.now)).toBe(true)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(401)
  expect((await refresh(harness, client)).json().error).toBe('invalid_grant')
  expect(await disconnect(state, person.account_id, connection!.grant_id, by, controls.now)).toBe(true)
  expect(await listConnections(state.db, person.account_id)).toEqual([])
  const audit = await state.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', person.account_id)
    .orderBy('at')
    .execute()
  expect(audit.map(({ action, actor }) => `${action} by ${actor}`).sort()).toEqual([
    'client_connected by owner',
    'client_disconnected by owner',
  ])
})

test('with site and authorization server on different hosts the approval is carried over', async () => {
  const site = 'http://site.test:8080'
  const auth = 'http://auth.test:8080'
  const harness = await openOauth({ HOLDSHORT_SITE_URL: site, HOLDSHORT_AUTH_URL: auth })
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  // Two cookie jars, as in a browser: neither host sees the other's cookies.
  const atAuth = formBrowser(harness.app)
  const began = await atAuth.get(authorizeUrl(client_id, { resource: `${site}/mcp` }))
  expect(String(began.headers.location)).toContain(`${site}/connect-mcp?request=`)
  const page = onward(began)
  const request = new URL(page, site).searchParams.get('request')!
  const decided = await person.post('/connect-mcp', { request, answer: 'approve' }, page)
  expect(String(decided.headers.location)).toContain(`${auth}/authorize/${request}?decision=`)
  const answered = locationOf(await atAuth.get(onward(decided)))
  expect([answered.searchParams.get('iss'), answered.searchParams.has('code')]).toEqual([auth, true])

  const metadata = '/.well-known/oauth-authorization-server'
  const redirected = await harness.app.inject({ url: metadata, headers: { host: 'site.test:8080' } })
  expect([redirected.statusCode, redirected.headers.location]).toEqual([307, auth + metadata])
  const served = await harness.app.inject({ url: metadata, headers: { host: 'auth.test:8080' } })
  expect(served.json()).toMatchObject({ issuer: auth, token_endpoint: `${auth}/token` })
})
