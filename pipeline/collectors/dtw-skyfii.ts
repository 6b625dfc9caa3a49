import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'

/** Detroit: one number a terminal, with neither lane, status nor time; it may take half a minute to answer (seen 2026-07). */
export const dtwSkyfii: Collector<'readings'> = {
  id: 'dtw-skyfii',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    {
      url: source.url,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: null,
      iata: source.airports[0] ?? null,
      timeout_ms: 45_000,
    },
  ],
  parse: (body, context) => {
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$').flatMap((row, at): ParsedReading[] => {
      const terminal = isObject(row) ? textOf(row.Name) : ''
      if (!isObject(row) || terminal === '') {
        notices.push(notice('row_unreadable', 'warning', `$[${at}]`, 'A terminal has no name.', row, iata))
        return []
      }
      return [
        {
          kind: 'security',
          iata,
          terminal,
          checkpoint: '',
          lane: 'all',
          observed_at: context.fetched_at,
          observed_at_basis: 'fetch',
          wait_minutes: readMinutes(row.WaitTime, 'minutes', { path: `$[${at}].WaitTime`, iata, notices }),
          ...NO_BAND,
          status: 'unknown',
        },
      ]
    })
    return finish(rows, notices, context)
  },
}
