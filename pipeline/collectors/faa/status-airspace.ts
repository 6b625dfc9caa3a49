import { asList, isRow } from '../../parsing/fields.ts'
import { altitudeBand } from './altitude.ts'
import { delayRow, type ReadRow, reasonOf } from './delay-row.ts'
import { durationMinutes } from './duration.ts'
import { flowPeriod } from './flow-time.ts'

/** Field names as the live feed has them, then as the DTD has them. */
const FLOW_FIELDS = {
  startTime: ['AFP_StartTime'],
  endTime: ['AFP_EndTime'],
  startStamp: ['FCA_StartDateTime', 'FCA_Start_DateTime'],
  endStamp: ['FCA_EndDateTime', 'FCA_End_DateTime'],
}

/** Airspace_Flow_List/Airspace_Flow: a program of a piece of airspace (FCAxxx), which belongs to no airport. */
export const airspaceFlow: ReadRow = (fields, document) => {
  const element = fields.text('CTL_Element')
  if (element === null) {
    fields.note('row_without_element', 'warning', 'CTL_Element is missing; the row is left out')
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

/** The DTD does not say how CTOP times are written: both forms of the flow programs are understood. */
function ctopTimes(name: string, text: string | null) {
  return text !== null && /^\d{4}$/.test(text) ? { time: [name], stamp: [] } : { time: [], stamp: [name] }
}

/** CTOP_List/CTOP: a program over several pieces of airspace. In the DTD; never seen in a capture. */
export const ctop: ReadRow = (fields, document) => {
  const name = fields.text('Program_Name')
  if (name === null) {
    fields.note('row_without_element', 'warning', 'Program_Name is missing; the row is left out')
    return []
  }
  const start = ctopTimes('CTOP_Start_Time', fields.text('CTOP_Start_Time'))
  const end = ctopTimes('CTOP_End_Time', fields.text('CTOP_End_Time'))
  const times = { startTime: start.time, startStamp: start.stamp, endTime: end.time, endStamp: end.stamp }
  const areas = fields.has('FCA_Data') ? asList(fields.within('FCA_Data')?.row.FCA) : []
  const scope = areas.map((area, index) => {
    const each = fields.nested(`FCA_Data.FCA[${index}]`, isRow(area) ? area : {})
    const band = altitudeBand(each.number('Floor'), each.number('Ceiling'))
    return [each.text('FCA_Name'), band].filter(Boolean).join(' ')
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
