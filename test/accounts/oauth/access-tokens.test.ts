import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test, vi } from 'vitest'
import { signingKeys } from '../../../accounts/oauth/signing-key.ts'
import type { Harness } from '../../api/harness.ts'
import { toolCall } from '../../api/mcp/requests.ts'
import { mcp, openConnected, openOauth, RESOURCE, SITE, shareOauth } from './flow.ts'

const harness = shareOauth()

const forged = async (harness: Harness, payload: JWTPayload, header: { alg?: string; typ?: string } = {}) => {
  const [jwk] = await signingKeys(harness.state, harness.controls.now)
  const key = await importJWK(jwk!, 'ES256')
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk!.kid ?? '', ...header })
    .sign(key)
}

const refused = async (harness: Harness, token: string, what: string) => {
  const answer = await mcp(harness, token)
  expect([answer.statusCode, answer.json().code], what).toEqual([401, 'INVALID_API_KEY'])
  expect(answer.headers['www-authenticate'], what).toMatch(
    /^Bearer .*error="invalid_token".*resource_metadata="http:\/\/127\.0\.0\.1:8080\/\.well-known\/oauth-protected-resource\/mcp"$/,
  )
}

test('refuses tokens with another type, issuer, audience, key or time', async () => {
  const { client } = await openConnected(harness)
  const claims = decodeJwt(client.access_token)
  expect(claims).toMatchObject({ iss: SITE, aud: RESOURCE, client_id: client.client_id, scope: 'read' })
  expect((await mcp(harness, await forged(harness, claims))).statusCode).toBe(200)

  await refused(harness, await forged(harness, { ...claims, iss: 'https://other.example' }), 'another issuer')
  await refused(harness, await forged(harness, { ...claims, aud: 'https://other.example/mcp' }), 'another audience')
  await refused(harness, await forged(harness, { ...claims, aud: SITE }), 'an audience that is only a prefix')
  await refused(harness, await forged(harness, claims, { typ: 'JWT' }), 'another kind of token')
  await refused(
    harness,
    await forged(harness, { ...claims, exp: Math.floor(harness.controls.now / 1000) }),
    'just expired',
  )
  const { exp: _, ...endless } = claims
  await refused(harness, await forged(harness, endless), 'without an end')
  const { grant_id: _id, ...loose } = claims
  await refused(harness, await forged(harness, loose), 'of no connection')
  await refused(harness, await forged(harness, { ...claims, grant_id: 'unknown' }), 'of an unknown connection')
  await refused(
    harness,
    await forged(harness, { ...claims, grant_id: { $ne: 1 } }),
    'of a connection id that is not a string',
  )

  await refused(harness, new UnsecuredJWT(claims).encode(), 'alg none')
  const [head, body, signature = ''] = client.access_token.split('.')
  await refused(harness, `${head}.${body}.`, 'without signature')
  const widened = Buffer.from(JSON.stringify({ ...claims, scope: 'write' })).toString('base64url')
  await refused(harness, `${head}.${widened}.${signature}`, 'tampered with')
  const turned = `${signature.slice(0, 20)}${signature[20] === 'A' ? 'B' : 'A'}${signature.slice(21)}`
  await refused(harness, `${head}.${body}.${turned}`, 'a turned bit')

  const jwk = (await harness.app.inject('/jwks')).json().keys[0]
  for (const secret of [JSON.stringify(jwk), String(jwk.x), JSON.stringify({ keys: [jwk] })])
    for (const typ of ['at+jwt', 'JWT']) {
      const confused = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ, kid: jwk.kid })
      await refused(harness, await confused.sign(Buffer.from(secret)), 'HS256 with the public key')
    }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid })
  await refused(harness, await own.sign(privateKey), 'a key of its own')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const embedded = new SignJWT(claims).setProtectedHeader({
    alg: 'ES256',
    typ: 'at+jwt',
    jwk: publicKey.export({ format: 'jwk' }),
  })
  await refused(harness, await embedded.sign(privateKey), 'a key that it brings along')
  await refused(harness, `${client.access_token}${'A'.repeat(5_000)}`, 'too long')
})

test('a cached token is refused as soon as it expires', async () => {
  const { client } = await openConnected(harness)
  const { exp = 0 } = decodeJwt(client.access_token)
  harness.controls.now = exp * 1000 - 1
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  harness.controls.now = exp * 1000
  await refused(harness, client.access_token, 'over')
})

test('REST and the account endpoints refuse a token for the MCP server and say why', async () => {
  const { client } = await openConnected(harness)
  const headers = { authorization: `Bearer ${client.access_token}` }
  for (const url of ['/api/v1/airports', '/api/v1/airports/JFK/delays', '/api/agent/me']) {
    const answer = await harness.call(null, url, { headers })
    expect([answer.statusCode, answer.json().code], url).toEqual([401, 'INVALID_API_KEY'])
    expect(answer.json().detail).toContain('access token for the MCP server')
    expect(answer.headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource"')
  }
  const revoking = await harness.call(null, '/api/keys/key_1', { method: 'DELETE', headers })
  expect(revoking.statusCode).toBe(401)
})

test('a token has the current tier of the account, and its calls count for the account', async () => {
  const harness = await openOauth()
  const { person, client } = await openConnected(harness)
  const bearer = { authorization: `Bearer ${client.access_token}` }
  const forecast = () => harness.call(null, '/mcp', toolCall('get_wait_time_predictions', { iata: 'JFK' }, bearer))
  expect((await forecast()).body).toContain('PREMIUM_REQUIRED')
  await harness.state.changeAccess((transaction) =>
    transaction.updateTable('accounts').set({ tier: 'pro' }).where('id', '=', person.account_id).execute(),
  )
  const answer = await forecast()
  expect(answer.body).not.toContain('PREMIUM_REQUIRED')
  expect(answer.headers['x-ratelimit-limit']).toBe('300')
  await harness.app.close()
  const usage = await harness.state.db
    .selectFrom('usage')
    .selectAll()
    .where('account_id', '=', person.account_id)
    .execute()
  expect(usage).toMatchObject([{ endpoint: 'get_wait_time_predictions', calls: 1 }])
})

test('stores the last use of a connection, at most every few minutes', async () => {
  const harness = await openOauth()
  const { client } = await openConnected(harness)
  const used = async () =>
    (await harness.state.db.selectFrom('connections').select('used_at').executeTakeFirstOrThrow()).used_at
  await mcp(harness, client.access_token)
  // It is stored in the background, not before the answer.
  await vi.waitFor(async () => expect(await used()).toBe(new Date(harness.controls.now).toISOString()))
  const first = await used()
  harness.controls.now += 60_000
  await harness.state.changeAccess(async () => undefined)
  await mcp(harness, client.access_token)
  expect(await used()).toBe(first)
  harness.controls.now += 300_000
  await harness.state.changeAccess(async () => undefined)
  await mcp(harness, client.access_token)
  await vi.waitFor(async () => expect(await used()).not.toBe(first))
})

test('discovery leads from a 401 to the metadata of resource and authorization server, which name only what exists', async () => {
  const { app } = harness
  const unauthorized = await app.inject({ method: 'POST', url: '/mcp', payload: {} })
  expect(unauthorized.statusCode).toBe(401)
  const challenge = String(unauthorized.headers['www-authenticate'])
  expect(challenge).not.toContain('error=')
  const metadata = new URL(/resource_metadata="([^"]+)"/.exec(challenge)![1]!)
  for (const url of [metadata.pathname, '/.well-known/oauth-protected-resource']) {
    const resource = (await app.inject(url)).json()
    expect(resource).toMatchObject({ resource: RESOURCE, authorization_servers: [SITE], scopes_supported: ['read'] })
  }
  const server = (await app.inject('/.well-known/oauth-authorization-server')).json()
  expect(server).toMatchObject({
    issuer: SITE,
    scopes_supported: ['read'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
  })
  expect(JSON.stringify(server)).not.toContain('openid')
  for (const name of [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'jwks_uri',
  ])
    expect((await app.inject(new URL(server[name]).pathname)).statusCode, name).not.toBe(404)
  expect((await app.inject('/.well-known/openid-configuration')).statusCode).toBe(404)
  const off = [
    '/me',
    '/request',
    '/session/end',
    '/token/introspection',
    '/auth',
    '/reg',
    '/device',
    '/register/client_1',
  ]
  for (const url of off) expect((await app.inject(url)).statusCode, url).toBe(404)
})

test('two processes of an installation sign with the same key', async () => {
  const { state } = harness
  const [[first], [other]] = await Promise.all([signingKeys(state, 0), signingKeys(state, 0)])
  expect(first).toEqual(other)
  const stored = JSON.stringify(await state.db.selectFrom('secrets').selectAll().execute())
  expect(stored).not.toContain(first!.d)
})
