import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import type { QueueStatus } from '../../config/vocabulary.ts'
import { wallClock } from '../parsing/clocks.ts'
import { Anything, matchShape, Name, parseJson, readJson, readRows, rowsAt, Text } from '../parsing/json.ts'
import { postedWait, unknownStatus } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Incheon's departure halls, one row per entrance, from the airport's own page and from the state's open data. */

const TERMINALS = ['1', '2']
/** OP open, NP not operating, CL closed. */
const STATUS = new Map<string, QueueStatus>([
  ['OP', 'open'],
  ['NP', 'closed'],
  ['CL', 'closed'],
])

const PageEntrance = z.object({ gateId: Name, gateStts: Text, ocrTm: Anything, wtngTm: Text })
const pageClock = wallClock('yyyyMMddHHmm')

/** The airport's page. A "-" is a hall that does not run, never a wait of 0. */
export const icn = waitCollector({
  id: 'icn',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => TERMINALS.map((terminal) => jsonRequest(`${source.url}?tmnlId=${terminal}`, iata))),
  read: (payload) => {
    const answer = parseJson(payload.body)
    // A terminal without rows answers with an empty object instead of an empty list.
    const isEmpty = z.strictObject({}).safeParse(answer).success
    const entrances = isEmpty ? [] : matchShape(answer, rowsAt())
    const terminal = new URL(payload.url).searchParams.get('tmnlId')
    return readRows(entrances, payload.report, PageEntrance, (entrance, report) => ({
      ...payload.unknownReading,
      terminal: terminal === null ? '' : `T${terminal}`,
      checkpoint: entrance.gateId,
      ...payload.observedAt(entrance.ocrTm, pageClock, report.at('ocrTm')),
      ...postedWait(entrance.wtngTm, report.at('wtngTm')),
      status: STATUS.get(entrance.gateStts.toUpperCase()) ?? unknownStatus(entrance.gateStts, report.at('gateStts')),
    }))
  },
})

const OPEN_DATA_TERMINALS = new Map([
  ['P01', 'T1'],
  ['P03', 'T2'],
])
const Header = z.object({ response: z.object({ header: z.object({ resultCode: Text, resultMsg: Text }) }) })
const OpenDataEntrance = z.object({ gateId: Name, terminalId: Text, occurtime: Anything, waitTime: Text })
const openDataClock = wallClock('yyyyMMddHHmmss')

/**
 * The state's open data. Its wait covers security and immigration together, and kinds are never mixed, so it is kept as
 * text. Errors come as XML even when JSON was requested.
 */
export const icnDatagokr = waitCollector({
  id: 'icn-datagokr',
  request: ({ source }) => [jsonRequest(`${source.url}?_type=json`, null)],
  read: (payload) => {
    const { resultCode, resultMsg } = readJson(payload.body, Header).response.header
    if (resultCode !== '00')
      throw new ParseError('response.header.resultCode', `is an error: ${resultMsg.slice(0, 100)}`)
    return payload.readJsonRows(['response', 'body', 'items'], OpenDataEntrance, (entrance, report) => ({
      ...payload.unknownReading,
      terminal: OPEN_DATA_TERMINALS.get(entrance.terminalId) ?? entrance.terminalId,
      checkpoint: entrance.gateId,
      ...payload.observedAt(entrance.occurtime, openDataClock, report.at('occurtime')),
      wait_text: entrance.waitTime === '' ? null : `${entrance.waitTime} min with immigration`,
    }))
  },
})
