import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { backoffMs, retryAfterMs, TransientFailure } from '../../../pipeline/transport/retry.ts'
import { failing, getRequest, type LocalSite, openLocalSite, testHttpClient, text } from '../local-site.ts'
import { testSource } from '../test-source.ts'

let site: LocalSite
beforeEach(async () => {
  site = await openLocalSite()
  site.pages.set('/ok', text('ok'))
})
afterEach(() => site.close())

const get = (path: string, headers: Record<string, string> = {}) => getRequest(`${site.url}${path}`, { headers })
const requestsTo = (path: string) => site.seen.filter((request) => request.path === path).length
const source = testSource()

describe('retries', () => {
  it('retries twice after a 503 and then succeeds', async () => {
    let left = 2
    site.pages.set('/waits', (_, response) => response.writeHead(left-- > 0 ? 503 : 200).end('fine'))
    const got = await testHttpClient().fetch(get('/waits'), source, null)
    expect(got.status).toBe(200)
    expect(requestsTo('/waits')).toBe(3)
  })

  it('ends after two retries and reports what the site answered', async () => {
    site.pages.set('/waits', text('', 'text/html', 500))
    const error = await failing(testHttpClient().fetch(get('/waits'), source, null))
    expect([error.code, error.status, error.retryable]).toEqual(['FETCH_FAILED', 500, true])
    expect(requestsTo('/waits')).toBe(3)
  })

  it('waits as long as Retry-After says', async () => {
    let left = 1
    site.pages.set('/waits', (_, response) =>
      response.writeHead(left-- > 0 ? 429 : 200, { 'Retry-After': '1' }).end('fine'),
    )
    const started = Date.now()
    await testHttpClient().fetch(get('/waits'), source, null)
    expect(Date.now() - started).toBeGreaterThanOrEqual(990)
  })

  it('does not retry when the host asks for a long pause, and sends no other request to it meanwhile', async () => {
    site.pages.set('/waits', (_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end())
    const client = testHttpClient()
    expect((await failing(client.fetch(get('/waits'), source, null))).status).toBe(429)
    const other = await failing(client.fetch(get('/ok'), testSource({ id: 'other' }), null))
    expect(other.message).toContain('to send no request')
    expect([requestsTo('/waits'), requestsTo('/ok')]).toEqual([1, 0])
  })

  it('does not retry a 404', async () => {
    const error = await failing(testHttpClient().fetch(get('/missing'), source, null))
    expect([error.status, error.retryable, requestsTo('/missing')]).toEqual([404, false, 1])
  })

  it('backs off exponentially, with jitter between half and whole', () => {
    const options = { retries: 2, backoff_ms: 1_000, max_wait_ms: 3_000, random: () => 0 }
    expect([1, 2, 3, 9].map((attempt) => backoffMs(attempt, null, options))).toEqual([500, 1_000, 1_500, 1_500])
    expect(backoffMs(2, null, { ...options, random: () => 0.5 })).toBe(1_500)
    expect(backoffMs(2, new TransientFailure('', 429, 42_000), options)).toBe(42_000)
  })

  it('parses Retry-After as seconds or as a date by the clock of the host, at most a day', () => {
    const now = Date.parse('2026-11-21T10:00:00Z')
    const retryAfter = (header: string | null, date: string | null = null) => retryAfterMs(header, date, now)
    expect(retryAfter('120')).toBe(120_000)
    expect(retryAfter('Sat, 21 Nov 2026 10:00:30 GMT')).toBe(30_000)
    expect(retryAfter('Sat, 21 Nov 2026 09:00:00 GMT')).toBe(0)
    expect(retryAfter('Thu, 21 Nov 2024 09:00:30 GMT', 'Thu, 21 Nov 2024 09:00:00 GMT')).toBe(30_000)
    for (const years of ['99999999', '9'.repeat(400), 'Sat, 21 Nov 2099 10:00:00 GMT'])
      expect(retryAfter(years)).toBe(DAY_MS)
    for (const none of [null, '', 'soon', '-5', '5 minutes', '1e3', 'Sat, 99 Nov 2026 10:00:30 GMT'])
      expect(retryAfter(none)).toBeNull()
  })

  it('backs off also where the host asks for no pause', () => {
    const options = { retries: 2, backoff_ms: 1_000, max_wait_ms: 3_000, random: () => 0 }
    expect(backoffMs(1, new TransientFailure('', 429, 0), options)).toBe(500)
  })
})

it.each(['Infinity', '1e9', '86400'])(
  'a robots.txt that asks for a pause of: %s s is a site that is not read, and holds up no other request',
  async (delay) => {
    site.pages.set('/robots.txt', text(`User-agent: *\nCrawl-delay: ${delay}`, 'text/plain'))
    const slept: number[] = []
    const client = testHttpClient({ sleep: async (ms) => void slept.push(ms) })
    const error = await failing(client.fetch(get('/ok'), source, null))
    expect([error.code, error.message]).toEqual(['ROBOTS_DISALLOWED', expect.stringMatching(/Crawl-delay/)])
    expect([slept, requestsTo('/ok')]).toEqual([[], 0])
  },
)

it('an unreachable robots.txt ends the run at once, does not count as a failure of the source, and is not requested again at once', async () => {
  site.pages.set('/robots.txt', text('', 'text/plain', 500))
  const client = testHttpClient({ breaker_failures: 1 })
  for (let run = 0; run < 3; run++) {
    const error = await failing(client.fetch(get('/ok'), source, null))
    expect([error.code, error.retryable]).toEqual(['SITE_UNREACHABLE', true])
  }
  expect([requestsTo('/robots.txt'), requestsTo('/ok')]).toEqual([1, 0])
})

describe('a refusal', () => {
  it('is not retried, and the same request is not sent again until the hold is over', async () => {
    site.pages.set('/waits', text('', 'text/html', 403))
    let clock = 0
    const client = testHttpClient({ now: () => clock, refusal_ms: 60_000 })
    for (let run = 0; run < 3; run++) {
      const error = await failing(client.fetch(get('/waits'), source, null))
      expect([error.code, error.status]).toEqual(['FETCH_REFUSED', 403])
    }
    expect(requestsTo('/waits')).toBe(1)
    clock = 60_001
    await failing(client.fetch(get('/waits'), source, null))
    expect(requestsTo('/waits')).toBe(2)
  })

  it('does not block a request with a newly learned key', async () => {
    site.pages.set('/waits', (request, response) =>
      response.writeHead(request.headers['api-key'] === 'new' ? 200 : 401).end('fine'),
    )
    const client = testHttpClient()
    expect((await failing(client.fetch(get('/waits', { 'api-key': 'old' }), source, null))).code).toBe('FETCH_REFUSED')
    expect((await client.fetch(get('/waits', { 'api-key': 'new' }), source, null)).status).toBe(200)
  })
})
