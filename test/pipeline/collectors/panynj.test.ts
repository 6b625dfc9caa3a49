import lzString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { panynj } from '../../../pipeline/collectors/panynj.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const MIDNIGHT = '2026-11-21T05:03:00Z' // 00:03 in New York
const parse = (body: string, iata = 'EWR', fetched_at = MIDNIGHT) => parseAs('panynj-graphql', body, iata, fetched_at)
const payload = (rows: unknown[]) => JSON.stringify({ data: { securityWaitTimes: rows } })
const REAL = sharedFile('samples-constructed', 'panynj-fixture', 'jfk-graphql.json')

describe('panynj', () => {
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

  it('tells "No Wait" from a missing number, and yesterday from today', () => {
    const { readings, notices } = parse(fixture('panynj-ewr.json').replace('12:01 AM', '11:58 PM'))
    expect(notices).toEqual([])
    expect(
      readings.map((row) => [row.terminal, row.checkpoint, row.lane, row.wait_minutes, row.status, row.observed_at]),
    ).toEqual([
      ['A', 'Main ChekPoint', 'standard', 14, 'open', '2026-11-21T04:58:00Z'],
      ['A', 'Main ChekPoint', 'precheck', 0, 'open', '2026-11-21T05:01:00Z'],
      ['B', 'Main ChekPoint, gates 40-49', 'standard', null, 'open', '2026-11-21T05:01:00Z'],
      ['B', 'Main ChekPoint, gates 51-57', 'standard', null, 'closed', '2026-11-21T05:01:00Z'],
    ])
    expect(readings[1]?.wait_text).toBe('No Wait')
  })

  it('accepts an empty list', () => {
    expect(parse(payload([]))).toEqual({ readings: [], notices: [] })
  })

  it.each([
    ['GraphQL errors', '{"errors":[{"message":"FORBIDDEN"}],"data":null}'],
    ['an HTML page', '<!doctype html><title>Just a moment...</title>'],
    ['rows of another shape', '{"data":{"securityWaitTimes":{}}}'],
  ])('rejects %s', (_, body) => {
    expect(() => parse(body)).toThrow(ParseError)
  })

  it('leaves out unknown lanes, and reads no number from words', () => {
    const row = {
      terminal: '4',
      checkPoint: 'Main',
      queueType: 'Reg',
      isOpen: true,
      waitTime: 4,
      isWaitTimeAvailable: true,
    }
    const { readings, notices } = parse(
      payload([
        { ...row, queueType: 'Touchless' },
        { ...row, waitTime: 'N/A' },
        { ...row, terminal: '5', lastUpdated: '25:99' },
        {},
      ]),
      'JFK',
    )
    expect(readings.map((one) => [one.terminal, one.wait_minutes, one.observed_at_basis])).toEqual([
      ['4', null, 'fetch'],
      ['5', 4, 'fetch'],
    ])
    expect(notices.map((notice) => notice.code)).toEqual([
      'lane_unknown',
      'value_not_a_number',
      'time_unreadable',
      'row_unreadable',
    ])
  })

  it.skipIf(REAL === null)('reads the payload made from public test values', () => {
    const { readings, notices } = parse(REAL ?? '', 'JFK', '2026-04-10T05:20:00Z')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.lane, row.wait_minutes, row.observed_at])).toEqual([
      ['standard', 7, '2026-04-10T05:15:00Z'],
      ['precheck', 2, '2026-04-10T05:15:00Z'],
    ])
  })
})
