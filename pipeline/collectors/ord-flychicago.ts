import { z } from 'zod'
import type { Lane } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { utcIsoClock } from '../parsing/clocks.ts'
import { numberOf } from '../parsing/flags-and-ages.ts'
import { Anything, readJson, rowsAt, textOf } from '../parsing/json.ts'
import { type NoticeReporter, reportSentinel } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, onlyAirport } from '../parsing/requests.ts'
import { type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

/** 424242 is O'Hare's "no value"; no queue takes as many seconds as this (seen 2026-05 to 2026-08). */
const NO_VALUE_FROM = 400_000

/** Chicago O'Hare: a list of metrics in seconds, with place and lane in dotted names (seen 2026-08, often empty). */
export const ordFlychicago = waitCollector({
  id: 'ord-flychicago',
  request: ({ source }) => [jsonRequest(source.url, onlyAirport(source))],
  read: (payload) => {
    const rows = readJson(payload.body, rowsAt())
    const metrics = rows.flatMap((row, index) => metricOf(row, payload.report.at(index)) ?? [])
    // An overview repeats a checkpoint that has a metric of its own.
    const queueOf = ({ terminal, checkpoint }: Metric) => `${terminal} ${checkpoint}`
    const detailed = new Set(metrics.filter(({ is_overview }) => !is_overview).map(queueOf))
    const used = metrics.filter((metric) => !metric.is_overview || !detailed.has(queueOf(metric)))
    return used.map((metric) => readingOf(metric, payload))
  },
})

const Row = z.object({ name: Anything, waitTimes: Anything, t: Anything })

interface Metric {
  row: z.output<typeof Row>
  report: NoticeReporter
  is_overview: boolean
  terminal: string
  checkpoint: string
  lane: Lane
}

/** "T2C5General…": terminal 2, checkpoint 5; a letter belongs to the checkpoint when another word follows ("C7AWait"). */
const PLACE = /[Tt](\d)[Cc](\d+(?:[A-Za-z](?=[A-Z]|$))?)(.*)$/

/** One part of the dotted name is the place. The metrics of passengers' screens (`paxfacing`) repeat the others. */
function metricOf(published: unknown, report: NoticeReporter): Metric | null {
  const { data: row } = Row.safeParse(published)
  const parts = textOf(row?.name).split('.')
  if (parts.some((part) => part.toLowerCase() === 'paxfacing')) return null
  const segment = parts.find((part) => PLACE.test(part)) ?? ''
  const match = PLACE.exec(segment)
  if (row === undefined || match === null)
    return report.info(
      'row_unreadable',
      'The metric names no checkpoint in a known form.',
      row === undefined ? published : row.name,
    )
  const [, terminal = '', number = '', rest = ''] = match
  return {
    row,
    report,
    is_overview: /^overview/i.test(segment),
    terminal,
    checkpoint: `Checkpoint ${number}`,
    lane: laneIn(rest),
  }
}

/** A metric whose name has no lane is of the whole checkpoint. */
function laneIn(rest: string): Lane {
  if (/precheck/i.test(rest)) return 'precheck'
  if (/priority/i.test(rest)) return 'priority'
  return /general/i.test(rest) ? 'standard' : 'all'
}

function readingOf({ row, report, terminal, checkpoint, lane }: Metric, payload: WaitPayload): ParsedReading {
  const waitReport = report.at('waitTimes')
  const isMissing = (numberOf(row.waitTimes) ?? 0) >= NO_VALUE_FROM
  const wait_minutes = isMissing
    ? reportSentinel(row.waitTimes, waitReport)
    : readMinutes(row.waitTimes, 'seconds', waitReport)
  // Zero is the number of a closed checkpoint here.
  const statusByWait = wait_minutes === 0 ? 'closed' : 'open'
  return {
    ...payload.unknownReading,
    terminal,
    checkpoint,
    lane,
    ...payload.observedAt(row.t, utcIsoClock, report.at('t')),
    wait_minutes,
    status: wait_minutes === null ? 'unknown' : statusByWait,
  }
}
