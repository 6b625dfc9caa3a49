import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Tier } from '../../config/vocabulary.ts'
import { type Harness, shareHarness } from './harness.ts'

const harness = shareHarness()
const { call, controls, keys } = harness

const JFK = '/api/v1/airports/JFK'
const LARGE = `${JFK}/predictions`
const SMALL = `${JFK}/delays`
const JSON_BODY = { 'content-type': 'application/json' }

describe('request headers', () => {
  test('Accept selects the preferred offered type, JSON among equals; 406 if none is acceptable', async () => {
    const expected: [accept: string, type: string | null][] = [
      ['application/json', 'application/json'],
      ['application/json; charset=utf-8', 'application/json'],
      ['application/vnd.api+json, */*;q=0.1', 'application/json'],
      ['text/*', 'text/csv'],
      ['text/csv, application/json', 'application/json'],
      ['text/csv, application/json;q=0.9', 'text/csv'],
      ['TEXT/CSV', 'text/csv'],
      ['*/*, application/json;q=0', 'text/csv'],
      ['application/*;q=0.2, text/csv;q=0.3', 'text/csv'],
      ['text/csv;q=0, */*', 'application/json'],
      ['*/*;q=0', null],
      ['application/json;q=0', null],
      ['text/html', null],
      ['nonsense', null],
      ['text/csv;q=banana', null],
    ]
    for (const [accept, type] of expected) {
      const answer = await call('pro', '/api/v1/airports', { headers: { accept } })
      if (type === null) expect(answer.json(), accept).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' })
      else
        expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]], accept).toEqual([200, type])
    }
  })

  test('Accept-Encoding selects the preferred coding; small answers are compressed only if identity is refused', async () => {
    const expected: [header: string | undefined, large: string | undefined, small: string | undefined][] = [
      [undefined, undefined, undefined],
      ['', undefined, undefined],
      ['identity', undefined, undefined],
      ['gzip, deflate, br, zstd', 'br', undefined],
      ['gzip', 'gzip', undefined],
      ['GZIP', 'gzip', undefined],
      ['gzip;q=0.8, br;q=0.2', 'gzip', undefined],
      ['gzip;q=0.5, br;q=0.5', 'br', undefined],
      ['*', 'br', undefined],
      ['*, br;q=0', 'gzip', undefined],
      ['deflate', undefined, undefined],
      ['br;q=0, gzip;q=0', undefined, undefined],
      ['identity, gzip;q=0.5', undefined, undefined],
      ['identity;q=0.5, gzip', 'gzip', undefined],
      ['gzip, identity;q=0', 'gzip', 'gzip'],
      ['gzip, *;q=0', 'gzip', 'gzip'],
      ['br, *;q=0, identity', 'br', undefined],
      // Nothing is acceptable, so the answer is uncompressed, which most clients can read.
      ['identity;q=0', undefined, undefined],
      ['*;q=0', undefined, undefined],
    ]
    const decoded = ({ headers, rawPayload }: LightMyRequestResponse) => {
      const { 'content-encoding': coding, 'content-length': length } = headers
      expect(length).toBe(String(rawPayload.length))
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(coding)] ?? ((plain: Buffer) => plain)
      const plain = decode(rawPayload)
      return [coding, JSON.parse(plain.toString()).airport]
    }
    for (const [header, large, small] of expected) {
      const headers = header === undefined ? {} : { 'accept-encoding': header }
      expect(decoded(await call('enterprise', LARGE, { headers })), header).toEqual([large, 'JFK'])
      expect(decoded(await call('enterprise', SMALL, { headers })), header).toEqual([small, 'JFK'])
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
    for (const tag of ['*', etag, bare, `"a", ${etag}`, `W/"a" ,${bare} , "b"`])
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
    throw new Error('a bug')
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
  for (const { statusCode, headers, raw } of answers) {
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
    const read = raw.req.method === 'GET'
    expect(headers['access-control-allow-origin'], place).toBe(read ? '*' : undefined)
    if (read) expect(headers['access-control-expose-headers'], place).toContain('Retry-After')
  }
})

test('a preflight is answered with the allowed methods and headers, whatever it requests, and never allows credentials', async () => {
  for (const url of ['/api/v1/airports', LARGE, '/api/v1/airports/bulk', '/api/agent/register', '/api/keys/key_1']) {
    const headers = { ...ORIGIN, 'access-control-request-method': 'DELETE' }
    const answer = await call(null, url, { method: 'OPTIONS', headers })
    expect([answer.statusCode, answer.body], url).toEqual([204, ''])
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
  const requests: [string, number][] = [
    ['/api/v1/airports/%4AFK/delays', 200],
    ['/api/v1/airports/JF%4b/delays', 200],
    ['/api/v1/%61irports', 200],
    ['/api/v1/airports?country=%55S', 200],
    ['/api/v1/airports?q=S%C3%A3o+Paulo', 200],
    ['/api/v1/airports?', 200],
    ['/api/v1/airports/', 400],
    ['/api/v1//airports', 404],
    ['/api/v1/airports//delays', 400],
    ['/api/v1/airports/JFK/delays//', 404],
    ['/API/v1/airports', 404],
    ['/api/v1/Airports', 404],
    ['/api/v2/airports', 404],
    ['/api/v1/airports/jfk/delays', 200],
    ['/api/v1/airports/jf/delays', 400],
    ['/api/v1/airports/JFK%2Fdelays', 400],
    ['/api/v1/airports/J%2FK/delays', 400],
    ['/api/v1/airports/%00/delays', 400],
    ['/api/v1/airports/JFK%00/delays', 400],
    ['/api/v1/airports/%E2%80%AEJF/delays', 400],
    ['/api/v1/airports/JFKX/delays', 400],
    [`/api/v1/airports/${encodeURIComponent('ＪＦＫ')}/delays`, 400],
    [`/api/v1/airports/${'A'.repeat(300)}/delays`, 400],
    ['/api/v1/airports?__proto__=1&constructor=2', 400],
    ['//api/v1/airports', 404],
    ['/api/v1/airports/JFK/delays/', 404],
    ['/api/v1/airports/%/delays', 400],
    ['/api/v1/airports?q=%zz', 200],
    [`/api/v1/airports?q=${'a'.repeat(101)}`, 400],
    [`/api/v1/airports?${'a'.repeat(10_000)}`, 400],
    ['/api/v1/airports?limit=1&limit=1', 400],
    ['/api/v1/airports?limit[]=1', 400],
    ['/api/v1/airports?limit=', 400],
    ['/api/v1/airports?limit=%2B5', 400],
    ['/api/v1/airports?limit=5.0', 400],
    ['/api/v1/airports?limit=%D9%A5', 400],
    ['/api/v1/airports?Limit=5', 400],
    [`${LARGE}?date=2026-11-21T00:00:00Z`, 400],
    [`${LARGE}?date=2026-1-1`, 400],
  ]
  for (const [url, status] of requests)
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
