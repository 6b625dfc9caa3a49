import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { observedAt } from '../parsing/observed.ts'
import { wallClock } from '../parsing/wall-clock.ts'

const TERMINALS: Record<string, string> = { P01: 'T1', P03: 'T2' }

/**
 * The state's open-data feed of Incheon. Its wait is of security and immigration together, and kinds are never mixed: it
 * is kept as text. Errors come as XML even when JSON was asked for.
 */
export const icnDatagokr: Collector<'readings'> = {
  id: 'icn-datagokr',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(`${source.url}?_type=json`, null)],
  parse: (body, context) => {
    const response = objectAt(objectAt(jsonBody(body), '$').response, 'response')
    const header = objectAt(response.header, 'response.header')
    if (textOf(header.resultCode) !== '00')
      throw new ParseError('response.header.resultCode', `is an error: ${textOf(header.resultMsg).slice(0, 100)}`)
    const notices: Notice[] = []
    const rows = listAt(objectAt(response.body, 'response.body').items, 'response.body.items')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `response.body.items[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const checkpoint = isObject(row) ? textOf(row.gateId) : ''
  if (!isObject(row) || checkpoint === '') return rowUnreadable(row, { path, iata, notices })
  const terminal = textOf(row.terminalId)
  const wait = textOf(row.waitTime)
  const observed = wallClock(textOf(row.occurtime), 'yyyyMMddHHmmss', context.timezoneOf(iata), context.fetched_at)
  return {
    kind: 'security',
    iata,
    terminal: Object.hasOwn(TERMINALS, terminal) ? (TERMINALS[terminal] ?? terminal) : terminal,
    checkpoint,
    lane: 'all',
    ...observedAt(observed, row.occurtime, context, place('occurtime')),
    wait_minutes: null,
    wait_minutes_low: null,
    wait_minutes_high: null,
    wait_text: wait === '' ? null : `${wait} min with immigration`,
    status: 'unknown',
  }
}
