import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import { clockBefore } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** The Port Authority's older service, one list an airport: security (the same rows as its GraphQL feed) and customs halls. */
export const panynjRest: Collector<'readings'> = {
  id: 'panynj-rest',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const site = source.options[iata]
      if (typeof site !== 'string') return []
      const headers = { Accept: 'application/json', Origin: site, Referer: `${site}/` }
      return { url: `${source.url}/${iata}`, method: 'GET' as const, headers, body: null, iata }
    }),
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$').flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices))
    return finish(rows, notices, context)
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const terminal = isObject(row) ? textOf(row.terminal) : ''
  if (!isObject(row) || terminal === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A row names no terminal.', row, iata))
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const immigration = context.source.kind === 'immigration'
  const queueType = textOf(row.queueType)
  const lane = immigration || queueType === '' ? laneOfWord('all') : laneSaid(queueType, place('queueType'))
  if (lane === null) return []
  const zone = context.timezoneOf(iata)
  const said = row.updateTime ?? row.updateTimeText
  const time =
    isoClock(row.updateTime, zone, context.fetched_at) ??
    clockBefore(row.updateTime, zone, context.fetched_at) ??
    clockBefore(row.updateTimeText, zone, context.fetched_at)
  const status = textOf(row.status)
  return [
    {
      kind: immigration ? 'immigration' : 'security',
      iata,
      terminal,
      checkpoint: [textOf(row.checkPoint), textOf(row.gate) && `gates ${textOf(row.gate)}`].filter(Boolean).join(', '),
      lane,
      ...observedAt(time, said, context, place('updateTime')),
      wait_minutes: waitOf(row, status, place('timeInMinutes')),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: status === '' || status === 'Open' ? null : status,
      status:
        row.queueOpen === false || /^(closed|suspended)$/i.test(status)
          ? 'closed'
          : row.queueOpen === true || /^(open|no wait)$/i.test(status)
            ? 'open'
            : 'unknown',
    },
  ]
}

/** As in the GraphQL feed: "No Wait" without a number is zero, any other row without one has none. */
function waitOf(row: Record<string, unknown>, status: string, place: Parameters<typeof readMinutes>[2]): number | null {
  if (row.isWaitTimeAvailable !== false) return readMinutes(row.timeInMinutes, 'minutes', place)
  return status === 'No Wait' ? 0 : null
}
