import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { plainWait } from '../parsing/plain-wait.ts'
import { wallClock } from '../parsing/wall-clock.ts'

interface Timed {
  row: JsonObject
  path: string
  observed_at: string
}

/**
 * Helsinki: one row a period of the day, the coming ones included. Those are forecasts, so the newest row that is not
 * after the fetch is the reading; a row whose time cannot be read is none, because it may be of the future.
 */
export const helFinavia: Collector<'readings'> = {
  id: 'hel-finavia',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const notices: Notice[] = []
    const iata = airportOf(context)
    const list = listAt(objectAt(jsonBody(body), '$').SecDepartureHall, 'SecDepartureHall')
    const newest = list
      .flatMap((row, at) => timed(row, `SecDepartureHall[${at}]`, context, notices) ?? [])
      .filter(({ observed_at }) => Date.parse(observed_at) <= Date.parse(context.fetched_at))
      .reduce<Timed | null>((best, one) => (best && best.observed_at >= one.observed_at ? best : one), null)
    if (newest === null) return finish([], notices, context)
    const { row, path, observed_at } = newest
    const place = { path: `${path}.averageWaitingTime`, iata, notices }
    const open = row.securityLaneOpen
    const reading = {
      kind: 'security' as const,
      iata,
      terminal: '',
      checkpoint: 'Departure security',
      lane: 'all' as const,
      observed_at,
      observed_at_basis: 'source' as const,
      ...plainWait(
        readMinutes(row.averageWaitingTime, 'minutes', place),
        open === true ? 'open' : open === false ? 'closed' : 'unknown',
      ),
    }
    return finish([reading], notices, context)
  },
}

function timed(row: unknown, path: string, context: ParseContext, notices: Notice[]): Timed | null {
  const iata = airportOf(context)
  if (!isObject(row)) return rowUnreadable(row, { path, iata, notices })
  const text = `${textOf(row.messageDate)} ${textOf(row.messageTime)}`
  const zone = context.timezoneOf(iata)
  const observed_at =
    wallClock(text, 'd.M.yyyy H:mm', zone, context.fetched_at) ??
    wallClock(text, 'd.M.yyyy H:mm:ss', zone, context.fetched_at)
  if (observed_at !== null) return { row, path, observed_at }
  const message = 'The time of a row cannot be read; it may be a forecast, so it is left out.'
  notices.push(notice('time_unreadable', 'warning', `${path}.messageTime`, message, text, iata))
  return null
}
