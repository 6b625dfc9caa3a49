import { z } from 'zod'
import type { Lane } from '../../config/vocabulary.ts'
import { isoClock } from '../parsing/clocks.ts'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, List, optionalObject, Text } from '../parsing/json.ts'
import { type NoticeReporter, reportStale, reportUnknownQueue } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, pageHeaders } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const TERMINALS = ['2', '3', '4', '5']
const AREAS = new Map([
  ['N', 'North'],
  ['S', 'South'],
])

/** The queue of each type of checkpoint. A source is of one kind, and rows of another kind are left out. */
const TYPES = new Map<string, { kind: 'security' | 'immigration'; lane: Lane; name: string }>([
  ['securityStandard', { kind: 'security', lane: 'standard', name: 'Security' }],
  ['securityFastTrack', { kind: 'security', lane: 'priority', name: 'Security' }],
  ['immigrationEEA', { kind: 'immigration', lane: 'all', name: 'UK and EEA passports' }],
  ['immigrationNonEEA', { kind: 'immigration', lane: 'all', name: 'Other passports' }],
])

const Code = optionalObject({ code: Text })
const Queue = z.object({
  checkpointFacility: z.object({ checkpointFacilityType: Code, terminalFacility: Code, area: Text }),
  queueMeasurements: List,
  waitTimeMessage: Text,
  waitTimeRangeMinutes: Text,
  lastUpdated: Anything,
  isDataStale: Anything,
})

/** Heathrow: one answer per terminal; security and immigration are two sources of the same shape. */
export const lhrPihub = waitCollector({
  id: 'lhr-pihub',
  request: ({ source, airports }) =>
    airports.flatMap((iata) =>
      TERMINALS.map((terminal) => jsonRequest(`${source.url}/${terminal}`, iata, pageHeaders(source))),
    ),
  read: (payload) =>
    payload.readJsonRows([], Queue, (queue, report) => {
      const facility = queue.checkpointFacility
      const code = facility.checkpointFacilityType?.code ?? ''
      const type = TYPES.get(code)
      if (type === undefined || type.kind !== payload.source.kind)
        return reportUnknownQueue(code, report.at('checkpointFacility.checkpointFacilityType.code'))
      const area = facility.area.toUpperCase()
      const message = queue.waitTimeMessage || queue.waitTimeRangeMinutes
      const reading = {
        ...payload.unknownReading,
        kind: type.kind,
        terminal: facility.terminalFacility?.code ?? '',
        checkpoint: [type.name, AREAS.get(area) ?? area].filter(Boolean).join(' '),
        lane: type.lane,
        // Without an offset it is London's clock, as public clients read it; were it UTC, summer readings would look older.
        ...payload.observedAt(queue.lastUpdated, isoClock, report.at('lastUpdated')),
        status: /\bclosed\b/i.test(message) ? ('closed' as const) : ('unknown' as const),
      }
      if (isSet(queue.isDataStale)) {
        reportStale(true, report.at('isDataStale'))
        return reading
      }
      const measurements = report.at('queueMeasurements')
      return {
        ...reading,
        wait_minutes_low: measuredMinutes('minimumWaitTime', queue.queueMeasurements, measurements),
        wait_minutes_high: measuredMinutes('maximumWaitTime', queue.queueMeasurements, measurements),
        wait_text: message || null,
      }
    }),
})

const Measurement = z.object({ name: Anything, value: Anything, unitOfMeasurement: optionalObject({ name: Text }) })

/** The measurement of a name, in the unit that it states. A negative value is the source's word for none. */
function measuredMinutes(name: string, measurements: unknown[], report: NoticeReporter): number | null {
  for (const [index, measurement] of measurements.entries()) {
    const { data } = Measurement.safeParse(measurement)
    if (data?.name !== name) continue
    const rowReport = report.at(index)
    const unit = data.unitOfMeasurement?.name.toLowerCase() ?? ''
    if (unit.startsWith('min')) return readMinutes(data.value, 'minutes', rowReport)
    if (unit.startsWith('sec')) return readMinutes(data.value, 'seconds', rowReport)
    return rowReport.warning('unit_unknown', 'The unit of the wait is not known.', data.value)
  }
  return null
}
