import { expect, it } from 'vitest'
import { parseAs } from './context.ts'

const parse = (body: string) => parseAs('sea-cwt', body, null)

it('sea-cwt reports a bad row and reads the others', () => {
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
