import { describe, expect, it } from 'vitest'
import { fixture, parseAs } from './context.ts'

const parse = (body: string, fetched_at?: string) => parseAs('hel-finavia', body, 'HEL', fetched_at)

describe('hel-finavia', () => {
  it('lands the newest row that is not after the fetch, and no forecast', () => {
    const { readings, notices } = parse(fixture('hel.json'))
    expect(notices).toEqual([])
    expect(readings).toMatchObject([
      { wait_minutes: 6.25, status: 'open', observed_at: '2026-11-21T10:00:00Z', observed_at_basis: 'source' },
    ])
    expect(parse(fixture('hel.json'), '2026-11-21T07:30:00Z')).toEqual({ readings: [], notices: [] })
    expect(parse(fixture('hel.json'), '2026-11-21T10:30:00Z').readings).toMatchObject([
      { observed_at: '2026-11-21T10:30:00Z' },
    ])
  })

  it('leaves out a row with an unreadable time, which may be a forecast', () => {
    const row = { messageDate: '31.02.2026', messageTime: '12:00', averageWaitingTime: 3, securityLaneOpen: true }
    const rows = [row, 'word', { ...row, messageDate: '21.11.2026', averageWaitingTime: 'x', securityLaneOpen: false }]
    const { readings, notices } = parse(JSON.stringify({ SecDepartureHall: rows }))
    expect(readings).toMatchObject([{ wait_minutes: null, status: 'closed' }])
    expect(notices.map(({ code }) => code)).toEqual(['time_unreadable', 'row_unreadable', 'value_not_a_number'])
  })
})
