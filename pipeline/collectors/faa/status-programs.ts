import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { asList, instantOfMs, isRow } from '../../parsing/fields.ts'
import { nextInstantOfClock } from './clock.ts'
import { airportOf, delayRow, type ReadRow, reasonOf } from './delay-row.ts'
import { durationMinutes, longestDelay } from './duration.ts'
import { trendOf } from './trend.ts'

/** Ground_Stop_List/Program: ARPT, Reason, End_Time. */
export const groundStop: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const end = fields.read('End_Time', (text) => {
    const ms = nextInstantOfClock(text, document.observedMs)
    return ms === null ? null : instantOfMs(ms)
  })
  return [
    { ...delayRow(airport.faaId, 'ground_stop', document), iata: airport.iata, ...reasonOf(fields, 'Reason'), end },
  ]
}

/** Ground_Delay_List/Ground_Delay: ARPT, Reason, Avg, Max. */
export const groundDelay: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const average = fields.read('Avg', durationMinutes)
  return [
    {
      ...delayRow(airport.faaId, 'ground_delay', document),
      iata: airport.iata,
      ...reasonOf(fields, 'Reason'),
      average_minutes: average,
      max_minutes: longestDelay(fields.read('Max', durationMinutes), average),
    },
  ]
}

const LEGS = new Map<string, ParsedDelay['type']>([
  ['arrival', 'arrival_delay'],
  ['departure', 'departure_delay'],
])

/** Arrival_Departure_Delay_List/Delay: ARPT, Reason and one or two legs of Type, Min, Max, Trend. */
export const arrivalDeparture: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const reason = reasonOf(fields, 'Reason')
  const legs = asList(fields.row.Arrival_Departure)
  if (legs.length === 0) fields.note('row_without_leg', 'warning', 'neither an arrival nor a departure delay')
  return legs.flatMap((leg, index) => {
    const legFields = fields.nested(`Arrival_Departure[${index}]`, isRow(leg) ? leg : {})
    const type = LEGS.get(legFields.text('Type')?.toLowerCase() ?? '')
    if (!type) {
      legFields.note('row_without_leg', 'warning', 'Type is neither Arrival nor Departure; the leg is left out', leg)
      return []
    }
    return [
      {
        ...delayRow(airport.faaId, type, document),
        iata: airport.iata,
        ...reason,
        min_minutes: legFields.read('Min', durationMinutes),
        max_minutes: legFields.read('Max', durationMinutes),
        trend: legFields.read('Trend', trendOf),
      },
    ]
  })
}
