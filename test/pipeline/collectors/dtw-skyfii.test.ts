import { describe, expect, it } from 'vitest'
import { fixture, parseAs, sharedFile } from './context.ts'
import { readingLine, requestsOf, testPayloadShapes } from './feed-tests.ts'

const REAL = sharedFile('samples', 'dtw-skyfii', '2026-07.json')

describe('dtw-skyfii', () => {
  it('leaves lane, status and time unknown, which the feed does not publish', () => {
    const { readings, notices } = parseAs('dtw-skyfii', fixture('dtw.json'), 'DTW')
    expect(notices).toEqual([])
    expect(readings.map(readingLine)).toEqual([
      ['Evans', '', 'all', 12, null, null, 'unknown'],
      ['McNamara', '', 'all', 0, null, null, 'unknown'],
    ])
    expect(readings[0]).toMatchObject({ observed_at: '2026-11-21T10:03:00Z', observed_at_basis: 'fetch' })
  })

  it('allows an answer half a minute', () => {
    expect(requestsOf('dtw-skyfii')[0]?.timeout_ms).toBeGreaterThanOrEqual(45_000)
  })

  it('reports bad rows and reads the others', () => {
    const body = JSON.stringify([{ Name: 'Evans', WaitTime: 'n/a' }, { WaitTime: 3 }, { Name: 'McNamara' }])
    const { readings, notices } = parseAs('dtw-skyfii', body, 'DTW')
    expect(readings.map((row) => row.wait_minutes)).toEqual([null, null])
    expect(notices.map(({ code }) => code)).toEqual(['value_not_a_number', 'row_unreadable'])
  })

  testPayloadShapes('dtw-skyfii', 'DTW', '[]', [])

  it.skipIf(REAL === null)('reads the real answer of 2026-07', () => {
    const { readings, notices } = parseAs('dtw-skyfii', REAL ?? '', 'DTW')
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.terminal, row.wait_minutes])).toEqual([
      ['Evans', 21],
      ['McNamara', 5],
    ])
  })
})
