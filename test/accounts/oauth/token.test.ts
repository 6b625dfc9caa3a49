import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { listConnections } from '../../../accounts/oauth/connections.ts'
import { storageAdapter } from '../../../accounts/oauth/storage-adapter.ts'
import type { Harness } from '../../api/harness.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import {
  authorize,
  authorizeUrl,
  CALLBACK,
  challengeOf,
  connected,
  mcp,
  openConnected,
  openOauth,
  postForm,
  RESOURCE,
  refresh,
  register,
  SITE,
  shareOauth,
  verifier,
} from './flow.ts'

const harness = shareOauth()

const refused = (answer: LightMyRequestResponse, error: string, status = 400) => {
  expect([answer.statusCode, answer.json().error], answer.body).toEqual([status, error])
  expect(answer.headers['cache-control']).toBe('no-store')
}

/** A code and everything that is sent to exchange it. */
async function codeFor(harness: Harness) {
  const person = await createSignedInPerson(harness)
  const client_id = await register(harness)
  const code_verifier = verifier()
  const back = await authorize(person, authorizeUrl(client_id, { code_challenge: challengeOf(code_verifier) }))
  const code = back.searchParams.get('code')!
  const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: CALLBACK, code_verifier }
  return { person, fields }
}

test('exchanges a code only with its verifier, client, redirect address and resource, and only once', async () => {
  const { person, fields } = await codeFor(harness)
  const exchange = (more: Record<string, string | undefined>) => postForm(harness.app, '/token', { ...fields, ...more })
  refused(await exchange({ code_verifier: verifier() }), 'invalid_grant')
  refused(await exchange({ code_verifier: undefined }), 'invalid_grant')
  refused(await exchange({ client_id: await register(harness) }), 'invalid_grant')
  refused(await exchange({ client_id: 'client_unknown' }), 'invalid_client', 401)
  refused(await exchange({ client_id: undefined }), 'invalid_request')
  refused(await exchange({ redirect_uri: `${CALLBACK}/more` }), 'invalid_grant')
  refused(await exchange({ code: 'x'.repeat(43) }), 'invalid_grant')
  refused(await exchange({ grant_type: 'client_credentials' }), 'unsupported_grant_type')
  const answer = await exchange({})
  expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read' })
  const { access_token, refresh_token } = answer.json()
  expect((await mcp(harness, access_token)).statusCode).toBe(200)
  // A code that is used twice was stolen by one of the two, so all its tokens end.
  refused(await exchange({}), 'invalid_grant')
  refused(await refresh(harness, { ...fields, refresh_token }), 'invalid_grant')
  expect((await mcp(harness, access_token)).statusCode).toBe(401)
  expect(await listConnections(harness.state.db, person.account_id)).toEqual([])
})

test('a code is not exchanged for a token of another resource', async () => {
  const { fields } = await codeFor(harness)
  refused(await postForm(harness.app, '/token', { ...fields, resource: 'https://other.example/mcp' }), 'invalid_target')
})

test('of two concurrent exchanges of a code, at most one gets tokens, and these are not valid', async () => {
  const { fields } = await codeFor(harness)
  const answers = await Promise.all(Array.from({ length: 5 }, () => postForm(harness.app, '/token', fields)))
  const granted = answers.filter(({ statusCode }) => statusCode === 200)
  expect(granted.length).toBeLessThanOrEqual(1)
  for (const answer of granted) expect((await mcp(harness, answer.json().access_token)).statusCode).toBe(401)
})

test('of two that consume a code at the same instant, the second ends the connection; a refresh token has an overlap', async () => {
  const harness = await openOauth()
  const { client } = await openConnected(harness)
  const actor = () => ({ actor: 'client', source: null }) as const
  const context = {
    state: harness.state,
    clock: () => harness.controls.now,
    actor,
    readDocument: async () => undefined,
  }
  const tokens = storageAdapter(context, 'RefreshToken')
  await Promise.all([tokens.consume(client.refresh_token), tokens.consume(client.refresh_token)])
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  const codes = storageAdapter(context, 'AuthorizationCode')
  const grant = await harness.state.db.selectFrom('connections').select('grant_id').executeTakeFirstOrThrow()
  await codes.upsert('code', { grantId: grant.grant_id }, 60)
  const used = await Promise.allSettled([codes.consume('code'), codes.consume('code')])
  expect(used.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await mcp(harness, client.access_token)).statusCode).toBe(401)
})

test('a refresh token that was used less than 30 s ago is answered again, and all its tokens are valid', async () => {
  const { client } = await openConnected(harness)
  const together = await Promise.all([refresh(harness, client), refresh(harness, client), refresh(harness, client)])
  harness.controls.now += 29_000
  const repeated = await refresh(harness, client)
  for (const answer of [...together, repeated]) {
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await mcp(harness, answer.json().access_token)).statusCode).toBe(200)
    expect((await refresh(harness, { ...client, ...answer.json() })).statusCode).toBe(200)
  }
  // A repeated use does not extend the overlap.
  harness.controls.now += 2_000
  refused(await refresh(harness, client), 'invalid_grant')
  expect((await mcp(harness, repeated.json().access_token)).statusCode).toBe(401)
})

test('a refresh token whose successor could not be stored is answered whenever its client comes again', async () => {
  const { state, controls } = harness
  const { client } = await openConnected(harness)
  const actor = () => ({ actor: 'client', source: null }) as const
  const context = { state, clock: () => controls.now, actor, readDocument: async () => undefined }
  await storageAdapter(context, 'RefreshToken').consume(client.refresh_token)
  controls.now += 60_000
  // Two processes of the client come at once, as after any outage.
  const [renewed, other] = await Promise.all([refresh(harness, client), refresh(harness, client)])
  expect([renewed.statusCode, other.statusCode], renewed.body).toEqual([200, 200])
  expect((await mcp(harness, renewed.json().access_token)).statusCode).toBe(200)
  controls.now += 31_000
  refused(await refresh(harness, client), 'invalid_grant')
})

test('a token that a machine used whose clock is 45 s ahead is answered again by one whose clock is right', async () => {
  const { client } = await openConnected(harness)
  harness.controls.now += 45_000
  expect((await refresh(harness, client)).statusCode).toBe(200)
  harness.controls.now -= 45_000
  const repeated = await refresh(harness, client)
  expect(repeated.statusCode, repeated.body).toBe(200)
  expect((await mcp(harness, repeated.json().access_token)).statusCode).toBe(200)
})

test('the overlap ends also where the clock was set back, and another client cannot use it', async () => {
  const { client } = await openConnected(harness)
  await refresh(harness, client)
  refused(await refresh(harness, { ...client, client_id: await register(harness) }), 'invalid_grant')
  harness.controls.now -= 3_600_000
  refused(await refresh(harness, client), 'invalid_grant')
})

test('renews a refresh token at each use; reuse of an old one ends the whole connection', async () => {
  const harness = await openOauth()
  const { client } = await openConnected(harness)
  const first = (await refresh(harness, client)).json()
  expect(first.refresh_token).not.toBe(client.refresh_token)
  const second = (await refresh(harness, { ...client, ...first })).json()
  expect((await mcp(harness, second.access_token)).statusCode).toBe(200)
  harness.controls.now += 31_000
  refused(await refresh(harness, client), 'invalid_grant')
  refused(await refresh(harness, { ...client, ...second }), 'invalid_grant')
  expect((await mcp(harness, second.access_token)).statusCode).toBe(401)
  const audit = await harness.state.db.selectFrom('audit').select(['action', 'actor', 'detail']).execute()
  expect(audit.map(({ action }) => action).sort()).toEqual(['client_connected', 'client_disconnected'])
  expect(JSON.stringify(audit)).not.toContain(second.refresh_token)
})

test('a refresh cannot widen scope or resource, and another client cannot use the token', async () => {
  const { client } = await openConnected(harness)
  for (const scope of ['read write', 'openid profile email', 'offline_access', 'READ', 'read\tx', ' ']) {
    const narrowed = await refresh(harness, client, { scope })
    expect([narrowed.statusCode, narrowed.json().scope], narrowed.body).toEqual([200, 'read'])
  }
  for (const resource of ['https://other.example/', `${RESOURCE}?x=1`, `${RESOURCE}/more`, `${SITE}/mc`, 'mcp'])
    refused(await refresh(harness, client, { resource }), 'invalid_target')
  refused(await refresh(harness, { ...client, client_id: await register(harness) }), 'invalid_grant')
  expect((await refresh(harness, client, { scope: 'read', resource: RESOURCE })).statusCode).toBe(200)
})

test('a client can revoke its own refresh token, which ends the connection, but not that of another client', async () => {
  const { person, client } = await openConnected(harness)
  const other = await connected(harness, person)
  const revoke = (client_id: string, token: string) => postForm(harness.app, '/revoke', { client_id, token })
  expect((await revoke(other.client_id, client.refresh_token)).statusCode).toBe(200)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(200)
  expect((await revoke(client.client_id, client.refresh_token)).statusCode).toBe(200)
  expect((await mcp(harness, client.access_token)).statusCode).toBe(401)
  refused(await refresh(harness, client), 'invalid_grant')
  expect((await mcp(harness, other.access_token)).statusCode).toBe(200)
  refused(await revoke(other.client_id, other.access_token), 'unsupported_token_type')
})

test('a deleted client gets no token, and browsers are not redirected to it', async () => {
  const { client } = await openConnected(harness)
  await harness.state.db.deleteFrom('oauth_records').where('id', '=', client.client_id).execute()
  refused(await refresh(harness, client), 'invalid_client', 401)
  const answer = await harness.app.inject(authorizeUrl(client.client_id))
  expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined])
})

test('stores only keyed hashes of codes and tokens', async () => {
  const { client } = await openConnected(harness)
  const rows = JSON.stringify(await harness.state.db.selectFrom('oauth_records').selectAll().execute())
  for (const secret of [client.code, client.refresh_token, client.access_token]) expect(rows).not.toContain(secret)
})
