import { z } from 'zod'
import { isoClock, wallClock } from '../parsing/clocks.ts'
import { flagOf } from '../parsing/flags-and-ages.ts'
import { Anything, Name, Text } from '../parsing/json.ts'
import { reportUnexpectedAirport, reportUnknownQueue } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Feeds of one airport that are a plain list of queues with one number each. */

/** Areas of Oslo: `csc` is the central security control, `emi` the passport control on the way out. */
const OSLO_AREAS = new Map([
  ['csc', { kind: 'security', name: 'Central security' } as const],
  ['emi', { kind: 'immigration', name: 'Passport control' } as const],
])
const OsloQueue = z.object({
  area: Name,
  airportIata: Text,
  location: Text,
  isAvailable: Anything,
  timeSecond: Anything,
  lastUpdated: Anything,
})

/** Avinor's page API for Oslo, in seconds. */
export const avinorOsl = waitCollector({
  id: 'avinor-osl',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) =>
    payload.readJsonRows([], OsloQueue, (queue, report) => {
      if (queue.airportIata !== '' && queue.airportIata !== payload.iata)
        return reportUnexpectedAirport(queue.airportIata, report.at('airportIata'))
      const code = queue.area.toLowerCase()
      const area = OSLO_AREAS.get(code)
      if (area === undefined) return reportUnknownQueue(code, report.at('area'))
      const isMissing = flagOf(queue.isAvailable) === false
      return {
        ...payload.unknownReading,
        kind: area.kind,
        checkpoint: [area.name, queue.location].filter(Boolean).join(', '),
        ...payload.observedAt(queue.lastUpdated, isoClock, report.at('lastUpdated')),
        wait_minutes: isMissing ? null : readMinutes(queue.timeSecond, 'seconds', report.at('timeSecond')),
      }
    }),
})

const SydneyQueue = z.object({
  terminal: Name,
  data: z.object({ date: Text, refreshtime: Text, value: Anything }),
})
const sydneyClock = wallClock('yyyy-MM-dd H:mm:ss')

/** Sydney: minutes per terminal. Off, because the site's terms forbid automated retrieval; for operators with permission. */
export const syd = waitCollector({
  id: 'syd',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) =>
    payload.readJsonRows([], SydneyQueue, ({ terminal, data }, rowReport) => {
      const report = rowReport.at('data')
      const time = `${data.date} ${data.refreshtime}`.trim()
      return {
        ...payload.unknownReading,
        terminal: terminal.replace(/^Terminal (?=\d)/, 'T'),
        checkpoint: 'Security',
        ...payload.observedAt(time, sydneyClock, report.at('refreshtime')),
        wait_minutes: readMinutes(data.value, 'minutes', report.at('value')),
      }
    }),
})
