import { expect, test } from 'vitest'
import type { AccountDependencies } from '../../../accounts/dependencies.ts'
import { expireConnectionsTask } from '../../../accounts/oauth/connections.ts'
import { redirectFault } from '../../../accounts/oauth/redirect-uris.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import type { Harness } from '../../api/harness.ts'
import { readCases } from '../../values.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import { authorizeUrl, connected, openOauth, register, SITE } from './flow.ts'

/** Redirect addresses that are accepted and refused; metadata with the error of each and a pattern of its description. */
interface Known {
  accepted: string[]
  refused: string[]
  faults: [metadata: unknown, error: string, description: string][]
}
const KNOWN = readCases<Known>('accounts/oauth/registration.json')

const ask = ({ app }: Harness, payload: unknown, headers: Record<string, string> = {}) => {
  const json = { 'content-type': 'application/json', ...headers }
  return app.inject({ method: 'POST', url: '/register', payload: JSON.stringify(payload), headers: json })
}

test('normalises the metadata of clients to what is supported, and returns it', async () => {
  const harness = await openOauth()
  const answer = await ask(harness, {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost:54545/callback'],
    scope: 'openid read write',
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    response_types: ['code', 'token'],
    token_endpoint_auth_method: 'client_secret_post',
    client_secret: 'x',
    logo_uri: 'javascript:alert(1)',
    jwks_uri: 'http://169.254.169.254/',
    client_id: 'client_mine',
    id_token_signed_response_alg: 'none',
  })
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([201, '*'])
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json()).toEqual({
    client_id: expect.stringMatching(/^client_[0-9a-f-]{36}$/),
    client_name: 'Claude Code',
    scope: 'read',
    redirect_uris: ['http://localhost:54545/callback'],
    application_type: 'native',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    client_id_issued_at: Math.floor(harness.controls.now / 1000),
  })
})

test('null members of a registration are absent', async () => {
  const harness = await openOauth()
  const redirect_uris = ['https://client.example/cb']
  const absent = {
    client_name: null,
    grant_types: null,
    response_types: null,
    scope: null,
    client_uri: null,
    contacts: null,
    jwks: null,
    software_version: null,
  }
  const withNulls = await ask(harness, { redirect_uris, ...absent })
  const without = await ask(harness, { redirect_uris })
  expect([withNulls.statusCode, withNulls.json()]).toEqual([
    201,
    { ...without.json(), client_id: withNulls.json().client_id },
  ])
  expect((await ask(harness, { redirect_uris: null })).json().error).toBe('invalid_redirect_uri')
  expect((await ask(harness, { redirect_uris: [null] })).json().error).toBe('invalid_redirect_uri')
})

test('accepts redirect addresses over https, to this computer and to apps, but no scheme that a browser handles itself', () => {
  for (const uri of KNOWN.accepted) expect(redirectFault(uri), uri).toBeNull()
  for (const uri of KNOWN.refused) expect(redirectFault(uri), JSON.stringify(uri)).toMatch(/^must /)
})

test('refuses invalid metadata with an error of RFC 7591 that names the field, and stores nothing', async () => {
  const harness = await openOauth()
  const good = { redirect_uris: ['https://client.example/cb'] }
  for (const [payload, error, description] of KNOWN.faults) {
    const answer = await ask(harness, payload)
    expect([answer.statusCode, answer.json().error], answer.body).toEqual([400, error])
    expect(answer.json().error_description).toMatch(new RegExp(description))
  }
  const post = (payload: string, type: string) =>
    harness.app.inject({ method: 'POST', url: '/register', payload, headers: { 'content-type': type } })
  expect((await post('{', 'application/json')).json().error).toBe('invalid_client_metadata')
  expect((await post('a=b', 'application/x-www-form-urlencoded')).statusCode).toBe(415)
  const large = JSON.stringify({ ...good, note: 'x'.repeat(20_000) })
  expect((await post(large, 'application/json')).statusCode).toBe(413)
  expect(await harness.state.db.selectFrom('oauth_records').select('id').execute()).toEqual([])
})

test('limits the registrations of one network, whatever its headers', async () => {
  const harness = await openOauth({ HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '3' })
  for (let i = 0; i < 3; i++) await register(harness)
  const refused = await ask(
    harness,
    { redirect_uris: ['https://client.example/cb'] },
    { 'x-forwarded-for': '192.0.2.9' },
  )
  expect([refused.statusCode, refused.json().error]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const agent = await harness.app.inject({ method: 'POST', url: '/api/agent/register' })
  expect(agent.statusCode).toBe(201)
  harness.controls.now += 61_000
  await register(harness)
})

test('deletes an unapproved client after a day, and an approved one only after a long time without use', async () => {
  const harness = await openOauth()
  const unused = await register(harness)
  const { client_id } = await connected(harness, await createSignedInPerson(harness))
  const tidy = (days: number) =>
    expireConnectionsTask.run({ state: harness.state } as AccountDependencies, harness.controls.now + days * DAY_MS)
  const clients = async () =>
    (await harness.state.db.selectFrom('oauth_records').select('id').where('model', '=', 'Client').execute()).map(
      (row) => row.id,
    )
  await tidy(0.9)
  expect((await clients()).sort()).toEqual([unused, client_id].sort())
  await tidy(1.1)
  expect(await clients()).toEqual([client_id])
  await tidy(89)
  expect(await clients()).toEqual([client_id])
  expect(await harness.state.db.selectFrom('connections').select('revoked_at').execute()).not.toEqual([
    { revoked_at: null },
  ])
  await tidy(91)
  expect(
    await harness.state.db.selectFrom('oauth_records').select('id').where('model', '!=', 'Grant').execute(),
  ).toEqual([])
})

test('refuses an expired client before it is deleted', async () => {
  const harness = await openOauth()
  const client_id = await register(harness)
  harness.controls.now += 1.1 * DAY_MS
  expect((await harness.app.inject(authorizeUrl(client_id))).statusCode).toBe(400)
})

test('pages of other origins may discover, register and request tokens', async () => {
  const { app } = await openOauth()
  const resource = '/.well-known/oauth-protected-resource'
  const metadata = ['/.well-known/oauth-authorization-server', resource, `${resource}/mcp`]
  for (const url of ['/register', '/token', '/revoke', '/jwks', ...metadata]) {
    const headers = { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' }
    const answer = await app.inject({ method: 'OPTIONS', url, headers })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']], url).toEqual([204, '*'])
    expect(answer.headers['access-control-allow-headers']).toContain('Content-Type, MCP-Protocol-Version')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  }
  const token = await app.inject({ method: 'POST', url: '/token', headers: { origin: 'http://localhost:6274' } })
  expect([token.statusCode, token.headers['access-control-allow-origin']]).toEqual([400, '*'])
  const jwks = (await app.inject('/jwks')).json()
  expect(jwks.keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })])
  expect(jwks.keys[0]).not.toHaveProperty('d')
  expect(SITE).toMatch(/^http:/)
})
