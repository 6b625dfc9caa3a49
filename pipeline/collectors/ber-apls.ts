import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** Berlin: a band of minutes per security control, no time of observation. It refuses addresses of data centres. */
export const berApls: Collector<'readings'> = {
  id: 'ber-apls',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const rows = listAt(objectAt(objectAt(jsonBody(body), '$').data, 'data')['apls-data'], 'data.apls-data')
    const notices: Notice[] = []
    return finish(
      rows.flatMap((row, at) => parseRow(row, `data.apls-data[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  if (!isObject(row) || textOf(row.terminal) === '') return rowUnreadable(row, { path, iata, notices })
  const label = textOf(row.workload_label)
  const says = (code: string, word: RegExp) => textOf(row.workload).toUpperCase() === code || word.test(label)
  // "Runway" is a lane by reservation: its wait is not what somebody who just comes will meet.
  if (says('R', /runway/i)) return null
  const control = textOf(row.security_control)
  const minutes = (field: string) => readMinutes(row[field], 'minutes', place(field))
  const low = minutes('low_minutes')
  const high = minutes('high_minutes')
  return {
    kind: 'security',
    iata,
    terminal: textOf(row.terminal),
    checkpoint: control === '' || control === '0' ? 'Security' : `Security ${control}`,
    lane: says('P', /priority/i) ? 'priority' : 'standard',
    ...observedAt(null, null, context, place('workload')),
    wait_minutes: null,
    wait_minutes_low: low,
    wait_minutes_high: high,
    wait_text: label === '' ? null : label,
    status: says('C', /closed/i) ? 'closed' : low === null && high === null ? 'unknown' : 'open',
  }
}
