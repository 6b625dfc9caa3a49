import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { readMinutesText } from '../parsing/minutes-text.ts'
import { inRange, readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** The list that Swedavia's own pages read, without a key: seconds, and PascalCase names until 2023. */
export const swedavia: Collector<'readings'> = {
  id: 'swedavia',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) => airports.map((iata) => askJson(`${source.url}/${iata}/true`, iata)),
  parse: (body, context) => {
    const answer = camelCased(objectAt(jsonBody(body), '$'))
    const notices: Notice[] = []
    const rows = listAt(answer.queueTimesList, 'queueTimesList')
    if (answer.queueTimesDisabled === true) {
      const message = 'The source says that it shows no waits now.'
      const said = textOf(answer.queueTimesReplacementMessage)
      notices.push(notice('source_paused', 'info', 'queueTimesDisabled', message, said, airportOf(context)))
      return finish([], notices, context)
    }
    return finish(
      rows.flatMap((row, at) => parseRow(row, `queueTimesList[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(raw: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const row = isObject(raw) ? camelCased(raw) : {}
  const checkpoint = textOf(row.displayNameEnglish) || textOf(row.displayName) || textOf(row.name)
  if (checkpoint === '') return rowUnreadable(raw, { path, iata, notices })
  if (row.isDisabled === true) return null
  const terminal = Array.isArray(row.terminalId) ? textOf(row.terminalId[0]) : ''
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const said = textOf(row.interval)
  const interval = readMinutesText(said)
  const overflows = row.overflow === true
  return {
    kind: 'security',
    iata,
    terminal,
    checkpoint,
    lane: row.isFastTrack === true ? 'priority' : 'standard',
    ...observedAt(null, null, context, place('interval')),
    // A queue beyond the sensors: 960 s stood beside "at least 25 min" (seen 2026-08), so only the bound is true.
    wait_minutes: overflows
      ? null
      : readMinutes(row.currentProjectedQueueTime, 'seconds', place('currentProjectedQueueTime')),
    wait_minutes_low: inRange(interval.wait_minutes_low, said, place('interval')),
    wait_minutes_high: overflows ? null : inRange(interval.wait_minutes_high, said, place('interval')),
    wait_text: said === '' ? null : said,
    status: row.isStationClosed === true ? 'closed' : row.isStationClosed === false ? 'open' : 'unknown',
  }
}

function camelCased(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  )
}
