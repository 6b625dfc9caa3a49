import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'
import { wallClock } from '../parsing/wall-clock.ts'

const TERMINALS = ['1', '2']
/** OP open, NP not operating, CL closed. */
const STATUS: Record<string, ParsedReading['status']> = { OP: 'open', NP: 'closed', CL: 'closed' }

/** Incheon's departure halls, one row an entrance; a "-" is a hall that does not run, never a wait of 0. */
export const icn: Collector<'readings'> = {
  id: 'icn',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => TERMINALS.map((terminal) => askJson(`${source.url}?tmnlId=${terminal}`, iata))),
  parse: (body, context) => {
    const notices: Notice[] = []
    const answer = jsonBody(body)
    // A terminal without rows answers an empty object instead of an empty list.
    const rows = isObject(answer) && Object.keys(answer).length === 0 ? [] : listAt(answer, '$')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices) ?? []),
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
  const terminal = new URL(context.url).searchParams.get('tmnlId')
  const code = textOf(row.gateStts)
  const observed = wallClock(textOf(row.ocrTm), 'yyyyMMddHHmm', context.timezoneOf(iata), context.fetched_at)
  return {
    kind: 'security',
    iata,
    terminal: terminal === null ? '' : `T${terminal}`,
    checkpoint,
    lane: 'all',
    ...observedAt(observed, row.ocrTm, context, place('ocrTm')),
    ...postedWait(textOf(row.wtngTm), place('wtngTm')),
    status: Object.hasOwn(STATUS, code) ? (STATUS[code] ?? 'unknown') : 'unknown',
  }
}
