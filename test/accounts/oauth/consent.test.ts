import { expect, test } from 'vitest'
import { endGrant, listConnections } from '../../../accounts/oauth/connections.ts'
import { CLIENT_WRITES, MAY_WRITE_LABEL } from '../../../accounts/oauth/consent-page.tsx'
import { startSession } from '../../../accounts/people/sessions.ts'
import { TOOLS } from '../../../bin/service/registry.ts'
import type { Harness } from '../../api/harness.ts'
import { messagesOf, toolCall } from '../../api/mcp/requests.ts'
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
  RESOURCE,
  refresh,
  register,
  SITE,
  shareOauth,
} from './flow.ts'

const harness = shareOauth()

/** Whether the consent page lets the client write, unless the person changes it. */
const tickOf = (page: string) => {
  const [tick] = /<input type="checkbox" name="may_write"[^>]*>/.exec(page) ?? []
  expect(page).toContain(MAY_WRITE_LABEL)
  return tick?.includes('checked') ? 'ticked' : 'unticked'
}

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

test('the page names everything that a connection may write if it is allowed: one line for each tool that is not read-only', async () => {
  const writing = TOOLS.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name)
  expect(Object.keys(CLIENT_WRITES).sort()).toEqual(writing.sort())
  // Only the declaration of the query refuses a client that may not write.
  const declared = TOOLS.filter(({ query }) => !query.synchronous && query.writes).map(({ name }) => name)
  expect(declared.sort()).toEqual(writing.sort())
  const person = await createSignedInPerson(harness)
  const { body } = await person.get(await begin(person, authorizeUrl(await register(harness))))
  for (const consequence of Object.values(CLIENT_WRITES)) expect(body).toContain(consequence)
  expect(body).toContain(`</strong> asks to read airport data as ${person.email}.`)
  expect(tickOf(body)).toBe('unticked')
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

test('a visitor who is not signed in learns why, signs in first and returns to the same request', async () => {
  const stranger = formBrowser(harness.app)
  const began = await stranger.get(authorizeUrl(await register(harness)))
  const response = await stranger.get(onward(began))
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(onward(began))}`,
  ])
  const signIn = onward(response)
  for (const page of [signIn, signIn.replace('/sign-in', '/signup')])
    expect((await stranger.get(page)).body, page).toContain('An app asks to read airport data as you')
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

test.each(['/sign-out/everywhere', '/account/browsers/end'])(
  'a decision of a session that ended by %s connects nothing, and is asked for again',
  async (path) => {
    const person = await createSignedInPerson(harness)
    const { state, controls, app } = harness
    const approved = await decide(person, await begin(person, authorizeUrl(await register(harness))))
    const from = { source: '192.0.2.2', user_agent: null }
    const { cookie } = await startSession(state, person.person_id, from, controls.now)
    const owner = formBrowser(app, new Map([['hs_session', cookie]]))
    const session = /name="session" value="([^"]+)"/.exec((await owner.get('/account')).body)![1]!
    expect((await owner.post(path, { session }, '/account')).statusCode).toBe(303)
    const back = await person.get(approved)
    expect([back.statusCode, locationOf(back).pathname]).toEqual([303, '/connect-mcp'])
    expect(await listConnections(state.db, person.account_id)).toEqual([])
    expect((await person.get(onward(back))).headers.location).toContain('/sign-in?next=')
    const grants = await state.db.selectFrom('oauth_records').select('payload').where('model', '=', 'Grant').execute()
    expect(grants.filter(({ payload }) => payload.includes(person.account_id))).toEqual([])
  },
)

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
  const disconnect = ({ account_id }: typeof person) =>
    endGrant(state, { grant_id: connection!.grant_id, account_id, why: 'disconnected' }, by, controls.now)
  expect(await disconnect(other)).toBe(false)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  expect(await disconnect(person)).toBe(true)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(401)
  expect((await refresh(harness, client)).json().error).toBe('invalid_grant')
  expect(await disconnect(person)).toBe(true)
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

const WRITES = {
  submit_wait_time_report: { iata: 'GRU', queue: 'baggage', wait_minutes: 20 },
  create_wait_time_alert: { iata: 'JFK', direction: 'above', threshold_minutes: 30 },
}

/** What the two tools that write answer to a token: `written`, or the code of the refusal. */
async function writingBy({ call }: Harness, access_token: string) {
  const outcomes: string[] = []
  for (const [name, input] of Object.entries(WRITES)) {
    const answer = await call(null, '/mcp', toolCall(name, input, { authorization: `Bearer ${access_token}` }))
    const { isError, content } = messagesOf(answer.body)[0]!.result as {
      isError?: boolean
      content: { text: string }[]
    }
    if (isError) expect(content[0]!.text).toContain(`${SITE}/dashboard#clients`)
    outcomes.push(isError ? content[0]!.text.split(':')[0]! : 'written')
  }
  return outcomes
}
const REFUSED = ['WRITING_NOT_ALLOWED', 'WRITING_NOT_ALLOWED']
const WRITTEN = ['written', 'written']

test('a connection writes only while its owner allows it, which the dashboard changes; refreshing keeps the choice', async () => {
  const { person, client } = await openConnected(harness)
  const other = await connected(harness, person)
  expect(await writingBy(harness, client.access_token)).toEqual(REFUSED)
  expect(await harness.state.db.selectFrom('wait_reports').selectAll().execute()).toEqual([])
  const [row] = (await listConnections(harness.state.db, person.account_id)).filter(
    ({ client_id }) => client_id === client.client_id,
  )
  const path = `/dashboard/clients/${row!.grant_id}/writing`
  const choose = async (may_write: string) => (await person.post(path, { may_write }, '/dashboard')).statusCode
  expect(await choose('maybe')).toBe(403)
  expect(await choose('yes')).toBe(303)
  const { body } = await person.get('/dashboard')
  expect(body).toContain('may file wait reports and set alerts in your name')
  expect(await writingBy(harness, client.access_token)).toEqual(WRITTEN)
  expect(await writingBy(harness, other.access_token), 'another connection of the account').toEqual(REFUSED)
  const renewed = (await refresh(harness, client)).json()
  expect(renewed.scope).toBe('read')
  expect(await writingBy(harness, renewed.access_token)).toEqual(WRITTEN)
  expect(await choose('no')).toBe(303)
  expect(await writingBy(harness, renewed.access_token), 'from the next call on').toEqual(REFUSED)
  const stranger = await createSignedInPerson(harness)
  expect((await stranger.post(path, { may_write: 'yes' }, '/dashboard')).statusCode).toBe(404)
  const audit = await harness.state.db
    .selectFrom('audit')
    .select('action')
    .where('account_id', '=', person.account_id)
    .execute()
  expect(audit.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['client_writing_allowed', 'client_writing_ended']),
  )
})

test('the tick of the consent page lets the client write, and a new consent shows the present choice', async () => {
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  const code_verifier = 'v'.repeat(43)
  const tokenOf = async (ticked: Record<string, string>) => {
    const back = await authorize(person, authorizeUrl(client_id), 'approve', ticked)
    const fields = { grant_type: 'authorization_code', client_id, code: back.searchParams.get('code')!, code_verifier }
    const answer = await postForm(harness.app, '/token', { ...fields, redirect_uri: CALLBACK, resource: RESOURCE })
    return answer.json().access_token as string
  }
  const shown = async () => tickOf((await person.get(await begin(person, authorizeUrl(client_id)))).body)
  expect(await shown()).toBe('unticked')
  expect(await writingBy(harness, await tokenOf({ may_write: 'yes' }))).toEqual(WRITTEN)
  expect(await shown()).toBe('ticked')
  harness.controls.now += 1_000
  expect(await writingBy(harness, await tokenOf({}))).toEqual(REFUSED)
  expect(await shown()).toBe('unticked')
})

test('a connection of an earlier release may not write until its owner allows it', async () => {
  const { client } = await openConnected(harness)
  await harness.state.changeAccess((transaction) =>
    transaction.updateTable('connections').set({ may_write: null }).execute(),
  )
  expect(await writingBy(harness, client.access_token)).toEqual(REFUSED)
})
