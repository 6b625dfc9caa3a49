import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { wallClock } from '../parsing/wall-clock.ts'

/** Vancouver's own feed: seconds as text, and a long English date in local time (seen 2026-04). */
export const yvrCatsa: Collector<'readings'> = {
  id: 'yvr-catsa',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    askJson(source.url, source.airports[0] ?? null, { Referer: source.page_url ?? source.url }),
  ],
  parse: (body, context) => {
    const notices: Notice[] = []
    const list = listAt(objectAt(jsonBody(body), '$').value, 'value')
    const rows = list.flatMap((row, at) => parseRow(row, `value[${at}]`, context, notices))
    return finish(rows, notices, context)
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.Terminal) : ''
  if (!isObject(row) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A row has no name.', row, iata))
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const zone = context.timezoneOf(iata)
  const clock = wallClock(row.LastUpdatedDate, 'EEEE, dd MMMM yyyy HH:mm:ss', zone, context.fetched_at)
  return [
    {
      kind: 'security',
      iata,
      terminal: '',
      checkpoint,
      lane: 'all',
      ...observedAt(clock, row.LastUpdatedDate, context, place('LastUpdatedDate')),
      wait_minutes: row.WaitTime === '' ? null : readMinutes(row.WaitTime, 'seconds', place('WaitTime')),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: null,
      status: 'unknown',
    },
  ]
}
