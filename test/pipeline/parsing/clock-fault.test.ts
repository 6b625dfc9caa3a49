import { describe, expect, it } from 'vitest'
import { clockFault } from '../../../pipeline/parsing/clock-fault.ts'
import { reported } from '../../reported.ts'
import { parseAs } from '../collectors/context.ts'

const FETCHED = '2026-11-25T12:05:00Z'
const rows = (...times: string[]) =>
  times.map((time) => ({ observed_at: `2026-11-25T${time}Z`, observed_at_basis: 'source' as const }))

describe('a clock fault', () => {
  it.each<[string, string[], number, number]>([
    ['all rows an hour ahead', ['13:03:00', '13:04:30'], 1, 60],
    ['a single row', ['13:05:00'], 1, 60],
    ['older rows of the same clock', ['12:20:00', '13:02:00'], 1, 57],
    ['two hours', ['14:01:00', '14:03:00'], 2, 118],
    ['a clock that also runs a minute fast', ['13:06:00'], 1, 61],
    ['a row that was forgotten days ago', ['13:03:00'], 1, 58],
  ])('%s', (_, times, step_hours, ahead_minutes) => {
    const old = { observed_at: '2026-11-20T12:00:00Z', observed_at_basis: 'source' as const }
    expect(clockFault([...rows(...times), old], FETCHED)).toEqual({ step_hours, ahead_minutes })
  })

  it.each<[string, string[]]>([
    ['one row ahead among sound ones', ['12:03:00', '13:03:00', '12:04:00']],
    ['no whole hour', ['12:35:00', '12:34:00']],
    ['rows ahead by different hours', ['13:03:00', '14:03:00']],
    ['more than two hours', ['15:03:00']],
    ['a day', ['23:59:00']],
    ['a clock that is a little fast', ['12:06:30']],
    ['sound rows', ['12:00:00', '12:04:00']],
    ['no rows', []],
  ])('is not: %s', (_, times) => {
    expect(clockFault(rows(...times), FETCHED)).toBeNull()
  })

  it('is not seen where the times are ours', () => {
    expect(clockFault([{ observed_at: '2026-11-25T13:05:00Z', observed_at_basis: 'fetch' }], FETCHED)).toBeNull()
  })
})

const yvr = (...clocks: string[]) =>
  JSON.stringify({
    value: clocks.map((clock, at) => ({
      Terminal: `Gate ${at}`,
      LastUpdatedDate: `Wednesday, 25 November 2026 ${clock}`,
      WaitTime: '420',
    })),
  })
const codesOf = (body: string) => parseAs('yvr-catsa', body, 'YVR', FETCHED).notices.map(({ code }) => code)

describe('a source in the parser', () => {
  it('says once that its clock is an hour ahead, beside the rows that are left out', () => {
    const { readings, notices } = parseAs('yvr-catsa', yvr('06:03:00', '06:02:00'), 'YVR', FETCHED)
    expect(readings).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['source_clock_ahead', 'observed_in_future', 'observed_in_future'])
    expect(notices[0]).toMatchObject({
      severity: 'warning',
      iata: 'YVR',
      value: '1 h ahead in America/Vancouver',
      message: expect.stringMatching(/clock of the source is 1 h ahead in America\/Vancouver.*newest by 58 min/),
    })
  })

  it('says nothing of the clock where one row of several is ahead', () => {
    expect(codesOf(yvr('05:03:00', '06:03:00'))).toEqual(['observed_in_future'])
  })

  it('looks at the rows before forgotten ones are left out', () => {
    const row = (time: string, queueName: string) => ({ queueName, projectedWaitTime: 420, time })
    const body = JSON.stringify({
      current: [row('2026-11-25T13:03:00Z', '2 General'), row('2026-11-01T13:03:00Z', '3 General')],
    })
    const { notices } = parseAs('sita-mia', body, 'MIA', FETCHED)
    expect(notices.map(({ code }) => code)).toContain('source_clock_ahead')
  })
})

it('the reported feed of Vancouver has two readings of the minute before the fetch', () => {
  const { readings, notices } = parseAs('yvr-catsa', reported('yvr-waits.json'), 'YVR', FETCHED)
  expect(notices).toEqual([])
  expect(readings.map(({ observed_at, wait_minutes }) => [observed_at, wait_minutes])).toEqual([
    ['2026-11-25T12:03:00Z', 7],
    ['2026-11-25T12:03:00Z', 15],
  ])
})
