import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { postedWait } from '../parsing/posted.ts'

/**
 * Portland: four counters, side and lane in one word. `DisplayText` is the wait; the dwell and occupancy numbers beside it
 * are other quantities (224 next to a displayed 8; seen 2026-07 and 2026-08).
 */
export const pdxTsa: Collector<'readings'> = {
  id: 'pdx-tsa',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, source.airports[0] ?? null, { 'X-Requested-With': 'XMLHttpRequest' })],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const notices: Notice[] = []
    const counters = listAt(answer.WaitTimes, 'WaitTimes')
    return finish(
      counters.flatMap((row, at) => parseCounter(row, answer, `WaitTimes[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

function parseCounter(
  row: unknown,
  answer: JsonObject,
  path: string,
  context: ParseContext,
  notices: Notice[],
): ParsedReading[] {
  const iata = airportOf(context)
  const counter = isObject(row) ? textOf(row.CounterName) : ''
  const [, side = '', words = ''] = counter.match(/^(North|South)(\w+)$/) ?? []
  if (!isObject(row) || side === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A counter names no checkpoint that we know.', row, iata))
    return []
  }
  const lane = laneSaid(words, { path: `${path}.CounterName`, iata, notices })
  if (lane === null) return []
  const posted = postedWait(textOf(row.DisplayText), { path: `${path}.DisplayText`, iata, notices })
  const closed = answer[`${side}CheckpointClosed`]
  return [
    {
      kind: 'security',
      iata,
      terminal: '',
      checkpoint: side,
      lane,
      observed_at: context.fetched_at,
      observed_at_basis: 'fetch',
      ...posted,
      status: closed === true ? 'closed' : closed === false ? posted.status : 'unknown',
    },
  ]
}
