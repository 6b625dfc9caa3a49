import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'
import { observedAt } from '../parsing/observed.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** 424242 is O'Hare's "no value"; whatever is as large is no number of seconds in a queue (seen 2026-05 to 2026-08). */
const NO_VALUE_FROM = 400_000

/** Chicago O'Hare: a list of metrics in seconds, whose place and lane stand in dotted names (seen 2026-08, often empty). */
export const ordFlychicago: Collector<'readings'> = {
  id: 'ord-flychicago',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, source.airports[0] ?? null)],
  parse: (body, context) => {
    const iata = airportOf(context)
    const notices: Notice[] = []
    const metrics = listAt(jsonBody(body), '$').flatMap((row, at) => metricOf(row, `$[${at}]`, iata, notices))
    // An overview repeats a checkpoint that has a metric of its own.
    const own = new Set(metrics.filter(({ overview }) => !overview).map(({ terminal, name }) => terminal + name))
    const kept = metrics.filter(({ overview, terminal, name }) => !overview || !own.has(terminal + name))
    return finish(
      kept.map((metric) => readingOf(metric, context, iata, notices)),
      notices,
      context,
    )
  },
}

interface Metric {
  row: JsonObject
  path: string
  overview: boolean
  terminal: string
  name: string
  lane: Lane
}

/** "T2C5General…": terminal 2, checkpoint 5; a letter belongs to the checkpoint when another word follows ("C7AWait"). */
const PLACE = /[Tt](\d)[Cc](\d+(?:[A-Za-z](?=[A-Z]|$))?)(.*)$/

/** One part of the dotted name is the place. What passengers' screens show (`paxfacing`) repeats the others. */
function metricOf(row: unknown, path: string, iata: string, notices: Notice[]): Metric[] {
  const parts = isObject(row) ? textOf(row.name).split('.') : []
  if (parts.some((part) => part.toLowerCase() === 'paxfacing')) return []
  const segment = parts.find((part) => PLACE.test(part)) ?? ''
  const match = PLACE.exec(segment)
  if (!isObject(row) || match === null) {
    const message = 'A metric names no checkpoint in a form we know.'
    notices.push(notice('row_unreadable', 'info', path, message, isObject(row) ? row.name : row, iata))
    return []
  }
  const [, terminal = '', name = '', rest = ''] = match
  return [{ row, path, overview: /^overview/i.test(segment), terminal, name: `Checkpoint ${name}`, lane: laneIn(rest) }]
}

/** Where the name says no lane, the metric is of the whole checkpoint. */
function laneIn(rest: string): Lane {
  if (/precheck/i.test(rest)) return 'precheck'
  if (/priority/i.test(rest)) return 'priority'
  return /general/i.test(rest) ? 'standard' : 'all'
}

function readingOf(metric: Metric, context: ParseContext, iata: string, notices: Notice[]): ParsedReading {
  const { row, path, terminal, name, lane } = metric
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const seconds = Number(row.waitTimes)
  const absent = row.waitTimes !== null && seconds >= NO_VALUE_FROM
  if (absent)
    notices.push(
      notice('sentinel_value', 'info', `${path}.waitTimes`, 'A number stands for "not known".', row.waitTimes, iata),
    )
  const wait = absent ? null : readMinutes(row.waitTimes, 'seconds', place('waitTimes'))
  return {
    kind: 'security',
    iata,
    terminal,
    checkpoint: name,
    lane,
    ...observedAt(isoClock(row.t, 'UTC', context.fetched_at), row.t, context, place('t')),
    wait_minutes: wait,
    ...NO_BAND,
    // Here zero is the closed checkpoint's number.
    status: wait === 0 ? 'closed' : wait === null ? 'unknown' : 'open',
  }
}
