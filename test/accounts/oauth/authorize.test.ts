import { expect, test } from 'vitest'
import { readCases } from '../../values.ts'
import { createSignedInPerson, formBrowser } from '../people/signed-in-person.ts'
import {
  authorize,
  authorizeUrl,
  CALLBACK,
  challengeOf,
  locationOf,
  mcp,
  onward,
  openOauth,
  postForm,
  refresh,
  register,
  SITE,
  shareOauth,
  verifier,
} from './flow.ts'

const harness = shareOauth()

/** Fields of an authorization request that replace the good ones (null removes one), and the pattern of what is said of them. */
interface Errors {
  redirected: [what: string, fields: Record<string, string | null>, error: string, description: string][]
  shown: [what: string, fields: Record<string, string>, message: string][]
}
const ERRORS = readCases<Errors>('accounts/oauth/authorize-errors.json')

test('/authorize redirects errors to the client', async () => {
  const client_id = await register(harness)
  const refusal = async (url: string) => {
    const answer = await harness.app.inject(url)
    const redirected = locationOf(answer)
    expect([answer.statusCode, redirected.origin + redirected.pathname], answer.body).toEqual([303, CALLBACK])
    // RFC 6749 §4.2.2.1: errors of the implicit flow are sent in the fragment.
    return Object.fromEntries(new URLSearchParams(redirected.search || redirected.hash.slice(1)))
  }
  for (const [what, fields, error, description] of ERRORS.redirected) {
    const redirected = await refusal(authorizeUrl(client_id, fields))
    expect(redirected, what).toMatchObject({ error, state: 'st4te', iss: SITE })
    expect(redirected.error_description ?? '', what).toMatch(new RegExp(description))
    expect(redirected, what).not.toHaveProperty('code')
  }
  const twice = `${authorizeUrl(client_id)}&redirect_uri=https://evil.example/`
  expect(await refusal(twice)).toMatchObject({ error: 'invalid_request' })
})

test('/authorize answers errors without a redirect: with a page for people, with JSON for programs', async () => {
  const client_id = await register(harness)
  for (const [what, fields, message] of ERRORS.shown) {
    const url = authorizeUrl(client_id, fields)
    const answer = await harness.app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml' } })
    expect([answer.statusCode, answer.headers.location], what).toEqual([400, undefined])
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['x-frame-options']).toBe('DENY')
    expect(answer.body, what).toMatch(new RegExp(message))
    expect(answer.body, what).not.toMatch(/<script(?! type="module" src="\/assets)/)
    const { error } = (await harness.app.inject(url)).json()
    expect(error, what).toMatch(/^invalid_(client|redirect_uri)$/)
  }
})

test('returns the code with the issuer, against mix-up attacks, and the unchanged state', async () => {
  const person = await createSignedInPerson(harness)
  const redirected = await authorize(person, authorizeUrl(await register(harness), { state: 'a b&c=é' }))
  expect([...redirected.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  expect([redirected.searchParams.get('iss'), redirected.searchParams.get('state')]).toEqual([SITE, 'a b&c=é'])
})

test('grants the scope read of our resource also without a scope or resource, with more scopes and with OpenID Connect parameters', async () => {
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  for (const fields of [
    { scope: undefined },
    { scope: 'openid offline_access read' },
    { scope: 'openid profile email' },
    { scope: 'offline_access' },
    { scope: 'mcp:tools https://other.example/.default' },
    { scope: 'READ' },
    { scope: '"' },
    { resource: undefined },
    { nonce: 'n', prompt: 'select_account' },
  ])
    expect((await authorize(person, authorizeUrl(client_id, fields))).searchParams.get('code')).toMatch(/^[\w-]{43}$/)
})

test('the resource may be written with a slash, in capitals, with its port or as its origin, at both endpoints', async () => {
  const site = 'https://holdshort.example'
  const harness = await openOauth({ HOLDSHORT_SITE_URL: site })
  const { cookies } = await createSignedInPerson(harness)
  const person = formBrowser(harness.app, new Map([['__Host-hs_session', cookies.get('hs_session')!]]))
  const client_id = await register(harness)
  for (const resource of [
    `${site}/mcp/`,
    `${site}/mcp//`,
    site,
    `${site}/`,
    'HTTPS://HOLDSHORT.EXAMPLE/MCP',
    'https://Holdshort.Example',
    'https://holdshort.example:443/mcp',
    `${site}/x/../mcp`,
  ]) {
    const code_verifier = verifier()
    const url = authorizeUrl(client_id, { resource, code_challenge: challengeOf(code_verifier) })
    const began = await person.get(url)
    expect([resource, locationOf(began).pathname]).toEqual([resource, '/connect-mcp'])
    const page = onward(began)
    const request = new URL(page, site).searchParams.get('request')!
    const token = /name="_csrf" value="([^"]+)"/.exec((await person.get(page)).body)![1]!
    const decided = await person.post('/connect-mcp', { request, answer: 'approve', _csrf: token }, page)
    const code = locationOf(await person.get(onward(decided))).searchParams.get('code')!
    const fields = {
      grant_type: 'authorization_code',
      client_id,
      code,
      redirect_uri: CALLBACK,
      code_verifier,
      resource,
    }
    const granted = await postForm(harness.app, '/token', fields)
    expect(granted.statusCode, `${resource} ${granted.body}`).toBe(200)
    expect((await mcp(harness, granted.json().access_token)).statusCode).toBe(200)
    const { refresh_token } = granted.json()
    expect((await refresh(harness, { client_id, refresh_token }, { resource })).statusCode).toBe(200)
  }
})

test('a loopback redirect address may have any port, but no other path', async () => {
  const person = await createSignedInPerson(harness)
  const redirect_uris = ['http://127.0.0.1/cb', 'http://localhost:3000/cb', 'http://[::1]/cb']
  const client_id = await register(harness, { redirect_uris })
  for (const redirect_uri of ['http://127.0.0.1:41999/cb', 'http://localhost:1/cb', 'http://[::1]:8/cb']) {
    const redirected = await authorize(person, authorizeUrl(client_id, { redirect_uri }))
    expect(redirected.href).toContain(redirect_uri)
  }
  for (const redirect_uri of [
    'http://127.0.0.1:41999/other',
    'http://127.0.0.2/cb',
    'http://localhost.evil.example/cb',
  ]) {
    const answer = await harness.app.inject(authorizeUrl(client_id, { redirect_uri }))
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_redirect_uri'])
  }
})

test('limits the authorization requests of one network per minute', async () => {
  const begin = (remoteAddress: string) => harness.app.inject({ url: '/authorize', remoteAddress })
  for (let i = 0; i < 120; i++) expect((await begin('2001:db8::1')).statusCode).toBe(400)
  const refused = await begin('2001:db8::2')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect(refused.body).toContain('at most 120')
  expect((await begin('2001:db8:1::1')).statusCode).toBe(400)
})

test('a Host header does not change the addresses of the flow', async () => {
  const url = authorizeUrl(await register(harness))
  for (const host of ['evil.example', 'a b', ':::', '']) {
    const answer = await harness.app.inject({ url, headers: { host, 'x-forwarded-host': 'evil.example' } })
    expect([answer.statusCode, String(answer.headers.location)]).toEqual([
      303,
      expect.stringMatching(`^${SITE}/connect-mcp`),
    ])
    expect(JSON.stringify(answer.headers)).not.toContain('evil')
  }
})
