import lzString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { keyInWidget } from '../../../pipeline/collectors/den-flyfruition.ts'
import { lhrPihub } from '../../../pipeline/collectors/lhr-pihub.ts'
import { panynj } from '../../../pipeline/collectors/panynj.ts'
import { pitAzure } from '../../../pipeline/collectors/pit-azure.ts'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf } from './feed-tests.ts'

it('zrh rejects the answer of another kind', () => {
  expect(() => parseAs('zrh-security', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
  expect(() => parseAs('zrh-passport', fixture('zrh-security.json'), 'ZRH')).toThrow(ParseError)
  expect(() => parseAs('zrh-checkin', fixture('zrh-passport.json'), 'ZRH')).toThrow(ParseError)
})

it('den-flyfruition sends the learned key, and learns only the key of this feed', () => {
  expect(requestsOf('den-flyfruition', { api_key: 'made-up-key' })[0]?.headers['x-api-key']).toBe('made-up-key')
  expect(Object.keys(requestsOf('den-flyfruition')[0]?.headers ?? {})).not.toContain('x-api-key')
  const feed = 'fetch("https://app.flyfruition.com/api/public/tsa",{headers:{"x-api-key":"made-up-key"}})'
  expect(keyInWidget(`h={"x-api-key":"somebody-else"}${' '.repeat(900)}${feed}`)).toEqual({ api_key: 'made-up-key' })
  expect(keyInWidget('h={"x-api-key":"somebody-else"}')).toBeNull()
})

const answer = (res: unknown) => JSON.stringify({ response: { header: '', res } })

it("removes the empty brackets of IAD's names", () => {
  const { readings } = parseAs('mwaa-iad', answer({ A: { location: 'Terminal 1( )', waittime: '3 mins' } }), 'IAD')
  expect(readings).toMatchObject([{ checkpoint: 'Terminal 1', wait_minutes: 3 }])
})

it('accepts the empty list that PHP writes for an empty map', () => {
  expect(parseAs('mwaa-iad', answer([]), 'IAD')).toEqual({ readings: [], notices: [] })
})

it('pit-azure sends the learned key, and learns it from the page', () => {
  const header = 'Ocp-Apim-Subscription-Key'
  expect(requestsOf('pit-azure', { subscription_key: 'made-up-key' })[0]?.headers[header]).toBe('made-up-key')
  expect(Object.keys(requestsOf('pit-azure')[0]?.headers ?? {})).not.toContain(header)
  const fromScript = pitAzure.learn?.fromScript
  expect(fromScript?.(`xhr.setRequestHeader('${header}', 'made-up-key')`)).toEqual({
    subscription_key: 'made-up-key',
  })
  expect(fromScript?.('url: "/tsa/wait-times"')).toBeNull()
})

const metric = (name: string, waitTimes: unknown, t: unknown = '2026-11-21T10:00:00Z') => ({ name, waitTimes, t })
const parse = (...rows: unknown[]) => parseAs('ord-flychicago', JSON.stringify(rows), 'ORD')

it.each([
  ['a closed checkpoint', 0, [null, 'closed']],
  ['no value', 424_242, [null, 'unknown']],
  ['a larger number of no value', 900_000, [null, 'unknown']],
  ['nothing', null, [null, 'unknown']],
  ['a wait', 90, [1.5, 'open']],
  ['too long a wait', 39_000, [null, 'unknown']],
])('ord-flychicago reads %s', (_, seconds, expected) => {
  const { readings } = parse(metric('Queues.ORD.T5C10General', seconds))
  expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([expected])
})

describe('ams-schiphol', () => {
  const parse = (body: string) => parseAs('ams-schiphol', body, null)
  const REAL = sharedFile('samples', 'ams-schiphol', 'excerpt-2023-07.csv')

  it.skipIf(REAL === null)('ams-schiphol knows every filter of the real readings of 2023', () => {
    const rows = (REAL ?? '').trim().split('\n').slice(1)
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const [, filter = '', seconds = ''] = row.trim().split(',')
      const { readings, notices } = parse(JSON.stringify({ [filter]: { waitTimeInSeconds: Number(seconds) } }))
      expect(readings.map((one) => one.wait_minutes)).toEqual(
        filter.startsWith('V') ? [seconds === '0' ? null : Number(seconds) / 60] : [],
      )
      expect(notices.map(({ code }) => code)).toEqual(seconds === '0' ? ['filler_value'] : [])
    }
  })
})

it('requests each airport with the headers of its own site', () => {
  expect(requestsOf('panynj-customs').map(({ url, headers }) => [url.split('/').at(-1), headers.Origin])).toEqual([
    ['JFK', 'https://www.jfkairport.com'],
    ['LGA', 'https://www.laguardiaairport.com'],
    ['EWR', 'https://www.newarkairport.com'],
  ])
})

it('tells "No Wait" from a missing number, and yesterday from today', () => {
  const { readings, notices } = parseAs('panynj-rest', fixture('panynj-rest.json'), 'LGA')
  expect(notices).toEqual([])
  expect(readings.map((row) => [...readingLine(row), row.observed_at])).toEqual([
    ['B', 'Main ChekPoint', 'standard', 4, null, null, 'open', '2026-11-21T09:58:00Z'],
    ['B', 'Main ChekPoint', 'precheck', 0, null, null, 'open', '2026-11-21T09:58:00Z'],
    ['C', 'Main ChekPoint, gates 60-68', 'standard', null, null, null, 'closed', '2026-11-21T04:58:00Z'],
  ])
})

const REAL = sharedFile('samples', 'pdx', 'observed-values.csv')

it.skipIf(REAL === null)('pdx-tsa reads the values that were observed', () => {
  const observed = (REAL ?? '')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
  const WaitTimes = observed.map(([CounterName, EstimatedDwell, DisplayText]) => ({
    CounterName,
    EstimatedDwell: Number(EstimatedDwell),
    DisplayText,
  }))
  const flags = { NorthCheckpointClosed: false, SouthCheckpointClosed: false }
  const { readings, notices } = parseAs('pdx-tsa', JSON.stringify({ WaitTimes, ...flags }), 'PDX')
  expect(notices).toEqual([])
  expect(readings.map((row) => row.wait_minutes)).toEqual([8, 4, 9, 6])
})

it("leaves out queues of another kind than the source's", () => {
  for (const [source, other] of [
    ['lhr-pihub', 'lhr-immigration.json'],
    ['lhr-immigration', 'lhr-security.json'],
  ] as const) {
    const { readings, notices } = parseAs(source, fixture(other), 'LHR')
    expect(readings).toEqual([])
    expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['queue_unknown']))
  }
})

it('uses the unit that a row names, and reads no number of an unknown unit', () => {
  const withUnit = (name: string) => fixture('lhr-security.json').replaceAll('"minute"', JSON.stringify(name))
  expect(parseAs('lhr-pihub', withUnit('second'), 'LHR').readings[0]?.wait_minutes_high).toBe(10 / 60)
  const unknown = parseAs('lhr-pihub', withUnit('parsec'), 'LHR')
  expect(unknown.readings[0]?.wait_minutes_high).toBeNull()
  expect(unknown.notices.map(({ code }) => code)).toContain('unit_unknown')
})

it('requests each terminal', () => {
  const source = sourceById('lhr-pihub')
  const requests = lhrPihub.request({ source, airports: ['LHR'], now: 0, learned_keys: {}, icaoOf: () => null })
  expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2', '3', '4', '5'])
})

describe('panynj', () => {
  const MIDNIGHT = '2026-11-21T05:03:00Z' // 00:03 in New York
  const parse = (body: string, iata = 'EWR', fetched_at = MIDNIGHT) => parseAs('panynj-graphql', body, iata, fetched_at)

  it('requests each airport at its own site, compressed as the site does it', () => {
    const source = sourceById('panynj-graphql')
    const requests = panynj.request({ source, airports: source.airports, now: 0, learned_keys: {}, icaoOf: () => null })
    expect(requests.map(({ url, iata, method }) => [url, iata, method])).toEqual([
      ['https://www.jfkairport.com/api/graphql', 'JFK', 'POST'],
      ['https://www.laguardiaairport.com/api/graphql', 'LGA', 'POST'],
      ['https://www.newarkairport.com/api/graphql', 'EWR', 'POST'],
    ])
    const query = JSON.parse(lzString.decompressFromEncodedURIComponent(requests[1]?.body ?? '') ?? '')
    expect(query.variables).toEqual({ airportCode: 'LGA' })
    expect(requests[1]?.headers['Content-Type']).toBe('text/plain')
  })

  it.each([
    ['GraphQL errors', '{"errors":[{"message":"FORBIDDEN"}],"data":null}'],
    ['an HTML page', '<!doctype html><title>Just a moment...</title>'],
    ['rows of another shape', '{"data":{"securityWaitTimes":{}}}'],
  ])('rejects %s', (_, body) => {
    expect(() => parse(body)).toThrow(ParseError)
  })
})

const SPEC = sharedFile('samples-constructed', 'icn-datagokr-spec', 'example.json')

describe('icn-datagokr', () => {
  it('keeps a wait that includes immigration as text', () => {
    const { readings, notices } = parseAs('icn-datagokr', fixture('icn-datagokr.json'), 'ICN')
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      {
        terminal: 'T1',
        checkpoint: 'DG1_E',
        wait_minutes: null,
        wait_text: '14 min with immigration',
        observed_at: '2026-11-21T10:01:00Z',
      },
    ])
  })

  it('rejects an error, in JSON or in XML', () => {
    const refused = '{"response":{"header":{"resultCode":"30","resultMsg":"SERVICE KEY IS NOT REGISTERED"},"body":{}}}'
    expect(() => parseAs('icn-datagokr', refused, 'ICN')).toThrow('SERVICE KEY IS NOT REGISTERED')
    expect(() => parseAs('icn-datagokr', '<OpenAPI_ServiceResponse><errMsg>SERVICE ERROR', 'ICN')).toThrow(ParseError)
  })

  it.skipIf(SPEC === null)('reads the example of its specification', () => {
    const { readings } = parseAs('icn-datagokr', SPEC ?? '', 'ICN', '2024-01-01T03:01:00Z')
    expect(readings).toMatchObject([{ wait_text: '333 min with immigration', observed_at: '2024-01-01T03:00:00Z' }])
  })
})

describe('sea-cwt', () => {
  const parse = (body: string) => parseAs('sea-cwt', body, null)

  it('sea-cwt reports a bad row and reads the others', () => {
    const good = { Name: '1', IsOpen: true, WaitTimeMinutes: 4, LastUpdated: '/Date(1795255200000)/' }
    const { readings, notices } = parse(
      JSON.stringify([
        good,
        null,
        { ...good, Name: '2', WaitTimeMinutes: 'soon' },
        { ...good, Name: '3', WaitTimeMinutes: -1 },
        { ...good, Name: '4', WaitTimeMinutes: 3_600 },
        { ...good, Name: '5', LastUpdated: 'today' },
        { ...good, Name: '6', MinutesTillInvalid: 0 },
        { ...good, Name: '7', Options: [{ Name: 'Trusted', Availability: 'Available' }] },
        { ...good, WaitTimeMinutes: 9 },
      ]),
    )
    expect(readings.map((row) => row.wait_minutes)).toEqual([4, null, null, null, 4, null, 4])
    expect(readings[4]).toMatchObject({ observed_at_basis: 'fetch', observed_at: '2026-11-21T10:03:00Z' })
    expect(notices.map((notice) => [notice.code, notice.path])).toEqual([
      ['row_unreadable', '$[1]'],
      ['value_not_a_number', '$[2].WaitTimeMinutes'],
      ['wait_out_of_range', '$[3].WaitTimeMinutes'],
      ['wait_out_of_range', '$[4].WaitTimeMinutes'],
      ['time_unreadable', '$[5].LastUpdated'],
      ['source_says_stale', '$[6].MinutesTillInvalid'],
      ['lane_unknown', '$[7].Options'],
      ['duplicate_row', expect.stringContaining('"SEA"')],
    ])
  })
})

const payload = (places: unknown) => JSON.stringify({ data: places })

it('requests each airport', () => {
  expect(requestsOf('locuslabs')[0]).toMatchObject({
    url: 'https://marketplace.locuslabs.com/venueId/dfw/dynamic-poi',
    iata: 'DFW',
  })
})

it('reads checkpoints among shops, and no filler as a wait', () => {
  const { readings, notices } = parseAs('locuslabs', fixture('locuslabs.json'), 'DFW')
  expect(readings.map(readingLine)).toEqual([
    ['', 'A12 Checkpoint', 'standard', 6, null, null, 'open'],
    ['', 'A12 Checkpoint', 'precheck', null, null, null, 'open'],
    ['', 'B9 Checkpoint', 'priority', null, null, null, 'closed'],
  ])
  expect(notices.map(({ code, value }) => [code, value])).toEqual([['wait_is_default', '10']])
  expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:01:00Z', observed_at_basis: 'source' })
})

it('reports bad places and reads the others', () => {
  const place = { category: 'security.checkpoint', name: 'A', queue: { queueSubtype: 'general' } }
  const { readings, notices } = parseAs(
    'locuslabs',
    payload({
      1: place,
      2: { ...place, dynamicData: { queue: { queueTime: 'soon' } } },
      3: { ...place, queue: {}, dynamicData: { queue: { queueTime: 1 } } },
      4: null,
    }),
    'DFW',
  )
  expect(readings.map((row) => [row.wait_minutes, row.status])).toEqual([[null, 'unknown']])
  expect(notices.map(({ code }) => code)).toEqual(['row_unreadable', 'value_not_a_number', 'lane_unknown'])
})
