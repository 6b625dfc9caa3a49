import { describe, expect, it } from 'vitest'
import { clockFault } from '../../../pipeline/parsing/clock-fault.ts'
import { reported } from '../../reported.ts'
import { parseAs } from '../collectors/context.ts'

const FETCHED = '2026-11-25T12:05:00Z'

it('a clock fault is not seen where the times are ours', () => {
  expect(clockFault([{ observed_at: '2026-11-25T13:05:00Z', observed_at_basis: 'fetch' }], FETCHED)).toBeNull()
})

const yvr = (...clocks: string[]) =>
  JSON.stringify({
    value: clocks.map((clock, index) => ({
      Terminal: `Gate ${index}`,
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
