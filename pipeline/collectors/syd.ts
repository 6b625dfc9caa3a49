import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { Collector, ParseContext } from '../collector.ts'
import { airportOf } from './wording/airport.ts'
import { askJson } from './wording/ask.ts'
import { isObject, jsonBody, listAt, textOf } from './wording/body.ts'
import { finish } from './wording/finish.ts'
import { rowUnreadable } from './wording/left-out.ts'
import { readMinutes } from './wording/minutes-value.ts'
import { observedAt } from './wording/observed.ts'
import { plainWait } from './wording/plain-wait.ts'
import { wallClock } from './wording/wall-clock.ts'

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
