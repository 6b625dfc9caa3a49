import { expect, it } from 'vitest'
import { readStatusTree } from '../../../../pipeline/collectors/faa/nas-status.ts'
import { contextAt } from '../faa-and-weather.ts'

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
