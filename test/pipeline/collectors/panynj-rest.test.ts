import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const REAL = sharedFile('samples-constructed', 'documented-shapes', 'LGA.json.txt')

describe('panynj-rest', () => {
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

  it('is off while the GraphQL feed is on, so that no queue counts twice', () => {
    expect([sourceById('panynj-graphql').active, sourceById('panynj-rest').active]).toEqual([true, false])
  })

  it('lands the customs halls as immigration', () => {
    const { readings, notices } = parseAs('panynj-customs', fixture('panynj-customs.json'), 'JFK')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.kind, ...readingLine(row), row.observed_at])).toEqual([
      ['immigration', '1', '', 'all', 24, null, null, 'open', '2026-11-21T09:55:00Z'],
      ['immigration', '4', '', 'all', 0, null, null, 'unknown', '2026-11-21T09:56:00Z'],
    ])
  })

  it('reports bad rows and reads the others', () => {
    const row = { terminal: 'A', queueType: 'Reg', timeInMinutes: 'soon', updateTimeText: '25:99' }
    const body = JSON.stringify([
      row,
      { ...row, queueType: 'Touchless' },
      {},
      { ...row, isWaitTimeAvailable: false, terminal: 'B' },
    ])
    const { readings, notices } = parseAs('panynj-rest', body, 'EWR')
    expect(readings.map((one) => [one.terminal, one.wait_minutes])).toEqual([
      ['A', null],
      ['B', null],
    ])
    expect(notices.map(({ code }) => code)).toEqual([
      'time_unreadable',
      'value_not_a_number',
      'lane_unknown',
      'row_unreadable',
      'time_unreadable',
    ])
  })

  testPayloadShapes('panynj-rest', 'JFK', '[]', ['{"message":"Unauthorized"}'])

  it.skipIf(REAL === null)('reads the documented shape of LGA', () => {
    const { readings, notices } = parseAs('panynj-rest', REAL ?? '', 'LGA', '2026-04-10T19:55:00Z')
    expect(notices).toEqual([])
    expect(readings.map((row) => [...readingLine(row), row.observed_at])).toEqual([
      ['B', '', 'standard', 2, null, null, 'open', '2026-04-10T19:52:00Z'],
    ])
  })
})
