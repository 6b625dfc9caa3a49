import { z } from 'zod'
import type { JsonObject } from '../../config/json-object.ts'
import type { Lane } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { type Clock, isoClock, localIsoClock } from '../parsing/clocks.ts'
import { numberOf } from '../parsing/flags-and-ages.ts'
import { readJson, readRows, rowsAt, textOf } from '../parsing/json.ts'
import { knownLane, laneInName } from '../parsing/lanes.ts'
import { type NoticeReporter, reportSentinel, reportUnexpectedAirport } from '../parsing/notices.ts'
import { readMinutes, statusOf } from '../parsing/posted-waits.ts'
import {
  jsonRequest,
  LEARN_FROM_PAGE,
  learnedHeaders,
  onlyAirport,
  optionPairs,
  valuesInScript,
} from '../parsing/requests.ts'
import { newestRows, reportClockFaults, type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

const KEY_HEADERS = { api_key: 'x-apikey' }

const Options = z.strictObject({
  wait_unit: z.enum(['seconds', 'minutes', 'unknown']),
  rows: z.string().optional(),
  key: z.enum(['header', 'query']).optional(),
  clock: z.literal('local').optional(),
  keep: z.string().optional(),
  id_lanes: z.string().optional(),
  names: z.string().optional(),
})

/**
 * The ACI/ACRIS wait-times shape (v1.6) as MIA, PHX, BWI and MUC publish it. Options of a member:
 * `wait_unit`: seconds, minutes, or unknown (the number is then kept as text: its size does not tell the unit);
 * `rows`: the path of the list (default `current`); `key`: header or query, where the site's own key goes; `clock`: local
 * where times are local though marked UTC; `keep`: the word in the id of a security queue; `id_lanes`, `names`:
 * "word=meaning; …".
 */
export const aci = waitCollector({
  id: 'aci',
  options: () => Options,
  learn: {
    needed: (source) => source.options.key !== undefined,
    ...LEARN_FROM_PAGE,
    headers: KEY_HEADERS,
    fromUrl: keyInUrl,
    fromScript: keyInScript,
  },
  request: ({ source, learned_keys }) => {
    const url = new URL(source.url)
    if (source.options.key === 'query' && learned_keys.api_key !== undefined)
      url.searchParams.set('Key', learned_keys.api_key)
    const headers = source.options.key === 'header' ? learnedHeaders(KEY_HEADERS, learned_keys) : {}
    return [jsonRequest(url.href, onlyAirport(source), headers)]
  },
  read: (payload) => {
    // `success` is not read: PHX says false beside good rows, and a 200 with true may hold none.
    const list = textOf(payload.source.options.rows) || 'current'
    const rows = readJson(payload.body, rowsAt(...list.split('.')))
    const readings = readRows(rows, payload.report.at(list), Row, (row, report) => readQueue(row, report, payload))
    reportClockFaults(readings, payload)
    return newestRows(readings, payload.fetched_at, payload.report)
  },
})

/** The key in the address of the page's own request (PHX). */
function keyInUrl(url: string): Record<string, string> | null {
  const api_key = new URL(url).searchParams.get('Key')
  return api_key === null ? null : { api_key }
}

/** The key beside the name of its header, or in an address, in a script. */
export function keyInScript(script: string): Record<string, string> | null {
  const api_key =
    valuesInScript(script, KEY_HEADERS.api_key)[0]?.value ?? /avn-wait-times\/raw\?Key=([\w-]{8,})/i.exec(script)?.[1]
  return api_key === undefined ? null : { api_key }
}

/** The name of a field in the standard's spelling (`queueName`), which BWI writes as `Queue_Name`. */
function standardSpelling(name: string): string {
  if (!/^[A-Z][a-z]*(_[A-Z][a-z]*)*$/.test(name)) return name
  return name.replaceAll('_', '').replace(/^./, (first) => first.toLowerCase())
}

const nameOf = (row: JsonObject) => textOf(row.queueName) || textOf(row.queueId)

/** A named queue with its fields in the standard's spelling; fields that are null or empty (BWI) are left out. */
const Row = z
  .record(z.string(), z.unknown())
  .transform((row): JsonObject => {
    const filled = Object.entries(row).filter(([, value]) => value !== null && value !== '')
    return Object.fromEntries(filled.map(([name, value]) => [standardSpelling(name), value]))
  })
  .refine((row) => nameOf(row) !== '')

function readQueue(row: JsonObject, report: NoticeReporter, payload: WaitPayload): ParsedReading | null {
  const { options } = payload.source
  const name = nameOf(row)
  const airport = textOf(row.airportCode).toUpperCase()
  if (payload.isOfAnother(airport)) return reportUnexpectedAirport(airport, report.at('airportCode'))
  if (textOf(options.keep) !== '' && !name.split('_').includes(textOf(options.keep))) return null
  // MIA lists its passport control as "FIS General" among the checkpoints.
  const kind = /\b(fis|customs|immigration)\b/i.test(name) ? 'immigration' : 'security'
  const { checkpoint, lane } = queueIn(name, payload, report.at('queueName'))
  if (lane === null) return null
  const clock: Clock = options.clock === 'local' ? localIsoClock : isoClock
  const minutes = (field: string) => readMinutes(row[field], 'minutes', report.at(field))
  return {
    ...payload.unknownReading,
    kind,
    terminal: name.match(/^T(\d)(?:\b|_)/)?.[1] ?? '',
    checkpoint,
    lane: kind === 'immigration' ? 'all' : lane,
    ...payload.observedAt(row.time ?? row.updatedTime, clock, report.at('time')),
    ...waitIn(row.projectedWaitTime, textOf(options.wait_unit), report.at('projectedWaitTime')),
    wait_minutes_low: minutes('projectedMinWaitMinutes'),
    wait_minutes_high: minutes('projectedMaxWaitMinutes'),
    status: statusOf(row.status ?? row.queueState, report.at(row.status == null ? 'queueState' : 'status')),
  }
}

/** Checkpoint and lane are in the name: "2 General", "T4 Checkpoint A General", "T2_Abflug_SIKO_ECO_NORD". */
function queueIn(
  name: string,
  payload: WaitPayload,
  report: NoticeReporter,
): { checkpoint: string; lane: Lane | null } {
  const { options } = payload.source
  const idLanes = optionPairs(options.id_lanes)
  if (idLanes.size > 0) {
    const word = name.split('_').find((part) => idLanes.has(part))
    return { checkpoint: name.replaceAll('_', ' '), lane: knownLane(idLanes.get(word ?? '') ?? name, report) }
  }
  const { place, lane } = laneInName(name)
  const checkpoint = optionPairs(options.names).get(place) ?? place
  return { checkpoint, lane: lane ?? knownLane(name.split(' ').at(-1) ?? '', report) }
}

/** The wait in the member's own unit. A negative number is "not known" in these feeds. */
function waitIn(
  wait: unknown,
  unit: string,
  report: NoticeReporter,
): Pick<ParsedReading, 'wait_minutes' | 'wait_text'> {
  if ((numberOf(wait) ?? 0) < 0) return { wait_minutes: reportSentinel(wait, report), wait_text: null }
  if (unit === 'seconds' || unit === 'minutes')
    return { wait_minutes: readMinutes(wait, unit, report), wait_text: null }
  const text = textOf(wait)
  if (text !== '') report.info('unit_unknown', 'The unit of the wait is not known; it is kept as text.', wait)
  return { wait_minutes: null, wait_text: text || null }
}
