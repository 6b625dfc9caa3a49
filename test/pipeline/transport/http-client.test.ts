import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Source } from '../../../config/sources.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import type { SourceRequest } from '../../../pipeline/parsing/collector.ts'
import { failing, getRequest, type LocalSite, openLocalSite, testHttpClient, text } from '../local-site.ts'
import { testSource } from '../test-source.ts'

let site: LocalSite
beforeEach(async () => {
  site = await openLocalSite()
})
afterEach(() => site.close())

/** Fetches a path of the site. */
const get = (path: string, request: Partial<SourceRequest> = {}, client = testHttpClient(), source = testSource()) =>
  client.fetch(getRequest(`${site.url}${path}`, request), source, null)
const THEN = 'Sat, 21 Nov 2026 10:00:00 GMT'
const requestsTo = (path: string) => site.seen.filter((request) => request.path.split('?')[0] === path)

describe('the HTTP client', () => {
  it('sends its User-Agent and returns the body with its validators', async () => {
    site.pages.set('/waits', (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', ETag: '"a1"' }).end('[1]'),
    )
    const got = await get('/waits', {}, testHttpClient({ now: () => Date.parse('2026-11-21T10:00:00Z') }))
    expect(requestsTo('/waits')[0]?.headers['user-agent']).toBe('Holdshort/1.2.3 (+ops@example.org)')
    expect(new TextDecoder().decode(got.body)).toBe('[1]')
    expect({ ...got, body: null }).toEqual({
      status: 200,
      body: null,
      content_type: 'application/json',
      etag: '"a1"',
      last_modified: null,
      fetched_at: '2026-11-21T10:00:00Z',
      url: `${site.url}/waits`,
      not_modified: false,
    })
  })

  it('does not let a request replace its User-Agent', async () => {
    site.pages.set('/waits', text('ok'))
    await get('/waits', { headers: { 'User-Agent': 'Mozilla/5.0' } })
    expect(requestsTo('/waits')[0]?.headers['user-agent']).toBe('Holdshort/1.2.3 (+ops@example.org)')
  })

  it('sends conditional requests and recognises a 304', async () => {
    site.pages.set('/waits', (request, response) =>
      response.writeHead(request.headers['if-none-match'] === '"a1"' ? 304 : 200).end(),
    )
    const previous = { etag: '"a1"', last_modified: 'Sat, 21 Nov 2026 10:00:00 GMT' }
    const got = await testHttpClient().fetch(getRequest(`${site.url}/waits`), testSource(), previous)
    expect(got.not_modified).toBe(true)
    expect(requestsTo('/waits')[0]?.headers['if-modified-since']).toBe(previous.last_modified)
  })

  it.each<[string, Record<string, string>, Partial<Source>, RegExp | null]>([
    ['an hour in a cache', { Age: '3600' }, {}, null],
    ['a day in a cache', { Age: '90000' }, {}, /a copy that a cache has kept for 25 h/],
    [
      'a day in a cache that dates it anew',
      { Age: '90000', Date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
      {},
      /kept for 25 h/,
    ],
    ['a Date of yesterday', { Date: 'Fri, 20 Nov 2026 09:00:00 GMT' }, {}, /a page of 25 h ago by its Date header/],
    ['a clock of another time zone', { Date: 'Fri, 20 Nov 2026 22:00:00 GMT' }, {}, null],
    ['headers that are no times', { Age: 'old', Date: 'yesterday' }, {}, null],
    ['a map, which changes slowly', { Age: '900000' }, { kind: 'places' }, null],
    ['waits of the past', { Age: '90000' }, { timeliness: 'history' }, null],
  ])('refuses figures that are too old a copy: %s', async (_, headers, fields, refusal) => {
    site.pages.set('/waits', (_, response) => response.writeHead(200, { Date: THEN, ...headers }).end('[1]'))
    const client = testHttpClient({ now: () => Date.parse(THEN) })
    const got = get('/waits', {}, client, testSource(fields))
    if (refusal === null) expect((await got).status).toBe(200)
    else expect(await failing(got)).toMatchObject({ code: 'FETCH_FAILED', message: expect.stringMatching(refusal) })
  })

  it('a request may allow a larger body than others', async () => {
    site.pages.set('/list', text('x'.repeat(2_000)))
    const client = testHttpClient({ max_bytes: 1_000, retries: 0 })
    expect((await failing(get('/list', {}, client))).code).toBe('FETCH_TOO_LARGE')
    const { body } = await get('/list', { max_bytes: 3_000 }, client)
    expect(body.byteLength).toBe(2_000)
  })

  it('times out on a server that does not answer', async () => {
    site.pages.set('/slow', () => undefined)
    const started = Date.now()
    const error = await failing(get('/slow', { timeout_ms: 100 }, testHttpClient({ retries: 0 })))
    expect(error.code).toBe('FETCH_FAILED')
    expect(error.retryable).toBe(true)
    expect(Date.now() - started).toBeLessThan(5_000)
  })

  it('maps every address into the simulated world, robots.txt too', async () => {
    site.pages.set('/www.example.org/robots.txt', text('User-agent: *\nDisallow: /private', 'text/plain'))
    site.pages.set('/www.example.org/waits', text('simulated'))
    const client = testHttpClient({ simulated_world: site.url })
    const got = await client.fetch(getRequest('https://www.example.org/waits?a=1'), testSource(), null)
    expect(site.seen.map((request) => request.path)).toEqual([
      '/www.example.org/robots.txt',
      '/www.example.org/waits?a=1',
    ])
    expect(got.url).toBe('https://www.example.org/waits?a=1')
    const error = await failing(client.fetch(getRequest('https://www.example.org/private/x'), testSource(), null))
    expect(error.code).toBe('ROBOTS_DISALLOWED')
  })
})

describe('redirects', () => {
  it('are followed without sending a key to another origin', async () => {
    const other = await openLocalSite()
    other.pages.set('/there', text('arrived'))
    site.pages.set('/here', (_, response) => response.writeHead(302, { Location: `${other.url}/there` }).end())
    const got = await get('/here', { headers: { 'api-key': 'learned', Accept: 'text/html' } })
    await other.close()
    expect(got.url).toBe(`${other.url}/there`)
    const there = other.seen.find((request) => request.path === '/there')
    expect(there?.headers['api-key']).toBeUndefined()
    expect(there?.headers.accept).toBe('text/html')
    expect(requestsTo('/here')[0]?.headers['api-key']).toBe('learned')
  })

  it('obey the robots.txt of their target', async () => {
    const other = await openLocalSite()
    other.pages.set('/robots.txt', text('User-agent: *\nDisallow: /', 'text/plain'))
    site.pages.set('/here', (_, response) => response.writeHead(302, { Location: `${other.url}/there` }).end())
    const error = await failing(get('/here'))
    await other.close()
    expect(error.code).toBe('ROBOTS_DISALLOWED')
    expect(other.seen.map((request) => request.path)).toEqual(['/robots.txt'])
  })
})

describe('pace', () => {
  it('leaves a pause between requests to one host, and never sends two at once', async () => {
    let inFlight = 0
    let most = 0
    site.pages.set('/waits', (_, response) => {
      most = Math.max(most, ++inFlight)
      setTimeout(() => {
        inFlight--
        response.end('ok')
      }, 20)
    })
    const slept: number[] = []
    let clock = 1_000_000
    const client = testHttpClient({
      now: () => clock,
      sleep: async (ms) => {
        slept.push(ms)
        clock += ms
      },
    })
    const source = testSource({ pace_seconds: 3 })
    await Promise.all([1, 2, 3].map(() => get('/waits', {}, client, source)))
    expect(most).toBe(1)
    expect(slept).toEqual([3_000, 3_000, 3_000])
  })

  it('waits no longer than the pace after a clock that was ahead is set right', async () => {
    site.pages.set('/waits', (_, response) => {
      response.sendDate = false
      response.end('ok')
    })
    const slept: number[] = []
    const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
    const sleep = async (ms: number) => {
      slept.push(ms)
      clock.now += ms
    }
    const client = testHttpClient({ now: () => clock.now, sleep })
    const source = testSource({ pace_seconds: 3 })
    for (const jump of [0, DAY_MS, -DAY_MS, 3 * 365 * DAY_MS, -3 * 365 * DAY_MS]) {
      clock.now += jump
      await get('/waits', {}, client, source)
    }
    expect(Math.max(...slept)).toBeLessThanOrEqual(3_000)
  })

  it('obeys a longer Crawl-delay', async () => {
    site.pages.set('/robots.txt', text('User-agent: Holdshort\nCrawl-delay: 7', 'text/plain'))
    site.pages.set('/waits', text('ok'))
    const slept: number[] = []
    const client = testHttpClient({ now: () => 0, sleep: async (ms) => void slept.push(ms) })
    await get('/waits', {}, client, testSource({ pace_seconds: 1 }))
    expect(slept).toEqual([7_000])
  })
})
