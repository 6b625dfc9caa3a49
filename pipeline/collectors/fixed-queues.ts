import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { instantOfMs } from '../parsing/clocks.ts'
import type { Collector } from '../parsing/collector.ts'
import { matchShape, parseJson, textOf } from '../parsing/json.ts'
import type { NoticeReporter } from '../parsing/notices.ts'
import { postedWait, readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, pageHeaders } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Feeds of one small object: each of some fixed fields is the wait of one queue. */

const Fields = z.record(z.string(), z.unknown())

interface FixedQueues {
  id: string
  request: Collector['request']
  /** The key of the object with the fields; null when it is the payload itself. */
  holder: string | null
  queueOf: (field: string) => Partial<ParsedReading> | null
  /** The fields in words, for the error when none is there. */
  expected: string
  readWait: (value: unknown, report: NoticeReporter) => Partial<ParsedReading>
  /** The field with the observation time in epoch milliseconds, where there is one. */
  time?: string
}

function fixedQueues({ id, request, holder, queueOf, expected, readWait, time }: FixedQueues) {
  return waitCollector({
    id,
    request,
    read: (payload) => {
      const answer = matchShape(parseJson(payload.body), Fields)
      const fields = holder === null ? answer : matchShape(answer[holder], Fields)
      const report = holder === null ? payload.report : payload.report.at(holder)
      const queues = Object.keys(fields).flatMap((field) => {
        const queue = queueOf(field)
        return queue === null ? [] : [{ field, queue }]
      })
      if (queues.length === 0) throw new ParseError(holder ?? '$', `holds none of ${expected}`)
      const observation = time === undefined ? {} : payload.observedAt(fields[time], instantOfMs, report.at(time))
      return queues.map(({ field, queue }) => ({
        ...payload.unknownReading,
        checkpoint: 'Security',
        ...queue,
        ...observation,
        ...readWait(fields[field], report.at(field)),
      }))
    },
  })
}

const minutesOf = (value: unknown, report: NoticeReporter) => ({
  wait_minutes: readMinutes(value, 'minutes', report),
})

/** Edinburgh: one number for the airport. What its `cached` counts is not documented, so it gives no age. */
export const ediBlip = fixedQueues({
  id: 'edi-blip',
  request: ({ source }) => [jsonRequest(source.url, null, pageHeaders(source))],
  holder: null,
  queueOf: (field) => (field === 'minutes' ? {} : null),
  expected: 'minutes',
  readWait: minutesOf,
})

/** Queues of Istanbul. Everybody's bags are screened at the entrance, so it is security. */
const ISTANBUL = new Map<string, Partial<ParsedReading>>([
  ['gateWaitTime', { kind: 'security', checkpoint: 'Terminal entrance' }],
  ['passQueueWaitTime', { kind: 'immigration', checkpoint: 'Passport control' }],
  ['domQueueWaitTime', { kind: 'security', checkpoint: 'Domestic security' }],
])

/** Istanbul: minutes of three queues, no observation time. Its `status` flag is ignored where the fields are there. */
export const ist = fixedQueues({
  id: 'ist',
  request: ({ source }) => [jsonRequest(source.url, null, pageHeaders(source))],
  holder: 'result',
  queueOf: (field) => ISTANBUL.get(field) ?? null,
  expected: [...ISTANBUL.keys()].join(', '),
  readWait: minutesOf,
})

/** Dublin: one number per terminal, written as in a spreadsheet ("=5"); empty or negative when there is none. */
export const dubDap = fixedQueues({
  id: 'dub-dap',
  request: ({ source }) => [jsonRequest(source.url, null, { Origin: 'https://www.dublinairport.com' })],
  holder: null,
  queueOf: (field) => (/^T\d$/.test(field) ? { terminal: field } : null),
  expected: 'the terminals T1, T2 …',
  readWait: (value, report) => minutesOf(textOf(value).replace(/^=\s*/, '') || null, report),
})

/** Hamburg: one range for the whole airport ("5-10 min"), with its time in epoch milliseconds. */
export const ham = fixedQueues({
  id: 'ham',
  request: ({ source }) => [jsonRequest(source.url, null)],
  holder: null,
  queueOf: (field) => (field === 'waitingTime' ? {} : null),
  expected: 'waitingTime',
  readWait: (value, report) => postedWait(textOf(value), report),
  time: 'lastUpdate',
})
