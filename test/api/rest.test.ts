import { describe, expect, test } from 'vitest'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import { NOW, snapshotAt, THIS_HOUR } from './example-snapshot.ts'
import { forecastFrom, measured } from './fake-snapshot.ts'
import { shareHarness } from './harness.ts'

const harness = shareHarness()
const { call, controls } = harness

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

  test('names every unknown or invalid query parameter in one answer', async () => {
    const answer = await call('free', '/api/v1/airports?limit=201&page=0&live=maybe&size=huge&colour=red&q=')
    expect(answer.statusCode).toBe(400)
    const named = answer.json().errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(named.sort()).toEqual(['colour', 'limit', 'live', 'page', 'q', 'size'])
    const poisoned = (await call('free', '/api/v1/airports?__proto__=1&constructor=2')).json()
    // What stands in the path cannot be given again.
    const messageOf = async (url: string) => (await harness.call('pro', url)).json().errors[0].message
    expect(await messageOf('/api/v1/airports/JFK/delays?day=1')).toBe('is not a known parameter; this takes none')
    expect(await messageOf('/api/v1/airports/JFK/predictions?day=1')).toMatch(/^is not a known parameter; known: date/)
    expect(poisoned.errors).toMatchObject([{ parameter: '__proto__' }, { parameter: 'constructor' }])
    const long = (await call('free', `/api/v1/airports/${'A'.repeat(300)}/delays`)).json()
    expect(long.errors).toEqual([
      { parameter: 'path', message: 'must have at most 200 characters in each of its parts' },
    ])
    expect(await messageOf('/api/v1/airports?limit=1&limit=2')).toBe('must be given only once')
    expect(await messageOf('/api/v1/airports?limit=201')).toBe('must be a whole number from 1 to 200')
    expect(await messageOf('/api/v1/accuracy?days=8')).toBe('must be one of 7, 30, 90')
    expect((await call('free', '/api/v1/airports/JFK/delays?verbose=1')).statusCode).toBe(400)
    expect((await call('free', '/api/v1/airports?limit=1e1')).statusCode).toBe(400)
  })
})

describe('HTTP', () => {
  test('instants are in whole seconds, and fractions have at most three decimals', async () => {
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
    const mine = await call(null, '/api/v1/airports', { headers: { 'x-request-id': 'trace-1' } })
    expect([mine.headers['x-request-id'], mine.json().request_id]).toEqual(['trace-1', 'trace-1'])
    const bad = await call(null, '/api/v1/airports', { headers: { 'x-request-id': 'a b\tc' } })
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('answers CSV where it is offered, with columns in order, doubled quotes and escaped formulas', async () => {
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
    expect((await call('free', '/api/v1/airports/JFK/historical.csv')).json()).toMatchObject({ required_tier: 'pro' })
    const both = await call('free', '/api/v1/airports', { headers: { accept: 'text/csv;q=0.5, application/json' } })
    expect(both.headers['content-type']).toContain('application/json')
  })

  test('answers 503 with Retry-After while there is no snapshot, and reports the status starting', async () => {
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
})
