import { DateTime } from 'luxon'
import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { type Clock, wallClock } from '../parsing/clocks.ts'
import { asList } from '../parsing/fields.ts'
import { Anything, Name, readJson, readRows, Text } from '../parsing/json.ts'
import { type NoticeReporter, reportUnexpectedAirport } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { newestRows, type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

/**
 * Korea Airports Corporation, by the state's open data (data.go.kr): the domestic terminals of GMP, PUS, CJU, TAE and CJJ. The key of the
 * operator stands in the address and is redacted wherever the address is kept.
 */

/** Some users find three airports in the second version only, others find all five in the first: both are requested. */
const VERSIONS = ['v1', 'v2']
const ROWS = '100'
const TERMINAL = 'Domestic'

const requests: Parameters<typeof waitCollector>[0]['request'] = ({ source, learned_keys }) =>
  VERSIONS.map((version) => {
    const query = new URLSearchParams({ type: 'json', numOfRows: ROWS, pageNo: '1' })
    const key = learned_keys.operator_key
    // Encoded once: the portal takes a key that is encoded twice for an unknown one.
    const named = key === undefined ? '' : `serviceKey=${encodeURIComponent(key)}&`
    return jsonRequest(`${source.url}/${version}?${named}${query}`, null)
  })

/** `items` and `item` are an empty text where there is nothing; `item` is one object where there is one row. */
const Answer = z.object({
  response: z.object({ header: z.object({ resultCode: Text, resultMsg: Text }), body: Anything }),
})
const Items = z.object({ items: z.object({ item: Anything }) })

/** The portal reports errors as XML with status 200, whatever the request. */
const PORTAL_ERROR = /<(?:returnAuthMsg|errMsg)>([^<]{1,100})</g

/** The rows of an answer. @throws ParseError with the words of the portal where it answers with an error */
function rowsOf(body: string): unknown[] {
  if (body.trimStart().startsWith('<')) {
    const words = [...body.matchAll(PORTAL_ERROR)].map(([, text]) => text).join(', ')
    throw new ParseError('$', `is an error of the portal: ${words || 'without words'}`)
  }
  const { header, body: content } = readJson(body, Answer).response
  if (header.resultCode !== '00')
    throw new ParseError('response.header.resultCode', `is an error: ${header.resultMsg.slice(0, 100)}`)
  return asList(Items.safeParse(content).data?.items.item)
}

const minuteClock = wallClock('yyyy-MM-dd HH:mm')
const HOUR_ALONE = /^([01]?\d|2[0-3])$/

/** When a row was computed, by the Korean clock. The older form is the hour alone: the newest such hour that has begun. */
const computedClock: Clock = (published, zone, fetched_at) => {
  const text = String(published)
  if (!HOUR_ALONE.test(text)) return minuteClock(published, zone, fetched_at)
  const fetched = DateTime.fromISO(fetched_at, { zone: zoneOf(zone) })
  const today = fetched.startOf('day').set({ hour: Number(text) })
  const posted = today > fetched ? today.minus({ days: 1 }) : today
  return minuteClock(posted.toFormat('yyyy-MM-dd HH:mm'), zone, fetched_at)
}

/** Whether flights are handled at the hour of a row: without any, its numbers mean nothing. */
const IN_OPERATION = '1'
const Row = z.object({
  IATA_APCD: Name,
  PRC_HR: Anything,
  OPR_STS_CD: Text,
  STY_TCT_AVG_B: Anything,
  CGDR_B_LVL: Text,
})
type Row = z.output<typeof Row>

type Figures = (row: Row, report: NoticeReporter) => { wait_minutes: number | null; wait_text: string | null }

/** One reading a row of a known airport, the newest where an airport has several. */
function readingsOf(payload: WaitPayload, figuresOf: Figures) {
  const report = payload.report.at('response.body.items.item')
  const readings = readRows(rowsOf(payload.body), report, Row, (row, rowReport) => {
    const iata = row.IATA_APCD
    if (!payload.source.airports.includes(iata)) return reportUnexpectedAirport(iata, rowReport)
    const own = payload.forAirport(iata)
    const isOperating = row.OPR_STS_CD === IN_OPERATION
    return {
      ...own.unknownReading,
      terminal: TERMINAL,
      ...own.observedAt(row.PRC_HR, computedClock, rowReport.at('PRC_HR')),
      ...(isOperating && figuresOf(row, rowReport.about(iata))),
    }
  })
  return newestRowsByAirport(readings, payload)
}

/** `newestRows` knows queues of one airport. */
const newestRowsByAirport = (
  readings: ReturnType<WaitPayload['forAirport']>['unknownReading'][],
  payload: WaitPayload,
) =>
  payload.source.airports.flatMap((iata) =>
    newestRows(
      readings.filter((reading) => reading.iata === iata),
      payload.fetched_at,
      payload.report.about(iata),
    ),
  )

/**
 * Process times. Of its spans, B is from the check of documents to the end of security, in seconds as text; A (from check-in), C (to the
 * gate) and D (at the gate) are no queue at security. An empty text is no zero.
 */
export const kacProcessTime = waitCollector({
  id: 'kac-process-time',
  key_setting: 'data_go_kr_key',
  request: requests,
  read: (payload) =>
    readingsOf(payload, ({ STY_TCT_AVG_B: seconds }, report) => ({
      wait_minutes: seconds === '' ? null : readMinutes(seconds, 'seconds', report.at('STY_TCT_AVG_B')),
      wait_text: null,
    })),
})

/** How full the span B is. 0 is no information. */
const LEVELS: ReadonlyMap<string, string | null> = new Map([
  ['', null],
  ['0', null],
  ['1', 'smooth'],
  ['2', 'normal'],
  ['3', 'crowded'],
  ['4', 'very crowded'],
])

/** Congestion: a level and no minutes, kept as text. */
export const kacCongestion = waitCollector({
  id: 'kac-congestion',
  key_setting: 'data_go_kr_key',
  request: requests,
  read: (payload) =>
    readingsOf(payload, ({ CGDR_B_LVL: level }, report) => {
      const words = LEVELS.get(level)
      if (words === undefined) report.at('CGDR_B_LVL').warning('wait_text_unknown', 'The level is unknown.', level)
      return { wait_minutes: null, wait_text: words ?? null }
    }),
})
