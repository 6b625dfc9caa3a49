import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import { Anything, readEntries, readJson, Text } from '../parsing/json.ts'
import { reportUnexpectedAirport } from '../parsing/notices.ts'
import { readMinutes, statusOf } from '../parsing/posted-waits.ts'
import { onlyAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Answer = z.object({
  code: Text,
  rightnow: Anything,
  rightnow_description: Text,
  precheck_checkpoints: Anything,
})
const Checkpoints = z.record(z.string(), z.unknown())

/**
 * Salt Lake City: one estimate for the whole airport, and whether each PreCheck lane is open (payloads of 2026-04).
 * JSON, though served as text/html. Its hourly forecast is not read: it is no observation.
 */
export const slcOfficial = waitCollector({
  id: 'slc-official',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: '*/*' }, body: null, iata: onlyAirport(source) },
  ],
  read: (payload) => {
    const answer = readJson(payload.body, Answer)
    if (answer.code !== payload.iata) {
      reportUnexpectedAirport(answer.code, payload.report.at('code'))
      return []
    }
    const airport = {
      ...payload.unknownReading,
      lane: 'standard' as const,
      wait_minutes: readMinutes(answer.rightnow, 'minutes', payload.report.at('rightnow')),
      wait_text: answer.rightnow_description || null,
    }
    const terminals = Object.entries(isObject(answer.precheck_checkpoints) ? answer.precheck_checkpoints : {})
    const report = payload.report.at('precheck_checkpoints')
    const precheck = readEntries(terminals, report, Checkpoints, (checkpoints, terminalReport, terminal) =>
      Object.entries(checkpoints).map(([checkpoint, status]) => ({
        ...payload.unknownReading,
        terminal,
        checkpoint,
        lane: 'precheck' as const,
        status: statusOf(status, terminalReport.at(checkpoint)),
      })),
    )
    return [airport, ...precheck]
  },
})
