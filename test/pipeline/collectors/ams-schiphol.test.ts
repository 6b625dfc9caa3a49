import { describe, expect, it } from 'vitest'
import { runChecks } from '../../../pipeline/checks/index.ts'
import { checkContext } from '../checks/check-context.ts'
import { contextFor, FETCHED, fixture, parseAs, sharedFile } from './context.ts'

const parse = (body: string) => parseAs('ams-schiphol', body, null)
const REAL = sharedFile('samples', 'ams-schiphol', 'excerpt-2023-07.csv')

describe('ams-schiphol', () => {
  it('reads seconds of the departure filters only, and a 0 as no wait', () => {
    const { readings, notices } = parse(fixture('ams.json'))
    expect(readings.map((row) => [row.checkpoint, row.wait_minutes, row.observed_at_basis])).toEqual([
      ['VF1', 415 / 60, 'source'],
      ['VF2', 189, 'source'],
      ['VF3', 1, 'fetch'],
      ['VH3', null, 'fetch'],
    ])
    expect(readings[1]?.observed_at).toBe('2026-11-21T10:01:00Z')
    expect(notices.map(({ code, value }) => [code, value])).toEqual([['filler_value', '1']])
  })

  it('lands a spike of three hours, which the check flags', () => {
    const { readings } = parse(fixture('ams.json'))
    const { flags } = runChecks(readings, checkContext(contextFor('ams-schiphol', null).source, FETCHED))
    expect([...flags]).toEqual([[1, ['implausible_spike']]])
  })

  it('reports bad filters, and leaves out one of unknown purpose', () => {
    const { readings, notices } = parse(
      JSON.stringify({
        VF1: null,
        VF2: { waitTimeInSeconds: 'long' },
        VF3: { waitTimeInSeconds: -60 },
        VF4: { waitTimeInSeconds: 60, updated: 'now' },
        PASPOORT: { waitTimeInSeconds: 60 },
      }),
    )
    expect(readings.map((row) => row.wait_minutes)).toEqual([null, null, 1])
    expect(notices.map(({ code }) => code)).toEqual([
      'row_unreadable',
      'value_not_a_number',
      'wait_out_of_range',
      'time_unreadable',
      'queue_unknown',
    ])
  })

  it.skipIf(REAL === null)('knows every filter of the real readings of 2023', () => {
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
