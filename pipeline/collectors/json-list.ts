import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import type { Source } from '../../config/sources.ts'
import { isoClock, unixSeconds } from '../parsing/clocks.ts'
import { matchShape, textOf } from '../parsing/json.ts'
import { reportUnreadableRow } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Path = z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/, 'must be keys joined by dots, like data.items')

/** The options of a source of this collector: where its rows are, and where each fact is in a row. */
export const JsonListOptions = z
  .strictObject({
    rows: Path.optional().describe('The list; absent where the payload itself is the list.'),
    name: Path.optional().describe('The name of the checkpoint.'),
    terminal: Path.optional().describe('The name of the terminal.'),
    minutes: Path.optional().describe('The wait in minutes, as a number or a text like "7 min".'),
    seconds: Path.optional().describe('The wait in seconds.'),
    updated: Path.optional().describe('When it was measured: an ISO time (local without an offset) or Unix seconds.'),
    timeout_seconds: z.number().min(1).max(120).optional().describe('For feeds that take long to answer.'),
  })
  .refine(({ name, terminal }) => name !== undefined || terminal !== undefined, 'name or terminal must be set')
  .refine(
    ({ minutes, seconds }) => (minutes === undefined) !== (seconds === undefined),
    'set either minutes or seconds',
  )

const optionsOf = ({ options }: Source) => matchShape(options, JsonListOptions)

const valueAt = (row: unknown, path: string | undefined): unknown =>
  path?.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), row)

/** Feeds of one airport that are a JSON list of queues with one number each: they differ in a few paths, which are options. */
export const jsonList = waitCollector({
  id: 'json-list',
  options: () => JsonListOptions,
  request({ source }) {
    const { timeout_seconds } = optionsOf(source)
    const request = jsonRequest(source.url, onlyAirport(source))
    return [timeout_seconds === undefined ? request : { ...request, timeout_ms: timeout_seconds * 1_000 }]
  },
  read(payload) {
    const { rows, name, terminal, minutes, seconds, updated } = optionsOf(payload.source)
    return payload.readJsonRows(rows?.split('.') ?? [], z.unknown(), (row, report) => {
      const queue = { checkpoint: textOf(valueAt(row, name)), terminal: textOf(valueAt(row, terminal)) }
      if (queue.checkpoint === '' && queue.terminal === '') {
        reportUnreadableRow(row, report)
        return null
      }
      const time = valueAt(row, updated)
      const path = (minutes ?? seconds)!
      return {
        ...payload.unknownReading,
        ...queue,
        ...payload.observedAt(time, typeof time === 'number' ? unixSeconds : isoClock, report.at(updated ?? '')),
        wait_minutes: readMinutes(valueAt(row, path), seconds === undefined ? 'minutes' : 'seconds', report.at(path)),
      }
    })
  },
})
