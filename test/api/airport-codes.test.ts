import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { airportFromText } from '../../accounts/alerts/alerts-page.tsx'
import { createAlert, listAlerts } from '../../accounts/alerts/create-alert.ts'
import { findAirports, meantAirport } from '../../answers/search/find-airports.ts'
import { planDeparturePrompt } from '../../api/prompts/plan-departure.ts'
import { QUERIES, TOOLS } from '../../bin/service/registry.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { projectFile } from '../../config/paths.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { NOW } from './example-snapshot.ts'
import { shareHarness } from './harness.ts'
import { call as callTool, connect } from './mcp-clients.ts'

/** What codes are read as; the code of Hellinikon in Athens is another airport's today. And where pages of them lead. */
interface Codes {
  current: [text: string, iata: string, how: string, notice: string | null][]
  closed: [text: string, successor: string | null, notice: string][]
  pages: [url: string, location: string][]
}
const CODES: Codes = JSON.parse(readFileSync(projectFile('test/api/airport-codes.json'), 'utf8'))

const directory = airportDirectory()
const harness = shareHarness({}, { directory })
const { call } = harness
const HTML = { accept: 'text/html' }

describe('resolveCode', () => {
  test.each(CODES.current)('%s is %s', (text, iata, how, notice) =>
    expect(resolveCode(text, directory)).toMatchObject({ how, notice, airport: { iata } }),
  )

  test.each(CODES.closed)('%s closed', (text, successor, notice) => {
    const resolved = resolveCode(text, directory)
    expect(resolved).toMatchObject({ how: 'closed', airport: null, notice })
    expect(resolved?.how === 'closed' && resolved.successor?.iata).toBe(successor ?? undefined)
  })

  test.each(['', 'QQQ', 'NYC', 'JFKX', 'Tegel', '12'])('"%s" is none', (text) =>
    expect(resolveCode(text, directory)).toBeNull(),
  )
})

describe('REST', () => {
  test('answers a former code by its present airport and says so', async () => {
    for (const place of ['wait-times', 'predictions', 'delays', 'historical', 'immigration']) {
      const answer = await call('enterprise', `/api/v1/airports/PBI/${place}`)
      expect(answer.statusCode, place).toBe(200)
      expect(answer.json(), place).toMatchObject({ airport: 'DJT', notice: 'PBI is DJT since 18 August 2026.' })
      const present = await call('enterprise', `/api/v1/airports/DJT/${place}`)
      expect(present.json().notice, place).toBeUndefined()
    }
    expect((await call('pro', '/api/v1/coverage?iata=PBI')).json()).toMatchObject({
      data: [{ airport: 'DJT' }],
      notice: expect.stringContaining('DJT'),
    })
  })

  test('answers 404 for a closed airport, with the one that took its place', async () => {
    const closed = await call('pro', '/api/v1/airports/TXL/delays')
    expect(closed.statusCode).toBe(404)
    expect(closed.json()).toMatchObject({
      code: 'AIRPORT_NOT_FOUND',
      detail: 'TXL closed on 8 November 2020; BER took its place',
      successor: 'BER',
    })
    const unknown = await call('pro', '/api/v1/airports/QQQ/delays')
    expect(unknown.json().successor).toBeUndefined()
  })

  test('reads former codes in a list, each airport once, and lists closed ones as not found', async () => {
    const payload = { codes: ['PBI', 'DJT', 'JFK', 'TXL'] }
    const answer = await call('enterprise', '/api/v1/airports/bulk', { method: 'POST', payload })
    expect(answer.json().data.map(({ airport }: { airport: string }) => airport)).toEqual(['DJT', 'JFK'])
    expect(answer.json()).toMatchObject({ not_found: ['TXL'], notice: 'PBI is DJT since 18 August 2026.' })
    const closed = await call('enterprise', '/api/v1/airports/bulk', {
      method: 'POST',
      payload: { codes: ['JFK', 'EDDT'] },
    })
    expect(closed.json().errors).toEqual([
      {
        parameter: 'codes[1]',
        message: 'must be three capital letters, like JFK; EDDT closed on 8 November 2020; BER took its place',
      },
    ])
  })

  test('names the airports that a name in place of a code means, and the truth that a word means', async () => {
    const errorOf = async (path: string) => (await call('pro', `/api/v1/airports/${path}`)).json().detail
    expect(await errorOf('Kennedy/delays')).toMatch(
      /^iata: must be three capital letters, like JFK; JFK \(.*\) may be meant$/,
    )
    const leaveBy = 'JFK/leave-by?departure=2026-11-22T17:30'
    expect(await errorOf(`${leaveBy}&destination=Heathrow`)).toMatch(/^destination: .*; LHR \(.*\) may be meant$/)
    expect(await errorOf(`${leaveBy}&destination=Nowhere%20At%20All`)).toMatch(/like JFK$/)
    // As Python writes it.
    for (const text of ['yes', 'True'])
      expect(await errorOf(`${leaveBy}&international=${text}`)).toBe(
        'international: must be true or false; true may be meant',
      )
  })

  test('names the airports that the first names of a list mean, and no more of them', async () => {
    const payload = { codes: Array.from({ length: 8 }, () => 'Heathrow') }
    const { errors } = (await call('enterprise', '/api/v1/airports/bulk', { method: 'POST', payload })).json()
    const named = errors.map(({ message }: { message: string }) => message.includes('; LHR ('))
    expect(named).toEqual([true, true, true, true, true, false, false, false])
  })

  test('reads ICAO codes and small letters in a list and in every other parameter that names an airport', async () => {
    const payload = { codes: ['klga', 'jfk', 'KJFK'] }
    const answer = await call('enterprise', '/api/v1/airports/bulk', { method: 'POST', payload })
    expect(answer.json().data.map(({ airport }: { airport: string }) => airport)).toEqual(['LGA', 'JFK'])
    const leaveBy = (destination: string) =>
      call('pro', `/api/v1/airports/JFK/leave-by?departure=2026-11-22T17:30&destination=${destination}`)
    const byIata = await leaveBy('LHR')
    expect(byIata.statusCode).toBe(200)
    expect((await leaveBy('egll')).json()).toEqual(byIata.json())
  })
})

describe('MCP', () => {
  test('answers former codes, ICAO codes and small letters, and says first which code is the present one', async () => {
    const client = await connect(harness, 'pro', 'sdk 1')
    for (const iata of ['PBI', 'pbi', 'KPBI']) {
      const answer = await callTool(client, 'get_airport_delays_summary', { iata })
      expect(answer.isError, iata).toBeFalsy()
      expect(answer.structuredContent, iata).toMatchObject({ airport: 'DJT', notice: expect.stringContaining('DJT') })
      expect(answer.content[0]!.text, iata).toMatch(/^(SIMULATED WORLD\. )?K?PBI is DJT since 18 August 2026\. /)
    }
    const overview = await callTool(client, 'get_airport_overview', { iata: 'UTTT' })
    expect(overview.structuredContent).toMatchObject({ notice: 'UTTT is UZTT (TAS) since 2 October 2025.' })
    const icao = await callTool(client, 'get_aviation_weather', { iata: 'kjfk' })
    expect(icao.structuredContent).toMatchObject({ airport: 'JFK' })
    expect(icao.structuredContent!.notice).toBeUndefined()
    const compared = await callTool(client, 'compare_airports', { airports: ['FRU', 'lhr'] })
    expect(compared.structuredContent).toMatchObject({ airports: [{ airport: 'BSZ' }, { airport: 'LHR' }] })
    const closed = await callTool(client, 'get_airport_overview', { iata: 'txl' })
    expect(closed.isError).toBe(true)
    expect(closed.content[0]!.text).toMatch(/^AIRPORT_NOT_FOUND: TXL closed on 8 November 2020; BER took its place\./)
    expect(closed._meta).toMatchObject({ 'holdshort/problem': { successor: 'BER' } })
  })

  test('every operation that takes a code can say that it is a former one', () => {
    const all = [...QUERIES, ...TOOLS.map(({ query }) => query)]
    const taking = all.filter(({ input }) =>
      ['iata', 'airports', 'codes', 'destination'].some((name) => name in input.shape),
    )
    expect(taking.length).toBeGreaterThan(20)
    expect(taking.filter(({ output }) => !('notice' in output.shape)).map(({ name }) => name)).toEqual([])
  })
})

describe('pages', () => {
  test.each(CODES.pages)('%s leads to %s', async (url, location) => {
    const answer = await harness.app.inject({ url, headers: HTML })
    expect([303, 308]).toContain(answer.statusCode)
    expect(answer.headers.location).toBe(location)
  })

  test('the page of an airport says its former code, that of a closed one its successor', async () => {
    const present = await harness.app.inject({ url: '/airports/DJT', headers: HTML })
    expect(present.body).toContain('PBI is DJT since 18 August 2026.')
    for (const code of ['TXL', 'EDDT', 'pnh']) {
      const closed = await harness.app.inject({ url: `/airports/${code}`, headers: HTML })
      expect(closed.statusCode, code).toBe(404)
      expect(closed.body, code).toMatch(/closed on \d{1,2} \w+ 20\d\d; (BER|KTI) took its place/)
      expect(closed.body, code).toMatch(/href="\/airports\/(BER|KTI)"/)
    }
  })

  test('badges, frames and comparisons take every code', async () => {
    const badge = await harness.app.inject('/airports/PBI/badge.svg')
    expect([badge.statusCode, badge.body.includes('DJT')]).toEqual([200, true])
    expect((await harness.app.inject('/airports/TXL/badge.svg')).body).toContain('closed, now BER')
    expect((await harness.app.inject({ url: '/airports/kpbi/embed', headers: HTML })).statusCode).toBe(200)
    const compared = await harness.app.inject({ url: '/compare?airports=PBI,KJFK', headers: HTML })
    expect([compared.statusCode, compared.body.includes('<title>DJT, JFK compared')]).toEqual([200, true])
    const closed = await harness.app.inject({ url: '/compare?airports=JFK,TXL', headers: HTML })
    expect(closed.body).toContain('TXL closed on 8 November 2020; BER took its place.')
  })
})

describe('search, alerts and prompts', () => {
  test('a search finds the present airport and says why', () => {
    const [first] = findAirports(directory, 'PBI')
    expect(first).toMatchObject({ airport: { iata: 'DJT' }, matched_by: 'former code', matched: 'PBI' })
    expect(findAirports(directory, 'txl')[0]).toMatchObject({ airport: { iata: 'BER' }, matched_by: 'closed airport' })
    expect(findAirports(directory, 'Palm Beach')[0]).toMatchObject({ airport: { iata: 'DJT' } })
    expect(findAirports(directory, 'Phnom Penh')[0]).toMatchObject({ airport: { iata: 'KTI' } })
    for (const name of ['Vlora', 'Bokeo', 'Sarsawa', 'Moradabad'])
      expect(findAirports(directory, name)[0]?.airport.country, name).toMatch(/^(AL|LA|IN)$/)
    expect(meantAirport(directory, 'Stolport').airport?.iata).not.toBe('VLO')
  })

  test('an alert is that of the present airport, also one from before the code changed', async () => {
    expect(airportFromText(directory, 'kpbi').iata).toBe('DJT')
    expect(airportFromText(directory, 'PBI').iata).toBe('DJT')
    expect(() => airportFromText(directory, 'txl')).toThrow('BER took its place')
    const { state, controls } = harness
    const context = { state, directory, snapshot: controls.snapshot }
    const order = { iata: 'PBI', direction: 'above' as const, threshold_minutes: 30 }
    const { account_id } = await state.db.selectFrom('keys').selectAll().executeTakeFirstOrThrow()
    const { alert } = await createAlert(context, account_id, order, { actor: 'owner', source: '' }, NOW)
    expect(alert.iata).toBe('DJT')
    await state.db.updateTable('alerts').set({ iata: 'PBI' }).execute()
    expect((await listAlerts(state, account_id, NOW)).map(({ iata }) => iata)).toEqual(['DJT'])
  })

  test('a prompt plans with the present code and says so', () => {
    const plan = planDeparturePrompt.plan({ airport: 'pbi', departure: '2026-11-25T17:30' }, { directory, now: NOW })
    expect(plan.task).toMatch(/^PBI is DJT since 18 August 2026\. Plan my departure from .*\(DJT\)/)
    expect(plan.steps[0]).toMatchObject({ arguments: { iata: 'DJT', departure: '2026-11-25T17:30:00-05:00' } })
    const tomorrow = planDeparturePrompt.plan({ airport: 'DJT', departure: 'tomorrow 6am' }, { directory, now: NOW })
    expect(tomorrow.task).toContain('at 2026-11-22T06:00 local time')
  })
})

test.each([
  [
    'Pittsburg',
    'Read as PIT (Pittsburgh International Airport, Pittsburgh, Pennsylvania, US): if Pittsburgh was meant.',
  ],
  [
    'Frankfort',
    'Read as FRA (Frankfurt Airport, Frankfurt am Main, Hesse, Germany): its city is also called "Frankfort".',
  ],
  ['Tegel', 'Read as BER (Berlin Brandenburg Airport, Berlin, Brandenburg, Germany): instead of the closed "Tegel".'],
  ['Heathrow', undefined],
])('a tool says which airport it read %s as, where that is not plain', async (iata, notice) => {
  const client = await connect(harness, 'free', 'client 2')
  const { structuredContent, content } = await callTool(client, 'get_airport_delays_summary', { iata })
  expect(structuredContent?.notice).toBe(notice)
  if (notice !== undefined) expect(content[0]!.text.startsWith(notice)).toBe(true)
})

test('words about the wait behind a code name no part of the airport', async () => {
  const client = await connect(harness, 'free', 'client 2')
  for (const iata of ['JFK airport security wait time', 'JFK, NY', 'to JFK']) {
    const { content } = await callTool(client, 'get_security_wait_estimate', { iata })
    expect(content[0]!.text).not.toMatch(/alone|Read as/)
  }
})

test('the search page asks where it corrected a spelling, and leads on where it did not', async () => {
  const pageOf = (q: string) => harness.app.inject({ url: `/search?q=${q}`, headers: HTML })
  const { statusCode, body } = await pageOf('Pittsburg')
  expect(statusCode).toBe(200)
  expect(body).toMatch(/Nothing is called exactly so; these names are near[\s\S]*if Pittsburgh was meant/)
  expect((await pageOf('Pittsburgh')).headers.location).toBe('/airports/PIT')
  const { location } = (await pageOf('Frankfort')).headers
  expect(location).toBe('/airports/FRA?read=Frankfort')
  const airportOf = async (url: string) => (await harness.app.inject({ url, headers: HTML })).body
  expect(await airportOf(location!)).toContain('Read as FRA (Frankfurt Airport, Frankfurt am Main, Hesse, Germany)')
  for (const other of ['/airports/FRA', '/airports/PIT?read=Frankfort', '/airports/FRA?read=Frankfurt'])
    expect(await airportOf(other)).not.toContain('Read as')
})

test('the comparison says as what it read a name', async () => {
  const pageOf = async (airports: string) =>
    (await harness.app.inject({ url: `/compare?airports=${airports}`, headers: HTML })).body
  const body = await pageOf('Frankfort,Pittsburg')
  expect(body).toContain('Read as FRA (Frankfurt Airport, Frankfurt am Main, Hesse, Germany): its city is also called')
  expect(body).toContain('Read as PIT (Pittsburgh International Airport, Pittsburgh, Pennsylvania, US): if Pittsburgh')
  expect(await pageOf('FRA,PIT')).not.toContain('Read as')
})

test('the form of alerts says as what it read a name, and asks for the code of a corrected one', async () => {
  const person = await createSignedInPerson(harness)
  const fields = { terminal: '', direction: 'above', threshold_minutes: '30', days: '7' }
  const created = await person.post('/alerts/create', { ...fields, airport: 'Frankfort' }, '/alerts')
  expect(created.headers['location']).toBe('/alerts?said=created_unheard&iata=FRA&read=Frankfort')
  expect((await person.get(created.headers['location']!)).body).toMatch(
    /connect one below to receive its messages\. Read as FRA \(Frankfurt Airport/,
  )
  const corrected = await person.post('/alerts/create', { ...fields, airport: 'Pittsburg' }, '/alerts')
  expect([corrected.statusCode, corrected.body]).toEqual([
    400,
    expect.stringContaining('use the code if this is meant: PIT (Pittsburgh International Airport'),
  ])
})
