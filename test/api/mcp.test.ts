import { describe, expect, test } from 'vitest'
import { repetitions } from '../exhaustive.ts'
import { shareHarness } from './harness.ts'
import { legacy, post } from './mcp/requests.ts'
import { call, connect } from './mcp-clients.ts'

const harness = shareHarness()

/** Everyday runs use the newer client; `accounts/oauth/real-clients.test.ts` connects both. */
const CLIENTS = (['client 2', 'sdk 1'] as const).slice(0, repetitions(1, 2))

describe.each(CLIENTS)('MCP over a real port with %s', (kind) => {
  test('texts are for people: without raw reports or code words, and with missing values named', async () => {
    const client = await connect(harness, 'free', kind)
    const overview = (await call(client, 'get_airport_overview', { iata: 'JFK' })).content[0]!.text
    expect(overview).toMatch(/^Ground delay at JFK for wind until 15:00: flights to JFK leave late/)
    expect(overview).toContain('it is 09:20 on Sat 21 Nov there')
    expect(overview).toMatch(/Weather 30 min ago: Wind from the northwest at 18 kt, gusts 27 kt\. .*6 °C \(43 °F\)/)
    expect(overview).toMatch(/42 min on average/)
    const missing = (await call(client, 'get_airport_overview', {})).content[0]!.text
    expect(missing).toContain('INVALID_PARAMETER: iata: is required')
    const paid = (await call(client, 'get_wait_time_predictions', { iata: 'JFK' })).content[0]!.text
    expect(paid).toContain('needs a key of the Pro tier or higher; yours is Free')
    const uncovered = (await call(client, 'get_faa_delays', { iata: 'GRU' })).content[0]!.text
    expect(uncovered).toBe(
      'Delays at GRU are not known: the FAA does not cover it. Ask the airline, or look at the airport’s departure board.',
    )
  })

  test('a forecast of seven days is a recommendation, the next hours and one line per day', async () => {
    const client = await connect(harness, 'enterprise', kind)
    const week = await call(client, 'get_wait_time_predictions', { iata: 'JFK', days: 7 })
    expect(week.structuredContent!.hours).toHaveLength(3)
    expect(week.structuredContent!.days).toHaveLength(8)
    const lines = week.content[0]!.text.split('\n')
    expect(lines[0]).toMatch(/^Quietest: Sat 21 Nov 10:00, about 1 min \(0 to 6\)\. Busiest: Sat 28 Nov 08:00/)
    expect(lines.find((line) => line.startsWith('Sun 22 Nov'))).toBe(
      'Sun 22 Nov: quietest 05:00, 20 min (18 to 25); busiest 21:00, 36 min (34 to 41).',
    )
    // The fake forecast is of another level than the fake measurement, so the answer says why.
    expect(lines).toContain(
      '14 min, measured at 09:18 local time, is above the 80 % interval from 10:00 (0 to 6 min): the forecast was made without this wait.',
    )
    expect(lines.at(-1)).toContain('detail: "full"')
  })

  test('simulated figures are marked in structured content and text', async () => {
    harness.controls.snapshot = { ...harness.controls.snapshot!, simulated: true }
    const answer = await call(await connect(harness, 'free', kind), 'get_security_wait_estimate', { iata: 'JFK' })
    expect(answer.structuredContent).toMatchObject({ simulated: true, average_wait_minutes: 14, basis: 'measured' })
    expect(answer.content[0]!.text).toMatch(/^SIMULATED WORLD/)
  })
})

describe('MCP over HTTP', () => {
  test('shares the limit per minute with REST', async () => {
    for (let i = 0; i < 29; i++) await harness.call('free', '/api/v1/airports/JFK/delays')
    expect((await harness.call('free', '/mcp', post(legacy('tools/list')))).statusCode).toBe(200)
    const refused = await harness.call('free', '/mcp', post(legacy('tools/list')))
    const { error } = refused.json()
    expect([refused.statusCode, error.data.scope, error.data.code]).toEqual([429, 'minute', 'rate_limited'])
    expect(error.message).toMatch(/^rate_limited: more than 30 requests in a minute; wait \d+ s$/)
  })

  test('unknown delays are never reported as no delay', async () => {
    const client = await connect(harness, 'free', 'sdk 1')
    const national = await call(client, 'get_faa_delays', {})
    expect(national.structuredContent).toMatchObject({
      known: true,
      airports: [{ airport: 'JFK', status: 'ground_delay' }],
      flow_programs: [{ faa_id: 'FCAA05' }],
    })
    const delays = await call(client, 'get_faa_delays', { iata: 'GRU' })
    expect(delays.structuredContent).toMatchObject({
      known: false,
      airports: [{ supported: false, status: 'unknown' }],
      flow_programs: [],
    })
    const lostFeed = { delays: () => UNKNOWN, delayedAirports: () => [], flowPrograms: () => [] }
    harness.controls.snapshot = { ...harness.controls.snapshot!, ...lostFeed }
    const lost = await call(client, 'get_faa_delays', {})
    expect(lost.structuredContent).toMatchObject({ known: false, airports: [] })
    expect(lost.content[0]!.text).toContain('nothing is known')
  })
})

const UNKNOWN = {
  supported: true,
  status: 'unknown' as const,
  unavailable_reason: 'Not read lately.',
  programs: [],
  closures: [],
  basis: null,
  observed_at: null,
  age_seconds: null,
  source: null,
  freshness: null,
}
