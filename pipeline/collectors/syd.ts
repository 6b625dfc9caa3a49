import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'
import { wallClock } from '../parsing/wall-clock.ts'

/** Sydney: minutes per terminal. Off, because the site's terms forbid automated retrieval; it reads what an operator may. */
export const syd: Collector<'readings'> = {
  id: 'syd',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const notices: Notice[] = []
    return finish(
      listAt(jsonBody(body), '$').flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const terminal = isObject(row) ? textOf(row.terminal) : ''
  if (!isObject(row) || terminal === '' || !isObject(row.data)) return rowUnreadable(row, { path, iata, notices })
  const { date, refreshtime, value } = row.data
  const place = (field: string) => ({ path: `${path}.data.${field}`, iata, notices })
  const text = `${textOf(date)} ${textOf(refreshtime)}`.trim()
  const observed = wallClock(text, 'yyyy-MM-dd H:mm:ss', context.timezoneOf(iata), context.fetched_at)
  return {
    kind: 'security',
    iata,
    terminal: terminal.replace(/^Terminal (?=\d)/, 'T'),
    checkpoint: 'Security',
    lane: 'all',
    ...observedAt(observed, text, context, place('refreshtime')),
    ...plainWait(readMinutes(value, 'minutes', place('value'))),
  }
}
