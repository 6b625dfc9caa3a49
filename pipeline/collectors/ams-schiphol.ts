import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import { isoClock } from '../parsing/clocks.ts'
import { numberOf } from '../parsing/flags-and-ages.ts'
import { Anything, readEntries, readJson } from '../parsing/json.ts'
import { reportFillers, reportUnknownQueue } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** "Vertrekfilter" and "vertrekhal": where departing travellers are screened. */
const DEPARTURE = /^V[FH]\d/
/** Filters between Schengen and other gates, for people who change planes (seen 2023 to 2026). */
const TRANSFER = /^(AF\d|[A-Z]{2}-T|NS-S|S-NS)$/

const Filters = z.record(z.string(), z.unknown())
const Filter = z.object({ waitTimeInSeconds: Anything, updated: Anything })

/**
 * Schiphol's filters by code, in seconds. 60 is the lowest wait it shows, so a 0 (at night) is not a measured wait.
 * Spikes of three hours land as published; a check flags them.
 */
export const amsSchiphol = waitCollector({
  id: 'ams-schiphol',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) => {
    const filters = Object.entries(readJson(payload.body, Filters))
    const nightFilters = filters.filter(
      ([code, filter]) => DEPARTURE.test(code) && isObject(filter) && numberOf(filter.waitTimeInSeconds) === 0,
    )
    const readings = readEntries(filters, payload.report, Filter, (filter, report, code) => {
      if (TRANSFER.test(code)) return null
      if (!DEPARTURE.test(code)) return reportUnknownQueue(code, report)
      const seconds = filter.waitTimeInSeconds
      return {
        ...payload.unknownReading,
        checkpoint: code,
        ...payload.observedAt(filter.updated, isoClock, report.at('updated')),
        wait_minutes: numberOf(seconds) === 0 ? null : readMinutes(seconds, 'seconds', report.at('waitTimeInSeconds')),
      }
    })
    reportFillers(nightFilters.length, payload.report.at('waitTimeInSeconds'))
    return readings
  },
})
