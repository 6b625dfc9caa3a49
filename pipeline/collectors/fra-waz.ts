import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** Frankfurt: `status` holds "7 min" or "closed"; `kat` tells security from passport control and the rest of the list. */
export const fraWaz: Collector<'readings'> = {
  id: 'fra-waz',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(objectAt(jsonBody(body), '$').data, 'data')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `data[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  if (!isObject(row)) return rowUnreadable(row, { path, iata, notices })
  if (textOf(row.kat).toLowerCase() !== 'security checkpoint') return null
  const checkpoint = nameOf(row)
  if (checkpoint === '') return rowUnreadable(row, { path, iata, notices })
  // "TKS" are checkpoints for people who change planes.
  if (/transfer/i.test(checkpoint) || /TKS/.test(textOf(row.id))) return null
  return {
    kind: 'security',
    iata,
    terminal: textOf(row.t),
    checkpoint,
    lane: 'all',
    ...observedAt(isoClock(row.lu, context.timezoneOf(iata), context.fetched_at), row.lu, context, place('lu')),
    ...postedWait(textOf(row.status), place('status')),
  }
}

/** "Security checkpoint, Concourse A" and "Departure gates: A1 - A69" are two lines of one field. */
function nameOf(row: Record<string, unknown>): string {
  const lines =
    typeof row.ps === 'string'
      ? row.ps
          .split(/[\r\n]+/)
          .map(textOf)
          .filter(Boolean)
      : []
  return lines.join(', ') || textOf(row.st) || textOf(row.id)
}
