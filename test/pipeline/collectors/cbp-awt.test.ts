import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { sourceById } from '../../../config/sources.ts'
import { cbpAwt, countsDisagree } from '../../../pipeline/collectors/cbp-awt.ts'
import { parseCsv } from '../../../pipeline/parsing/csv.ts'
import { fixture, parseAs, sharedFile } from './context.ts'

type Row = Record<string, unknown>
const ITEMS: Row[] = JSON.parse(fixture('cbp.json')).Items
const parse = (rows: unknown[], iata: string | null = 'ATL') =>
  parseAs('cbp-awt', JSON.stringify({ Items: rows }), iata)
const at = (date: string, hours: string, more: Row = {}) => ({
  ...ITEMS[0],
  FlightDate: date,
  HourRange: hours,
  ...more,
})

describe('cbp-awt', () => {
  it('requests the last days of each airport', () => {
    const source = sourceById('cbp-awt')
    const now = Date.parse('2026-11-21T10:00:00Z')
    const [first] = cbpAwt.request({ source, airports: ['ATL', 'AUS'], now, learned_keys: {}, icaoOf: () => null })
    expect(JSON.parse(first?.body ?? '')).toEqual({ Id: 'ATL', FromDate: '2026-11-11', ToDate: '2026-11-21' })
  })

  it('requests an airport by the code that CBP knows it by, and lands its rows under the present one', () => {
    const source = sourceById('cbp-awt')
    const now = Date.parse('2026-11-21T10:00:00Z')
    const [first] = cbpAwt.request({ source, airports: ['DJT'], now, learned_keys: {}, icaoOf: () => null })
    expect([first?.iata, JSON.parse(first?.body ?? '').Id]).toEqual(['DJT', 'PBI'])
    for (const AirportCode of ['PBI', 'DJT'])
      expect(parse([{ ...ITEMS[0], AirportCode }], 'DJT').readings).toMatchObject([{ iata: 'DJT' }])
  })

  it('reads a local hour of arrival as its UTC start, and an hour without passengers as no wait', () => {
    const { readings, notices } = parse(ITEMS)
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      {
        kind: 'immigration',
        iata: 'ATL',
        terminal: 'Concourse F',
        checkpoint: 'A9X1',
        lane: 'all',
        wait_minutes: 17,
        status: 'open',
        observed_at: '2026-07-04T20:00:00Z',
      },
      { wait_minutes: null, observed_at: '2026-07-05T03:00:00Z' },
    ])
  })

  it('reads the CSV export of the same columns', () => {
    const { readings, notices } = parseAs('cbp-awt', fixture('cbp.csv'), null)
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      { iata: 'HNL', terminal: 'International, Arrivals', wait_minutes: 3, observed_at: '2026-01-05T17:00:00Z' },
    ])
  })

  it('leaves out the hour that the clock skips, and uses the first run of the hour that it repeats', () => {
    const skipped = parse([at('2026-03-08', '0200 - 0300')])
    expect(skipped.readings).toEqual([])
    expect(skipped.notices.map((notice) => notice.code)).toEqual(['time_unreadable'])
    const twice = parse([
      at('2026-11-01', '0000 - 0100'),
      at('2026-11-01', '0100 - 0200'),
      at('2026-11-01', '0200 - 0300'),
    ])
    expect(twice.readings.map((row) => row.observed_at)).toEqual([
      '2026-11-01T04:00:00Z',
      '2026-11-01T05:00:00Z',
      '2026-11-01T07:00:00Z',
    ])
    expect(twice.notices.map((notice) => notice.code)).toEqual(['local_hour_twice'])
  })

  it('reports counts that do not add up, other airports, and unreadable hours', () => {
    const { readings, notices } = parse([
      { ...ITEMS[0], TotalPassengerCount: 1 },
      { ...ITEMS[0], AirportCode: 'LAX' },
      at('07/04/2026', '1600 - 1700'),
      at('2026-07-04', 'noon'),
      at('2026-07-05', '1600 - 1700', { AverageWait: 'n/a' }),
      7,
    ])
    expect(readings.map((row) => row.wait_minutes)).toEqual([17, null])
    expect(notices.map((notice) => notice.code)).toEqual([
      'counts_disagree',
      'airport_unexpected',
      'time_unreadable',
      'time_unreadable',
      'value_not_a_number',
      'row_unreadable',
    ])
  })

  it('leaves out an airport that the directory does not know', () => {
    const { readings, notices } = parse([{ ...ITEMS[0], AirportCode: 'ZZZ' }], null)
    expect([readings, notices.map((notice) => notice.code)]).toEqual([[], ['airport_unexpected']])
  })

  it('accepts an empty list, and rejects other shapes', () => {
    expect(parse([])).toEqual({ readings: [], notices: [] })
    for (const body of ['<html>Error</html>', '{"Items":null}', '{"Message":"An error has occurred."}', '', 'a,b\n1,2'])
      expect(() => parseAs('cbp-awt', body, 'ATL')).toThrow(ParseError)
  })
})

describe.skipIf(sharedFile('samples', 'cbp-awt', 'awt_ATL_sample.csv') === null)('real exports of CBP', () => {
  it.each(['ATL', 'LAX', 'PVD'])('%s: reads every row, and the three rules of the counts hold', (iata) => {
    const text = sharedFile('samples', 'cbp-awt', `awt_${iata}_sample.csv`) ?? ''
    const rows = parseCsv(text)
    expect(rows.length).toBe(text.trim().split('\n').length - 1)
    expect(rows.filter((row) => countsDisagree(row))).toEqual([])
    const { readings, notices } = parseAs('cbp-awt', text, iata)
    expect(notices.filter((notice) => notice.code !== 'local_hour_twice')).toEqual([])
    expect(readings).toHaveLength(rows.length)
    for (const [index, row] of rows.entries()) {
      const measured = Number(row.TotalPassengerCount) - Number(row.ExcludedPassengerCount)
      expect(readings[index]?.wait_minutes).toBe(measured === 0 ? null : Number(row.AverageWait))
      expect(Number(row.MaxWait)).toBe(Math.max(Number(row.UsaPassengerMaxWait), Number(row.NonUsaPassengerMaxWait)))
    }
  })
})
