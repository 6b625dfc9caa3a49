import { expect, it } from 'vitest'
import { faaNasStatus, readStatusTree } from '../../../../pipeline/collectors/faa/nas-status.ts'
import { reported } from '../../../reported.ts'
import { contextAt } from '../faa-and-weather.ts'

it('dates the ends of the reported ground stops, of which two have just passed', () => {
  const { readings, notices } = faaNasStatus.parse(
    reported('ground-stop-just-ended.xml'),
    contextAt('2026-08-12T20:18:00Z'),
  )
  expect(notices).toEqual([])
  expect(readings.map(({ faa_id, end }) => [faa_id, end])).toEqual([
    ['EWR', '2026-08-12T20:17:00Z'],
    ['BOS', '2026-08-12T20:16:00Z'],
    ['JFK', '2026-08-12T21:00:00Z'],
  ])
})

it('takes names that every object inherits neither for kinds of delay nor for legs', () => {
  const parsed = readStatusTree(
    {
      AIRPORT_STATUS_INFORMATION: {
        Update_Time: 'Thu Jan 7 23:45:10 2027 GMT',
        Delay_type: [
          { constructor: { Program: { ARPT: 'JFK' } } },
          { Arrival_Departure_Delay_List: { Delay: { ARPT: 'JFK', Arrival_Departure: { Type: 'constructor' } } } },
        ],
      },
    },
    contextAt('2027-01-07T23:46:00Z'),
  )
  expect(parsed.readings).toEqual([])
  expect(parsed.notices.map(({ code }) => code)).toEqual(['delay_type_unknown', 'row_without_leg'])
})
