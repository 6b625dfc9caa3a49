import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import type { Lane } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { utcIsoClock } from '../parsing/clocks.ts'
import { textPieces } from '../parsing/html.ts'
import { Anything, List, matchShape, Name, readJson, readRows, rowsAt, Text, textOf } from '../parsing/json.ts'
import { knownLane, laneInName, lanesOfSharedWait } from '../parsing/lanes.ts'
import { type NoticeReporter, reportUnexpectedAirport } from '../parsing/notices.ts'
import { postedWait, readMinutes, statusOf } from '../parsing/posted-waits.ts'
import { jsonRequest, textOfEachAirport } from '../parsing/requests.ts'
import { type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'
import { NOT_LANES } from './sea-cwt.ts'

/** Third parties that gather the airports' own feeds. All are off: they state no terms. */

const TrayAirport = z.object({
  code: Text,
  scrapeError: Text,
  error: Text,
  lastScraped: Anything,
  checkpoints: Anything,
})
type TrayAirport = z.output<typeof TrayAirport>
/** One airport, or a snapshot of all of them; a snapshot calls its error `error`. */
const TrayAnswer = z.union([z.object({ airport: TrayAirport }), z.object({ airports: z.array(TrayAirport) })])
const TrayCheckpoint = z.object({
  name: Name,
  lanes: List,
  lastUpdated: Anything,
  waitMinutes: Anything,
  waitRangeMin: Anything,
  waitRangeMax: Anything,
  status: Anything,
})
type TrayCheckpoint = z.output<typeof TrayCheckpoint>

/**
 * An aggregator of US airports' own feeds, one request per airport (seen to 2026-08). Its route without an airport answers a
 * snapshot of all of them, which is read in the same way (seen from 2026-04 to 2026-07). For CLE it turns levels into 15, 30
 * and 35 minutes, which nobody measured: CLE is not among its airports here.
 */
export const fromTheTrayTable = waitCollector({
  id: 'fromthetraytable',
  request: ({ source, airports }) => airports.map((iata) => jsonRequest(`${source.url}/${iata}`, iata)),
  read: (payload) => {
    const answer = readJson(payload.body, TrayAnswer)
    if ('airport' in answer) return trayReadings(answer.airport, payload, payload.report.at('airport'))
    const { requested_iata } = payload
    return answer.airports.flatMap((airport, index) => {
      // A snapshot has every airport, whichever was requested.
      if (requested_iata !== null && airport.code !== requested_iata) return []
      return trayReadings(airport, payload, payload.report.at('airports').at(index))
    })
  },
})

/** The readings of one airport, whose part of the answer `report` names. */
function trayReadings(airport: TrayAirport, payload: WaitPayload, report: NoticeReporter): ParsedReading[] {
  const iata = airport.code
  const { requested_iata } = payload
  const isRequested = requested_iata === null ? payload.source.airports.includes(iata) : requested_iata === iata
  if (!isRequested) {
    reportUnexpectedAirport(iata, report.at('code'))
    return []
  }
  const airportPayload = payload.forAirport(iata)
  const airportReport = report.about(iata)
  const fault = airport.scrapeError || airport.error
  if (fault !== '') airportReport.info('source_reports_error', 'The source has no numbers of this airport.', fault)
  const checkpoints = matchShape(airport.checkpoints, rowsAt())
  return readRows(checkpoints, airportReport.at('checkpoints'), TrayCheckpoint, (checkpoint, rowReport) => {
    const minutes = (field: keyof TrayCheckpoint) => readMinutes(checkpoint[field], 'minutes', rowReport.at(field))
    const { name, status } = checkpoint
    const reading = {
      ...airportPayload.unknownReading,
      // Miami's passport control is among its checkpoints.
      kind: /\b(fis|customs|immigration)\b/i.test(name) ? ('immigration' as const) : ('security' as const),
      terminal: name.match(/^Terminal ([A-Z0-9]+)\b/)?.[1] ?? '',
      checkpoint: withoutLane(name),
      ...airportPayload.observedAt(
        checkpoint.lastUpdated ?? airport.lastScraped,
        utcIsoClock,
        rowReport.at('lastUpdated'),
      ),
      wait_minutes: minutes('waitMinutes'),
      wait_minutes_low: minutes('waitRangeMin'),
      wait_minutes_high: minutes('waitRangeMax'),
      status: statusOf(status, rowReport.at('status')),
    }
    return lanesOf(checkpoint, rowReport.at('lanes')).map((lane) => ({ ...reading, lane }))
  })
}

/** "Terminal 2 South (PreCheck)" without the lane in its brackets; other brackets are part of the name. */
function withoutLane(name: string): string {
  const bracket = name.match(/^(.+?) \(([^()]+)\)$/)
  return bracket?.[1] !== undefined && laneOfWord(bracket[2] ?? '') !== null ? bracket[1] : name
}

/** The lanes of the one number of a checkpoint. Without a list of lanes, the lane is in the brackets of the name. */
function lanesOf({ name, lanes }: TrayCheckpoint, report: NoticeReporter): Lane[] {
  const words = lanes.map(textOf).filter((word) => word !== '' && !NOT_LANES.has(word))
  if (words.length === 0) return [laneOfWord(name.match(/\(([^()]+)\)$/)?.[1] ?? '') ?? 'all']
  const known = words.flatMap((word) => knownLane(word, report) ?? [])
  return known.length === 0 ? [] : lanesOfSharedWait(new Set(known))
}

/** "Terminal Tom Bradley TSA PreCheck Queues: 2 4 mins wait", in one piece or several. */
const QSENSOR_ROW =
  /\b((?:All )?Terminals?(?: (?!Terminals?\b)[\w/-]+){0,7}?)(?: Queues: ?\d+)? (\d{1,4} ?mins?) wait\b/g

/** An aggregator that does not describe its method: its numbers are estimates. Options: its page of each airport. */
export const qsensor = waitCollector({
  id: 'qsensor',
  options: textOfEachAirport,
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const page = source.options[iata]
      if (typeof page !== 'string') return []
      return { url: `${source.url}/${page}/`, method: 'GET', headers: { Accept: 'text/html' }, body: null, iata }
    }),
  read: (payload) => {
    const text = textPieces(payload.body)
      .map((piece) => piece.text)
      .join(' ')
    if (!/\bmins? wait\b/i.test(text) && !/\bterminals?\b/i.test(text))
      throw new ParseError('body', 'the page names no terminal and no wait')
    return [...text.matchAll(QSENSOR_ROW)].map(([, name = '', minutes = ''], index) => {
      const { place, lane } = laneInName(name)
      return {
        ...payload.unknownReading,
        ...qsensorPlace(place),
        lane: lane ?? 'all',
        ...postedWait(minutes, payload.report.at('body').at(index)),
      }
    })
  },
})

/** "Terminals" is the whole airport, "Terminal Checkpoint BC" a checkpoint, "Terminal 2 Checkpoint 5" both. */
function qsensorPlace(place: string): { terminal: string; checkpoint: string } {
  if (/^(All )?Terminals$/.test(place)) return { terminal: '', checkpoint: '' }
  const match = place.match(/^Terminal (?!Checkpoint\b)(.+?)(?: (Checkpoint .+))?$/)
  if (match === null) return { terminal: '', checkpoint: place.replace(/^Terminal /, '') }
  return { terminal: match[1] ?? '', checkpoint: match[2] ?? '' }
}

const WaitportRow = z.object({ airport: Text, timestamp: Anything, queue: Anything })

/** An aggregator of ten European airports: the newest row per request, one number per airport, UTC (seen to 2026-08). */
export const waitport = waitCollector({
  id: 'waitport',
  request: ({ source, airports }) =>
    airports.map((iata) => jsonRequest(`${source.url}?airport=eq.${iata}&order=id.desc&limit=1`, iata)),
  read: (payload) =>
    payload.readJsonRows([], WaitportRow, (row, report) => {
      if (row.airport !== payload.iata) return reportUnexpectedAirport(row.airport, report.at('airport'))
      return {
        ...payload.unknownReading,
        ...payload.observedAt(row.timestamp, utcIsoClock, report.at('timestamp')),
        wait_minutes: readMinutes(row.queue, 'minutes', report.at('queue')),
      }
    }),
})
