import type { RequestListener, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { type GuardedFetch, guardedFetch } from '../../../accounts/egress/guarded-fetch.ts'
import { isDocumentAddress } from '../../../accounts/oauth/client-documents.ts'
import { serveLocally } from '../../local-server.ts'
import { readCases } from '../../values.ts'
import { createSignedInPerson, formBrowser } from '../people/signed-in-person.ts'
import { authorize, authorizeUrl, begin, CALLBACK, connectedAs, openOauth, refresh } from './flow.ts'

const DOCUMENT = 'https://client.example/mcp.json'
const good = { client_id: DOCUMENT, client_name: 'By document', redirect_uris: [CALLBACK] }
const json = { 'content-type': 'application/json' }

/** A guarded fetch whose requests to client.example go to a server of the test. */
async function guardedFetchTo(listener: RequestListener) {
  const origin = await serveLocally(listener)
  const requested: Parameters<GuardedFetch>[] = []
  const egress: GuardedFetch = (url, request) => {
    requested.push([url, request])
    return guardedFetch(['127.0.0.1'])(url.replace('https://client.example', origin), request)
  }
  return { egress, requested }
}

test('accepts as client id only https addresses with a path and without dot segments or credentials', () => {
  const { client_ids } = readCases<{ client_ids: Record<'accepted' | 'refused', string[]> }>(
    'accounts/oauth/registration.json',
  )
  for (const id of client_ids.accepted) expect(isDocumentAddress(id), id).toBe(true)
  for (const id of [...client_ids.refused, `https://x.example/${'a'.repeat(500)}`])
    expect(isDocumentAddress(id), id).toBe(false)
})

test('null members of a document are absent', async () => {
  const document = { ...good, client_secret: null, grant_types: null, response_types: null, logo_uri: null }
  const { egress } = await guardedFetchTo((_request, response) =>
    response.writeHead(200, json).end(JSON.stringify(document)),
  )
  const harness = await openOauth({}, { egress })
  const person = await createSignedInPerson(harness)
  expect((await authorize(person, authorizeUrl(DOCUMENT))).searchParams.get('code')).toBeTruthy()
})

test('uses a document within its limits and caches it as long as its Cache-Control says, within bounds', async () => {
  const { egress, requested } = await guardedFetchTo((_request, response) =>
    response.writeHead(200, { ...json, 'cache-control': 'max-age=999999999' }).end(JSON.stringify(good)),
  )
  const harness = await openOauth({}, { egress })
  const person = await createSignedInPerson(harness)
  expect((await authorize(person, authorizeUrl(DOCUMENT))).searchParams.get('code')).toBeTruthy()
  expect(requested).toEqual([
    [DOCUMENT, expect.objectContaining({ method: 'GET', timeout_ms: 5_000, max_bytes: 32_768 })],
  ])
  const elsewhere = await harness.app.inject(authorizeUrl(DOCUMENT, { redirect_uri: 'https://client.example/other' }))
  expect([elsewhere.statusCode, elsewhere.json().error]).toEqual([400, 'invalid_redirect_uri'])
  harness.controls.now += 86_399_000
  await harness.app.inject(authorizeUrl(DOCUMENT))
  expect(requested).toHaveLength(1)
  harness.controls.now += 2_000
  await harness.app.inject(authorizeUrl(DOCUMENT))
  expect(requested).toHaveLength(2)
})

test('refuses an unusable document without a redirect, and requests it again only after a while', async () => {
  let answer: { status: number; headers: Record<string, string>; body: string } = {
    status: 200,
    headers: json,
    body: '',
  }
  const { egress, requested } = await guardedFetchTo((_request, response) => {
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  const harness = await openOauth({ HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '100' }, { egress })
  const cases: [Partial<typeof answer>, RegExp][] = [
    [{ status: 404 }, /answered 404/],
    [{ status: 302, headers: { location: 'http://169.254.169.254/' } }, /answered 302/],
    [{ headers: { 'content-type': 'text/html' } }, /not application\/json/],
    [{ headers: {} }, /not application\/json/],
    [{ body: '{' }, /not a JSON object/],
    [{ body: '[]' }, /not a JSON object/],
    [
      { body: JSON.stringify({ ...good, client_id: 'https://other.example/mcp.json' }) },
      /client_id is not its address/,
    ],
    [{ body: JSON.stringify({ ...good, client_secret: 's' }) }, /secret/],
    [{ body: JSON.stringify({ ...good, token_endpoint_auth_method: 'client_secret_basic' }) }, /shared secret/],
    [{ body: JSON.stringify({ ...good, redirect_uris: ['http://evil.example/'] }) }, /must be https/],
    [{ body: JSON.stringify({ ...good, note: 'x'.repeat(33_000) }) }, /more than 32768 bytes/],
  ]
  for (const [over, description] of cases) {
    answer = { status: 200, headers: json, body: JSON.stringify(good), ...over }
    harness.controls.now += 31_000
    const before = requested.length
    for (let i = 0; i < 2; i++) {
      const refused = await harness.app.inject(authorizeUrl(DOCUMENT))
      expect([refused.statusCode, refused.headers.location, refused.json().error]).toEqual([
        400,
        undefined,
        'invalid_client',
      ])
      expect(refused.json().error_description).toMatch(description)
    }
    expect(requested.length, String(description)).toBe(before + 1)
  }
})

test('uses a cached document for a day while its site does not respond; an error response counts immediately', async () => {
  let answers: (response: ServerResponse) => void = (response) =>
    response.writeHead(200, { ...json, 'cache-control': 'max-age=60' }).end(JSON.stringify(good))
  const { egress, requested } = await guardedFetchTo((_request, response) => answers(response))
  const harness = await openOauth({}, { egress })
  const statusAfter = async (minutes: number) => {
    harness.controls.now += minutes * 60_000
    return (await harness.app.inject(authorizeUrl(DOCUMENT))).statusCode
  }
  expect(await statusAfter(0)).toBe(303)
  answers = (response) => response.destroy()
  expect([await statusAfter(2), await statusAfter(1_400), requested.length]).toEqual([303, 303, 3])
  expect(await statusAfter(60)).toBe(503)
  answers = (response) => response.writeHead(200, json).end(JSON.stringify(good))
  expect(await statusAfter(1)).toBe(303)
  answers = (response) => response.writeHead(410).end()
  expect(await statusAfter(61)).toBe(400)
})

test('a connected client stays valid while its site is busy or its network has requested too many documents', async () => {
  let status = 200
  const headers = { ...json, 'cache-control': 'max-age=60' }
  const document = { ...good, grant_types: ['authorization_code', 'refresh_token'] }
  const { egress } = await guardedFetchTo((_request, response) =>
    response.writeHead(status, headers).end(JSON.stringify(document)),
  )
  const harness = await openOauth({ HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '5' }, { egress })
  const person = await createSignedInPerson(harness)
  let client = await connectedAs(harness, person, DOCUMENT)
  const refreshAfter = async (hours: number) => {
    harness.controls.now += hours * 3_600_000
    const answer = await refresh(harness, client)
    if (answer.statusCode === 200) client = { ...client, ...answer.json() }
    return [answer.statusCode, answer.json().error]
  }
  for (status of [503, 429, 500]) expect(await refreshAfter(1), String(status)).toEqual([200, undefined])
  // Its last good document is older than a day by now.
  expect(await refreshAfter(25)).toEqual([503, 'temporarily_unavailable'])
  status = 200
  expect(await refreshAfter(1)).toEqual([200, undefined])
  harness.controls.now += 3_600_000
  for (let i = 0; i < 5; i++) await harness.app.inject(authorizeUrl(`https://client.example/${i}.json`))
  expect(await refreshAfter(0)).toEqual([200, undefined])
  harness.controls.now += 25 * 3_600_000
  for (let i = 0; i < 5; i++) await harness.app.inject(authorizeUrl(`https://client.example/${i}.json`))
  expect(await refreshAfter(0)).toEqual([429, 'too_many_requests'])
  expect(await refreshAfter(1)).toEqual([200, undefined])
})

test('a person at the consent page hears what is wrong with the document, and others use up no requests of theirs', async () => {
  let status = 200
  const { egress } = await guardedFetchTo(({ url }, response) => {
    const document = JSON.stringify({ ...good, client_id: `https://client.example${url}` })
    response.writeHead(status, { ...json, 'cache-control': 'no-store' }).end(document)
  })
  const harness = await openOauth({ HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '3' }, { egress })
  const one = await createSignedInPerson(harness)
  const second = await createSignedInPerson(harness)
  const other = { ...second, ...formBrowser(harness.app, second.cookies, '192.0.2.7') }
  const pages: string[] = []
  for (let i = 0; i < 4; i++)
    pages.push(await begin(i < 3 ? one : other, authorizeUrl(`https://client.example/${i}.json`)))
  harness.controls.now += 61_000
  for (const page of pages.slice(0, 3)) expect((await one.get(page)).statusCode).toBe(200)
  expect((await other.get(pages[3]!)).statusCode).toBe(200)
  harness.controls.now += 61_000
  status = 404
  const gone = await other.get(pages[3]!)
  expect([gone.statusCode, gone.body]).toEqual([404, expect.stringContaining('its address answered 404')])
  status = 503
  harness.controls.now += 61_000
  const busy = await other.get(pages[3]!)
  expect([busy.statusCode, busy.body]).toEqual([503, expect.stringContaining('client.example answered 503')])
})

test('requests no address in a private network, and limits the requests for documents', async () => {
  const harness = await openOauth({ HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '8' })
  const hosts = ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]', '0x7f.1', 'localhost']
  for (const host of hosts) {
    const refused = await harness.app.inject(authorizeUrl(`https://${host}/mcp.json`))
    expect([refused.statusCode, refused.headers.location], host).toEqual([400, undefined])
    expect(refused.json().error_description, host).toMatch(/private network/)
  }
  await harness.app.inject(authorizeUrl('https://10.1.1.1/mcp.json'))
  const capped = await harness.app.inject(authorizeUrl('https://10.1.1.2/mcp.json'))
  expect(capped.json().error_description).toMatch(/at most 8/)
})
