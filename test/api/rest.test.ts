import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import { NOW, snapshotAt, THIS_HOUR } from './example-snapshot.ts'
import { forecastFrom, measured } from './fake-snapshot.ts'
import { openHarness } from './harness.ts'

/** A forecast whose model card has unrounded figures, as training writes them. */
const unrounded = (series: ForecastSeries): ForecastSeries => ({
  ...series,
  model: {
    version: 'model:JFK',
    trained_at: '2026-11-20T04:00:00.488Z',
    basis: 'predicted',
    backtest: { mae_minutes: 1.3459455, baseline_mae_minutes: 1.9195928, coverage_80: 0.7430505, samples: 5 },
  },
})

describe('parameters', () => {
  test('an airport without readings is answered with nulls and reasons, not with numbers', async () => {
    const { call } = await openHarness()
    const waits = (await call('enterprise', '/api/v1/airports/DEL/wait-times')).json()
    expect(waits.security).toMatchObject({ average_wait_minutes: null, basis: null, terminals: [] })
    expect(waits.security.unavailable_reason).toBeTruthy()
    expect(waits.predictions).toMatchObject({ next_hour: null, confidence: null, low: null, high: null })
    expect((await call('pro', '/api/v1/airports/DEL/predictions')).json()).toMatchObject({ model: null, hours: [] })
    expect((await call('pro', '/api/v1/airports/DEL/historical')).json()).toMatchObject({
      coverage: 0,
      hours: [],
      pattern: [],
    })
    expect((await call('free', '/api/v1/airports/DEL/delays')).json()).toMatchObject({
      supported: false,
      status: 'unknown',
    })
  })

  test('answers 404 for an unknown airport and 400 with the parameter for a malformed code', async () => {
    const { call } = await openHarness()
    for (const place of ['wait-times', 'predictions', 'delays', 'historical']) {
      const unknown = await call('pro', `/api/v1/airports/QQQ/${place}`)
      expect(unknown.json(), place).toMatchObject({
        status: 404,
        code: 'AIRPORT_NOT_FOUND',
        error: 'AIRPORT_NOT_FOUND',
      })
      const malformed = await call('pro', `/api/v1/airports/jfk/${place}`)
      expect(malformed.json().errors, place).toEqual([
        { parameter: 'iata', message: 'must be three capital letters, like JFK; use JFK' },
      ])
    }
  })

  test('names every unknown or invalid query parameter in one answer', async () => {
    const { call } = await openHarness()
    const answer = await call('free', '/api/v1/airports?limit=201&page=0&live=maybe&size=huge&colour=red&q=')
    expect(answer.statusCode).toBe(400)
    const named = answer.json().errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(named.sort()).toEqual(['colour', 'limit', 'live', 'page', 'q', 'size'])
    expect((await call('free', '/api/v1/airports?limit=1&limit=2')).statusCode).toBe(400)
    expect((await call('free', '/api/v1/airports/JFK/delays?verbose=1')).statusCode).toBe(400)
    expect((await call('free', '/api/v1/airports?limit=1e1')).statusCode).toBe(400)
  })
})

describe('HTTP', () => {
  test('ETag, 304 and Cache-Control come from the snapshot', async () => {
    const { call, controls } = await openHarness()
    const url = '/api/v1/airports/JFK/delays'
    const first = await call('free', url)
    expect(first.headers['cache-control']).toBe('private, max-age=60')
    const etag = String(first.headers.etag)
    const again = await call('free', url, { headers: { 'if-none-match': `"other", ${etag}` } })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    controls.snapshot = { ...controls.snapshot!, id: 'next' }
    expect((await call('free', url, { headers: { 'if-none-match': etag } })).statusCode).toBe(200)
  })

  test('caches answers separately for each tier', async () => {
    const { call } = await openHarness()
    const url = '/api/v1/airports/JFK/wait-times'
    const enterprise = await call('enterprise', url)
    const pro = await call('pro', url)
    expect(enterprise.json().security.terminals).toHaveLength(1)
    expect(pro.json().security.terminals).toEqual([])
    expect(pro.headers.etag).not.toBe(enterprise.headers.etag)
  })

  test('HEAD is GET without the body', async () => {
    const { call } = await openHarness()
    const get = await call('free', '/api/v1/airports')
    const head = await call('free', '/api/v1/airports', { method: 'HEAD' })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', get.headers.etag])
    expect(head.headers['content-length']).toBe(String(get.rawPayload.length))
  })

  test('405 with Allow, 404, 406, 413, 415 and a broken body', async () => {
    const { call } = await openHarness()
    const wrong = await call('free', '/api/v1/airports', { method: 'DELETE' })
    expect([wrong.statusCode, wrong.json().code, wrong.headers.allow]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, OPTIONS',
    ])
    expect((await call(null, '/api/v1/airports/bulk', { method: 'PUT' })).headers.allow).toBe('POST, OPTIONS')
    expect((await call('free', '/api/v1/airports/bulk')).statusCode).toBe(405)
    expect((await call('free', '/api/v1/nowhere')).json().code).toBe('NOT_FOUND')
    expect((await call('free', '/api/v1/airports', { headers: { accept: 'image/png' } })).statusCode).toBe(406)
    expect((await call('free', '/api/v1/airports/JFK/delays', { headers: { accept: 'text/csv' } })).statusCode).toBe(
      406,
    )
    const large = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: ' '.repeat(300_000),
    } as const
    expect((await call('enterprise', '/api/v1/airports/bulk', large)).statusCode).toBe(413)
    const xml = { method: 'POST', headers: { 'content-type': 'application/xml' }, payload: '<codes/>' } as const
    expect((await call('enterprise', '/api/v1/airports/bulk', xml)).statusCode).toBe(415)
    const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{"codes"' } as const
    expect((await call('enterprise', '/api/v1/airports/bulk', broken)).json()).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER',
    })
    expect((await call('free', '/api/v1/airports/%zz/delays')).statusCode).toBe(400)
  })

  test('answers hostile addresses and bodies with 4xx, never with an internal error', async () => {
    const { call } = await openHarness()
    const long = await call('free', `/api/v1/airports/${'A'.repeat(300)}/delays`)
    expect([long.statusCode, long.json().errors]).toEqual([400, [{ parameter: 'path', message: 'is too long' }]])
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, payload: '{"codes":["JFK"]}' } as const
    expect((await call('enterprise', '/api/v1/airports/bulk', text)).statusCode).toBe(415)
    const poisoned = await call('free', '/api/v1/airports?__proto__=1&constructor=2')
    expect(
      poisoned
        .json()
        .errors.map(({ parameter }: { parameter: string }) => parameter)
        .sort(),
    ).toEqual(['__proto__', 'constructor'])
    expect((await call('free', '/api/v1/airports/')).json().errors).toMatchObject([{ parameter: 'iata' }])
    for (const url of ['//api/v1/airports', '/api/v1/airports/JFK/delays/'])
      expect((await call('free', url)).json().code, url).toBe('NOT_FOUND')
    for (const code of ['%00', 'JFK%00', 'J%2FK', '%E2%80%AEJF', 'JFKX', 'ＪＦＫ'])
      expect((await call('free', `/api/v1/airports/${encodeURI(decodeURI(code))}/delays`)).statusCode, code).toBe(400)
    expect((await call('free', '/api/v1/airports', { method: 'TRACE' as 'GET' })).statusCode).toBe(405)
    expect((await call(null, '/health', { method: 'OPTIONS' })).statusCode).toBe(405)
  })

  test('answers a malformed HTTP request with a problem, too', async () => {
    const { app } = await openHarness()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const overflow = `GET /api/v1/airports?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`
    const split = 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\rSet-Cookie: b\r\n\r\n'
    for (const [sent, message] of [
      [overflow, 'larger than 16 KiB'],
      [split, 'not valid HTTP'],
    ] as const) {
      const socket = connect(port, '127.0.0.1', () => socket.write(sent))
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk as Buffer)
      const [head, body] = Buffer.concat(chunks).toString().split('\r\n\r\n') as [string, string]
      expect(head).toMatch(/^HTTP\/1\.1 400 .*content-type: application\/problem\+json/s)
      expect(head).not.toContain('Set-Cookie')
      expect(JSON.parse(body)).toMatchObject({ code: 'INVALID_PARAMETER', detail: expect.stringContaining(message) })
    }
  })

  test('instants are in whole seconds, and fractions have at most three decimals', async () => {
    const { call, controls } = await openHarness()
    const exact = '2026-11-21T14:19:16.932Z'
    const snapshot = snapshotAt(NOW, {
      queues: { 'JFK security': { ...measured(NOW, 14), observed_at: exact } },
      forecasts: [unrounded(forecastFrom('JFK', THIS_HOUR))],
    })
    controls.snapshot = { ...snapshot, generated_at: exact }
    controls.now += 357
    const urls = ['wait-times', 'predictions', 'delays', 'historical?days=1'].map(
      (place) => `/api/v1/airports/JFK/${place}`,
    )
    for (const url of [...urls, '/api/agent/me', '/health']) {
      const { statusCode, body } = await call('enterprise', url)
      expect(statusCode, url).toBe(200)
      expect(body, url).not.toMatch(/T\d\d:\d\d:\d\d\.\d/)
      expect(body, url).not.toMatch(/\d\.\d{4}/)
    }
    const { model } = (await call('enterprise', urls[1]!)).json()
    expect(model.backtest).toEqual({ mae_minutes: 1.346, baseline_mae_minutes: 1.92, coverage_80: 0.743, samples: 5 })
  })

  test('uses a valid request id of the caller and creates one otherwise', async () => {
    const { call } = await openHarness()
    const mine = await call(null, '/api/v1/airports', { headers: { 'x-request-id': 'trace-1' } })
    expect([mine.headers['x-request-id'], mine.json().request_id]).toEqual(['trace-1', 'trace-1'])
    const bad = await call(null, '/api/v1/airports', { headers: { 'x-request-id': 'a b\tc' } })
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('answers CSV where it is offered, with columns in order, doubled quotes and escaped formulas', async () => {
    const { call } = await openHarness()
    const csv = { headers: { accept: 'text/csv' } }
    const airports = await call('free', '/api/v1/airports?size=small', csv)
    expect(airports.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [header, row] = airports.body.split('\r\n')
    expect(header).toMatch(/^iata,icao,name,city,country/)
    expect(row).toMatch(/^XSM,,"'=Small, ""Field""",,US,,0,-105\.5,/)
    expect((await call('enterprise', '/api/v1/airports/JFK/predictions', csv)).body.split('\r\n')[2]).toMatch(
      /^JFK,T4,2026-11-21T14:00:00Z,/,
    )
    expect((await call('enterprise', '/api/v1/airports/JFK/historical?days=1', csv)).body.split('\r\n')).toHaveLength(
      1 + 2 * 24 + 1,
    )
    const atItsAddress = await call('free', '/api/v1/airports.csv?size=small')
    expect([atItsAddress.body, atItsAddress.headers['content-type'], atItsAddress.headers.link]).toEqual([
      airports.body,
      airports.headers['content-type'],
      expect.stringContaining('/api/v1/airports.csv?size=small&limit=50&page=1'),
    ])
    expect((await call('free', '/api/v1/airports.csv', { headers: { accept: 'application/json' } })).statusCode).toBe(
      406,
    )
    expect((await call('free', '/api/v1/airports/JFK/historical.csv')).json()).toMatchObject({ required_tier: 'pro' })
    const both = await call('free', '/api/v1/airports', { headers: { accept: 'text/csv;q=0.5, application/json' } })
    expect(both.headers['content-type']).toContain('application/json')
  })

  test('compresses large answers on request, but not small ones', async () => {
    const { call } = await openHarness()
    const url = '/api/v1/airports/JFK/predictions'
    const plain = await call('enterprise', url)
    for (const encoding of ['br', 'gzip']) {
      const answer = await call('enterprise', url, { headers: { 'accept-encoding': encoding } })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    }
    const refused = await call('enterprise', url, { headers: { 'accept-encoding': 'br;q=0, identity' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('pages of other origins may read with a key, but not write', async () => {
    const { call } = await openHarness()
    const origin = { origin: 'https://elsewhere.example' }
    const read = await call('free', '/api/v1/airports', { headers: origin })
    expect(read.headers['access-control-allow-origin']).toBe('*')
    const preflight = await call(null, '/api/v1/airports', { method: 'OPTIONS', headers: origin })
    expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD'])
    const write = await call(null, '/api/agent/register', { method: 'POST', headers: origin })
    expect(write.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('answers 503 with Retry-After while there is no snapshot, and reports the status starting', async () => {
    const { call, controls } = await openHarness()
    controls.snapshot = null
    const answer = await call('free', '/api/v1/airports')
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'NOT_READY', '5'])
    expect((await call(null, '/health')).json()).toEqual({
      status: 'starting',
      reason: 'No snapshot has been published yet.',
      snapshot: null,
      simulated: null,
      faults: [],
    })
    expect((await call(null, '/')).statusCode).toBe(200)
  })

  test('answers an internal error as INTERNAL without internal details', async () => {
    const { call, controls } = await openHarness()
    controls.snapshot = {
      ...controls.snapshot!,
      delays: () => {
        throw new Error('SELECT secret FROM /srv/holdshort')
      },
    }
    const answer = await call('free', '/api/v1/airports/JFK/delays')
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'INTERNAL'])
    expect(answer.body).not.toMatch(/SELECT|srv|stack/)
  })
})
