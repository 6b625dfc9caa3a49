import { describe, expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'

describe('aena-indoor', () => {
  it('reads neither the default beside a 0 nor an expired number as a wait', () => {
    const { readings, notices } = parseAs('aena-indoor', fixture('aena.json'), 'PMI')
    expect(readings.map((row) => [row.checkpoint, row.lane, row.wait_minutes, row.observed_at_basis])).toEqual([
      ['S0001', 'all', 5.5, 'fetch'],
      ['S0002', 'all', null, 'fetch'],
      ['S0003', 'priority', null, 'fetch'],
    ])
    expect(notices.map(({ code, value }) => [code, value])).toEqual([
      ['filler_value', '1'],
      ['source_says_stale', '2026-11-21T02:10:00.000Z'],
    ])
  })

  it('reports bad rows and reads the others', () => {
    const row = { id: 'LEPA_S0001', last_wait_s: 60, expires: '2026-11-21T10:10:00Z' }
    const bad = [
      7,
      { ...row, last_wait_s: 'x' },
      { ...row, id: 'LEPA_S0002', expires: 'soon' },
      { ...row, id: 'LEPA_S0004', last_wait_s: -60 },
    ]
    const { readings, notices } = parseAs('aena-indoor', JSON.stringify(bad), 'PMI')
    expect(readings.map((one) => one.wait_minutes)).toEqual([null, null, null])
    expect(notices.map(({ code }) => code)).toEqual([
      'row_unreadable',
      'value_not_a_number',
      'source_says_stale',
      'wait_out_of_range',
    ])
  })
})
