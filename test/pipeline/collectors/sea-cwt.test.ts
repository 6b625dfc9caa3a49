import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

const parse = (body: string) => parseAs('sea-cwt', body, null)
const REAL = sharedFile('samples', 'sea-portseattle', 'checkpoint1-2026-03-24.json')

describe('sea-cwt', () => {
  it('reads one wait per checkpoint, with its lanes', () => {
    const { readings, notices } = parse(fixture('sea.json'))
    expect(notices).toEqual([])
    expect(readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes, row.status])).toEqual([
      ['2', 'all', 7, 'open'],
      ['4', 'precheck', 3, 'open'],
      ['5', 'standard', null, 'closed'],
      ['6', 'clear', null, 'open'],
      ['6', 'precheck', null, 'open'],
    ])
    expect(readings[0]).toMatchObject({
      kind: 'security',
      iata: 'SEA',
      terminal: '',
      observed_at: '2026-11-21T10:00:00Z',
      observed_at_basis: 'source',
    })
  })

  it('accepts an empty list', () => {
    expect(parse('[]')).toEqual({ readings: [], notices: [] })
  })

  it.each([
    ['an error page with status 200', '<html><body>503 Service Unavailable</body></html>'],
    ['another shape', '{"success":true,"msg":"Missing Backfil URL"}'],
    ['nothing', ''],
  ])('rejects %s', (_, body) => {
    expect(() => parse(body)).toThrow(ParseError)
  })

  it('reports a bad row and reads the others', () => {
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

  it.skipIf(REAL === null)('reads the documented payload of 2026-03-24', () => {
    const { readings, notices } = parse(REAL ?? '')
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      { checkpoint: '1', lane: 'all', wait_minutes: 3, observed_at: '2026-03-24T23:23:00.987Z' },
    ])
  })
})
