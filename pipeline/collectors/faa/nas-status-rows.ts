import { isObject } from '../../../config/json-object.ts'
import type { ParsedDelay } from '../../../warehouse/tables/delays.ts'
import { instantOfMs } from '../../parsing/clocks.ts'
import { asList } from '../../parsing/fields.ts'
import { notamPeriod, readClosure } from './closure.ts'
import { agreeingMinutes, airportOf, delayRow, type ReadRow, reasonOf } from './delay-row.ts'
import { flowPeriod } from './flow-period.ts'
import { endNearest, instantNearest, nearestInstantOfClock } from './times.ts'
import { altitudeBand, durationMinutes, trendOf } from './values.ts'

/** Ground_Stop_List/Program: ARPT, Reason, End_Time. */
export const groundStop: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const end = fields.read('End_Time', (text) => {
    const ms = nearestInstantOfClock(text, document.observedMs)
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
  const longest = fields.read('Max', durationMinutes)
  return [
    {
      ...delayRow(airport.faaId, 'ground_delay', document),
      iata: airport.iata,
      ...reasonOf(fields, 'Reason'),
      ...agreeingMinutes(fields, { average, longest }),
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
  if (legs.length === 0) fields.warning('row_without_leg', 'The row has neither an arrival nor a departure delay.')
  return legs.flatMap((leg, index) => {
    const legFields = fields.nested(`Arrival_Departure[${index}]`, isObject(leg) ? leg : {})
    const type = LEGS.get(legFields.text('Type')?.toLowerCase() ?? '')
    if (!type) {
      legFields.warning('row_without_leg', 'Type is neither Arrival nor Departure; this delay is left out.', leg)
      return []
    }
    return [
      {
        ...delayRow(airport.faaId, type, document),
        iata: airport.iata,
        ...reason,
        ...agreeingMinutes(legFields, {
          shortest: legFields.read('Min', durationMinutes),
          longest: legFields.read('Max', durationMinutes),
        }),
        trend: legFields.read('Trend', trendOf),
      },
    ]
  })
}

/** Field names in the live feed, then in the DTD. */
const FLOW_FIELDS = {
  startTime: ['AFP_StartTime'],
  endTime: ['AFP_EndTime'],
  startStamp: ['FCA_StartDateTime', 'FCA_Start_DateTime'],
  endStamp: ['FCA_EndDateTime', 'FCA_End_DateTime'],
}

/** Airspace_Flow_List/Airspace_Flow: a program for a piece of airspace (FCAxxx), which belongs to no airport. */
export const airspaceFlow: ReadRow = (fields, document) => {
  const element = fields.text('CTL_Element')
  if (element === null) {
    fields.warning('row_without_element', 'CTL_Element is missing; the row is left out.')
    return []
  }
  return [
    {
      ...delayRow(element, 'airspace_flow', document),
      ...reasonOf(fields, 'Reason'),
      average_minutes: fields.read('Avg', durationMinutes),
      ...flowPeriod(fields, FLOW_FIELDS, document.observedMs),
      scope: altitudeBand(fields.number('Floor'), fields.number('Ceiling')),
    },
  ]
}

/** The DTD does not say how CTOP times are written, so both forms of the flow programs are read. */
function ctopTimes(name: string, text: string | null) {
  return text !== null && /^\d{4}$/.test(text) ? { time: [name], stamp: [] } : { time: [], stamp: [name] }
}

/** CTOP_List/CTOP: a program for several pieces of airspace. It is in the DTD and was never seen in a capture. */
export const ctop: ReadRow = (fields, document) => {
  const name = fields.text('Program_Name')
  if (name === null) {
    fields.warning('row_without_element', 'Program_Name is missing; the row is left out.')
    return []
  }
  const start = ctopTimes('CTOP_Start_Time', fields.text('CTOP_Start_Time'))
  const end = ctopTimes('CTOP_End_Time', fields.text('CTOP_End_Time'))
  const times = { startTime: start.time, startStamp: start.stamp, endTime: end.time, endStamp: end.stamp }
  const areas = fields.has('FCA_Data') ? asList(fields.within('FCA_Data')?.row.FCA) : []
  const scope = areas.map((area, index) => {
    const areaFields = fields.nested(`FCA_Data.FCA[${index}]`, isObject(area) ? area : {})
    const band = altitudeBand(areaFields.number('Floor'), areaFields.number('Ceiling'))
    return [areaFields.text('FCA_Name'), band].filter(Boolean).join(' ')
  })
  return [
    {
      ...delayRow(name, 'airspace_flow', document),
      ...reasonOf(fields, 'Reason'),
      average_minutes: fields.read('Avg', durationMinutes),
      ...flowPeriod(fields, times, document.observedMs),
      scope: scope.filter(Boolean).join('; ') || null,
    },
  ]
}

/**
 * Airport_Closure_List/Airport: ARPT, Reason, Start, Reopen. Start and Reopen have no year (and were local time marked as
 * UTC in 2024), so the NOTAM's period is used where there is one.
 */
export const airportClosure: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const reason = fields.text('Reason')
  const closure = reason === null ? null : readClosure(reason)
  const closed = closure?.closed_to_airlines ?? null
  if (closed === null) {
    fields.info('closure_unclear', 'The text does not say whether the airport is closed to airlines.', reason)
  }
  const instantBy = (read: (text: string, nearMs: number) => number | null) => (text: string) => {
    const ms = read(text, document.observedMs)
    return ms === null ? null : instantOfMs(ms)
  }
  const period = closure && notamPeriod(closure.notam)
  return [
    {
      ...delayRow(airport.faaId, 'closure', document),
      iata: airport.iata,
      reason,
      reason_category: 'closure',
      start: period?.start ?? fields.read('Start', instantBy(instantNearest)),
      end: period ? period.end : fields.read('Reopen', instantBy(endNearest)),
      closed_to_airlines: closed,
      closed_hours_utc: closure?.closed_hours_utc ?? null,
    },
  ]
}
