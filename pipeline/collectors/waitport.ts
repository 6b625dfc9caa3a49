import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector } from '../parsing/collector.ts'
import { isoMs } from '../parsing/fields.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** An aggregator of ten European airports: the newest row a request, one number an airport, UTC (seen to 2026-08). */
export const waitport: Collector<'readings'> = {
  id: 'waitport',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.map((iata) => ({
      url: `${source.url}?airport=eq.${iata}&order=id.desc&limit=1`,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: null,
      iata,
    })),
  parse: (body, context) => {
    const notices: Notice[] = []
    const iata = airportOf(context)
    const rows = listAt(jsonBody(body), '$').flatMap((row, at): ParsedReading[] => {
      const path = `$[${at}]`
      if (!isObject(row)) {
        notices.push(notice('row_unreadable', 'warning', path, 'A row is no object.', row, iata))
        return []
      }
      if (textOf(row.airport) !== iata) {
        const message = 'A row is about an airport not asked for.'
        notices.push(notice('airport_unexpected', 'warning', `${path}.airport`, message, row.airport, iata))
        return []
      }
      const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
      const stamp = instantOf(isoMs(textOf(row.timestamp)))
      const queue = { kind: 'security' as const, iata, terminal: '', checkpoint: '', lane: 'all' as const }
      const nothing = { wait_minutes_low: null, wait_minutes_high: null, wait_text: null, status: 'unknown' as const }
      const observed = observedAt(stamp, row.timestamp, context, place('timestamp'))
      return [{ ...queue, ...observed, ...nothing, wait_minutes: readMinutes(row.queue, 'minutes', place('queue')) }]
    })
    return finish(rows, notices, context)
  },
}
