import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { cbpAwt } from '../../../pipeline/collectors/cbp-awt.ts'
import { fixture, parseAs } from './context.ts'

type Row = Record<string, unknown>
const ITEMS: Row[] = JSON.parse(fixture('cbp.json')).Items
const parse = (rows: unknown[], iata: string | null = 'ATL') =>
  parseAs('cbp-awt', JSON.stringify({ Items: rows }), iata)
const item = (date: string, hours: string, more: Row = {}) => ({
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

  it('refuses a payload in which no row has the column of the wait', () => {
    const renamed = ITEMS.map(({ AverageWait, ...row }) => ({ ...row, AvgWait: AverageWait }))
    expect(() => parse(renamed)).toThrow('none of the rows has AverageWait')
    expect(parse([]).readings).toEqual([])
  })

  it('leaves out the hour that the clock skips, and uses the first run of the hour that it repeats', () => {
    const skipped = parse([item('2026-03-08', '0200 - 0300')])
    expect(skipped.readings).toEqual([])
    expect(skipped.notices.map((notice) => notice.code)).toEqual(['time_unreadable'])
    const twice = parse([
      item('2026-11-01', '0000 - 0100'),
      item('2026-11-01', '0100 - 0200'),
      item('2026-11-01', '0200 - 0300'),
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
      item('07/04/2026', '1600 - 1700'),
      item('2026-07-04', 'noon'),
      item('2026-07-05', '1600 - 1700', { AverageWait: 'n/a' }),
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
})
