import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { WIRE_CODES } from '../../api/rest/problem.ts'
import { HoldshortError } from '../../config/errors.ts'
import { projectFile } from '../../config/paths.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { unavailableGate } from './gate/gate-variants.ts'
import { type Harness, openHarness, shareHarness } from './harness.ts'

const harness = shareHarness()
const { call, controls, keys } = harness

interface Requests {
  accept: [accept: string, type: string | null][]
  /** The coding of a large and of a small answer, null for none. Where nothing is acceptable it is none, which most clients can read. */
  accept_encoding: [header: string | null, large: string | null, small: string | null][]
  paths: [url: string, status: number][]
}
const REQUESTS: Requests = JSON.parse(readFileSync(projectFile('test/api/http.json'), 'utf8'))

const JFK = '/api/v1/airports/JFK'
const LARGE = `${JFK}/predictions`
const SMALL = `${JFK}/delays`
const JSON_BODY = { 'content-type': 'application/json' }

describe('request headers', () => {
  test('Accept selects the preferred offered type, JSON among equals; 406 if none is acceptable', async () => {
    for (const [accept, type] of REQUESTS.accept) {
      const answer = await call('pro', '/api/v1/airports', { headers: { accept } })
      if (type === null) expect(answer.json(), accept).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' })
      else
        expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]], accept).toEqual([200, type])
    }
  })

  test('Accept-Encoding selects the preferred coding; small answers are compressed only if identity is refused', async () => {
    const decoded = ({ headers, rawPayload }: LightMyRequestResponse) => {
      const { 'content-encoding': coding, 'content-length': length } = headers
      expect(length).toBe(String(rawPayload.length))
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(coding)] ?? ((plain: Buffer) => plain)
      const plain = decode(rawPayload)
      return [coding ?? null, JSON.parse(plain.toString()).airport]
    }
    for (const [header, large, small] of REQUESTS.accept_encoding) {
      const headers: Record<string, string> = header === null ? {} : { 'accept-encoding': header }
      expect(decoded(await call('enterprise', LARGE, { headers })), headers['accept-encoding']).toEqual([large, 'JFK'])
      expect(decoded(await call('enterprise', SMALL, { headers })), headers['accept-encoding']).toEqual([small, 'JFK'])
    }
  })

  test('If-None-Match matches weak, strong, listed and * tags; another snapshot or tier has another tag', async () => {
    const { headers } = await call('pro', LARGE)
    expect(headers['cache-control']).toBe('private, max-age=60')
    const etag = String(headers.etag)
    expect(etag).toMatch(/^W\/"[\w.-]+"$/)
    const bare = etag.slice(2)
    const statusOf = async (tag: string, tier: Tier = 'pro') =>
      (await call(tier, LARGE, { headers: { 'if-none-match': tag } })).statusCode
    const changedByProxies = [etag.replace(/"$/, '-gzip"'), bare.replace(/"$/, ';gzip"')]
    for (const tag of ['*', etag, bare, ...changedByProxies, `"a", ${etag}`, `W/"a" ,${bare} , "b"`])
      expect(await statusOf(tag), tag).toBe(304)
    for (const tag of ['""', '"a"', 'a', bare.slice(1, -1), `${etag.slice(0, -2)}"`, ''])
      expect(await statusOf(tag), tag).toBe(200)
    expect(await statusOf(etag, 'enterprise')).toBe(200)
    const compressed = await call('pro', LARGE, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } })
    expect([compressed.statusCode, compressed.headers['content-encoding']]).toEqual([304, undefined])
    controls.snapshot = { ...controls.snapshot!, id: 'next' }
    expect(await statusOf(etag)).toBe(200)
  })
})

/** Headers that differ between any two calls. */
const VARYING_HEADERS = ['date', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'connection']
function stableHeaders({ headers }: LightMyRequestResponse): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING_HEADERS.includes(name)))
}

test('HEAD has the status and headers of GET at every address, also for errors, 304, CSV and compressed answers', async () => {
  const requests: [string, Record<string, string>?][] = [
    ['/api/v1/airports?limit=2'],
    ['/api/v1/airports', { accept: 'text/csv' }],
    ['/api/v1/coverage'],
    [`${JFK}/wait-times`],
    [LARGE, { 'accept-encoding': 'gzip' }],
    [LARGE, { 'if-none-match': '*' }],
    [SMALL, { origin: 'https://elsewhere.example' }],
    [`${JFK}/historical?days=1`],
    [`${JFK}/historical?days=0`],
    ['/api/v1/airports/QQQ/delays'],
    [SMALL, { accept: 'image/png' }],
    ['/api/agent/me'],
    ['/health'],
    ['/status'],
    ['/openapi.json', { 'accept-encoding': 'br' }],
    ['/llms.txt'],
    ['/'],
  ]
  for (const [url, headers = {}] of requests) {
    const get = await call('pro', url, { headers })
    const head = await call('pro', url, { method: 'HEAD', headers })
    expect([head.statusCode, head.body], url).toEqual([get.statusCode, ''])
    expect(stableHeaders(head), url).toEqual(stableHeaders(get))
  }
})

const RATE = ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

/** Makes one call for each status that a call with a key can get. */
async function everyStatus({ call, controls }: Harness): Promise<LightMyRequestResponse[]> {
  const post = (tier: Tier, payload: string, headers: Record<string, string> = JSON_BODY) =>
    call(tier, '/api/v1/airports/bulk', { method: 'POST', payload, headers: { ...headers, ...ORIGIN } })
  const get = (tier: Tier, url: string, headers: Record<string, string> = {}) =>
    call(tier, url, { headers: { ...headers, ...ORIGIN } })
  const { snapshot } = controls
  const answers = [
    await get('free', SMALL),
    await get('free', '/api/agent/me'),
    await get('free', SMALL, { 'if-none-match': '*' }),
    await get('free', `${SMALL}?colour=red`),
    await get('free', LARGE),
    await get('free', '/api/v1/airports/QQQ/delays'),
    await call('free', '/api/keys/key_of_nobody', { method: 'DELETE' }),
    await get('free', SMALL, { accept: 'image/png' }),
    await post('enterprise', ' '.repeat(300_000)),
    await post('enterprise', '<x/>', { 'content-type': 'text/xml' }),
    await post('enterprise', '{"codes"'),
  ]
  const broken = () => {
    throw new Error('SELECT secret FROM /srv/holdshort')
  }
  controls.snapshot = { ...snapshot!, delays: broken }
  answers.push(await get('pro', SMALL))
  controls.snapshot = null
  answers.push(await get('pro', SMALL))
  controls.snapshot = snapshot
  for (;;) {
    const answer = await get('free', SMALL)
    if (answer.statusCode !== 429) continue
    answers.push(answer)
    return answers
  }
}
const ORIGIN = { origin: 'https://elsewhere.example' }

test('every answer to a call with a key has rate limit headers, a request id and CORS headers, and no deprecation header', async () => {
  const answers = await everyStatus(harness)
  const met = new Set(answers.map(({ statusCode }) => statusCode))
  expect([...met].sort()).toEqual([200, 304, 400, 403, 404, 406, 413, 415, 429, 500, 503])
  for (const { statusCode, headers, raw, body } of answers) {
    const place = `${statusCode} at ${raw.req.url}`
    for (const name of RATE) expect(headers[name], `${name} of ${place}`).toBeDefined()
    expect(Number(headers['x-ratelimit-remaining']), place).toBeLessThan(Number(headers['x-ratelimit-limit']))
    expect(headers['x-request-id'], place).toMatch(/^[\w-]{16,}$/)
    expect(headers['x-content-type-options'], place).toBe('nosniff')
    expect('retry-after' in headers, place).toBe([429, 503].includes(statusCode))
    expect([headers.deprecation, headers.sunset, headers['set-cookie']], place).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(headers['access-control-allow-credentials'], place).toBeUndefined()
    if (statusCode >= 400) expect(headers['cache-control'], place).toBe('no-store')
    expect(body, place).not.toMatch(/SELECT|srv|stack/)
    const read = raw.req.method === 'GET'
    expect(headers['access-control-allow-origin'], place).toBe(read ? '*' : undefined)
    if (read) expect(headers['access-control-expose-headers'], place).toContain('Retry-After')
  }
})

test('each documented error code occurs', async () => {
  const harness = await openHarness()
  const { call, state } = harness
  const answers = [
    ...(await everyStatus(harness)),
    await call(null, '/api/v1/airports'),
    await call('pro', '/nowhere'),
    await call('pro', '/api/agent/me', { method: 'PUT' }),
  ]
  for (const code of ['STATE_UNREACHABLE', 'STATE_DAMAGED'] as const) {
    vi.spyOn(state, 'accessVersion').mockRejectedValue(new HoldshortError(code, 'not now'))
    answers.push(await call('pro', '/api/v1/airports'))
  }
  await sql.raw('PRAGMA query_only = ON').execute(state.db)
  answers.push(await call(null, '/api/agent/register', { method: 'POST' }))
  await sql.raw('PRAGMA query_only = OFF').execute(state.db)
  const away = await openHarness({}, { makeGate: unavailableGate })
  answers.push(await away.call('pro', '/api/v1/airports'))
  const met = answers.filter(({ statusCode }) => statusCode >= 400).map((answer) => answer.json().code)
  expect([...new Set(met)].sort()).toEqual([...WIRE_CODES].sort())
})

test('a preflight is answered with the allowed methods and headers, whatever it requests, and never allows credentials', async () => {
  for (const url of ['/api/v1/airports', LARGE, '/api/v1/airports/bulk', '/api/agent/register', '/api/keys/key_1']) {
    const headers = { ...ORIGIN, 'access-control-request-method': 'DELETE' }
    const answer = await call(null, url, { method: 'OPTIONS', headers })
    expect([answer.statusCode, answer.body], url).toEqual([204, ''])
    const broken = { ...headers, 'content-type': 'application/json' }
    expect((await call(null, url, { method: 'OPTIONS', headers: broken, payload: '{' })).statusCode, url).toBe(204)
    expect(answer.headers, url).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': expect.stringMatching(/Authorization.*X-API-Key.*If-None-Match/),
    })
    expect(answer.headers['access-control-allow-credentials'], url).toBeUndefined()
  }
})

test('an encoded path matches its decoded form; extra slashes, another case and invalid encodings do not match', async () => {
  const headers = { 'x-api-key': keys.pro.key }
  const long: [string, number][] = [
    [`/api/v1/airports/${'A'.repeat(300)}/delays`, 400],
    [`/api/v1/airports?${'a'.repeat(10_000)}`, 400],
  ]
  for (const [url, status] of [...REQUESTS.paths, ...long])
    expect((await harness.app.inject({ url, headers })).statusCode, url).toBe(status)
})

test('the address of a page with a slash at its end leads to the page; one of REST, of a form or of another host does not', async () => {
  const requests: [method: 'GET' | 'HEAD' | 'POST', url: string, status: number, location?: string][] = [
    ['GET', '/airports/JFK/', 308, '/airports/JFK'],
    ['HEAD', '/airports/JFK/?lane=all&q=a/', 308, '/airports/JFK?lane=all&q=a/'],
    ['GET', '/docs/', 308, '/docs'],
    ['GET', '/health/', 308, '/health'],
    ['GET', '/airports/JFK//', 404],
    ['GET', '/nothing/', 404],
    ['POST', '/sign-in/', 404],
    ['GET', '//example.com/', 404],
    ['GET', '/api/agent/register/', 404],
    ['GET', '/', 200],
  ]
  for (const [method, url, status, location] of requests) {
    const { statusCode, headers } = await harness.app.inject({ method, url })
    expect([url, statusCode, headers.location], url).toEqual([url, status, location])
  }
})
