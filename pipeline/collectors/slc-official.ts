import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'
import { statusSaid } from '../parsing/status-said.ts'

/**
 * Salt Lake City: one estimate for the whole airport, and whether each PreCheck lane is open (payloads of 2026-04).
 * JSON, though served as text/html. Its hourly forecast is not read: it is no observation.
 */
export const slcOfficial: Collector<'readings'> = {
  id: 'slc-official',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: '*/*' }, body: null, iata: source.airports[0] ?? null },
  ],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const iata = airportOf(context)
    const notices: Notice[] = []
    if (textOf(answer.code) !== iata) {
      const message = 'The answer names another airport than the one asked for.'
      notices.push(notice('airport_unexpected', 'warning', 'code', message, answer.code, iata))
      return { readings: [], notices }
    }
    const fetched = { observed_at: context.fetched_at, observed_at_basis: 'fetch' as const }
    const airport: ParsedReading = {
      kind: 'security',
      iata,
      terminal: '',
      checkpoint: '',
      lane: 'standard',
      ...fetched,
      wait_minutes: readMinutes(answer.rightnow, 'minutes', { path: 'rightnow', iata, notices }),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: textOf(answer.rightnow_description) || null,
      status: 'unknown',
    }
    return finish([airport, ...precheckLanes(answer.precheck_checkpoints, context, iata, notices)], notices, context)
  },
}

function precheckLanes(terminals: unknown, context: ParseContext, iata: string, notices: Notice[]): ParsedReading[] {
  return Object.entries(isObject(terminals) ? terminals : {}).flatMap(([terminal, checkpoints]) => {
    const path = `precheck_checkpoints.${terminal}`
    if (!isObject(checkpoints)) {
      notices.push(notice('row_unreadable', 'warning', path, 'A terminal lists no checkpoints.', checkpoints, iata))
      return []
    }
    return Object.entries(checkpoints).map(
      ([checkpoint, said]): ParsedReading => ({
        kind: 'security',
        iata,
        terminal,
        checkpoint,
        lane: 'precheck',
        observed_at: context.fetched_at,
        observed_at_basis: 'fetch',
        wait_minutes: null,
        ...NO_BAND,
        status: statusSaid(said),
      }),
    )
  })
}
