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
import { isoClock } from '../parsing/wall-clock.ts'

/** Swedavia's documented API: minutes, UTC times; needs the operator's own free key. A 0 is a real and common wait. */
export const swedaviaKeyed: Collector<'readings'> = {
  id: 'swedavia-keyed',
  lands: 'readings',
  transport: 'http',
  key_setting: 'swedavia_key',
  request: ({ source, airports, learned_keys: learnt }) =>
    airports.map((iata) =>
      askJson(
        `${source.url}/${iata}`,
        iata,
        learnt.operator_key === undefined ? {} : { 'Ocp-Apim-Subscription-Key': learnt.operator_key },
      ),
    ),
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(objectAt(jsonBody(body), '$').waitTimes, 'waitTimes')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `waitTimes[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const name = isObject(row) ? textOf(row.queueName) : ''
  if (!isObject(row) || name === '') return rowUnreadable(row, { path, iata, notices })
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const wait = readMinutes(row.currentProjectedWaitTime, 'minutes', place('currentProjectedWaitTime'))
  // A queue beyond the sensors is at least as long as what they see.
  const overflows = row.overflow === true
  return {
    kind: 'security',
    iata,
    terminal: textOf(row.terminal),
    checkpoint: name.replace(/\s+fast ?track$/i, ''),
    lane: row.isFastTrack === true ? 'priority' : 'standard',
    ...observedAt(isoClock(row.currentTime, 'utc', context.fetched_at), row.currentTime, context, place('currentTime')),
    wait_minutes: overflows ? null : wait,
    wait_minutes_low: overflows ? wait : null,
    wait_minutes_high: null,
    wait_text: null,
    status: 'unknown',
  }
}
