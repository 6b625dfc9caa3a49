import type { Lane } from '../../config/domain.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson, fromPage } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { fillersNoted, rowUnreadable, saysStale } from '../parsing/left-out.ts'
import { type Place, readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** Controls that are known not to be a general lane (Palma's fast track, seen 2026-03); names are in another list. */
const LANES: Record<string, Lane> = { LEPA_S0003: 'priority' }

/**
 * AENA's indoor maps, asked by ICAO code: seconds per access control. A 0 is "not known", with a default beside it that
 * is no measurement; after `expires` the number does not hold any more.
 */
export const aenaIndoor: Collector<'readings'> = {
  id: 'aena-indoor',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports, icaoOf }) =>
    airports.flatMap((iata) => {
      const icao = icaoOf(iata)
      if (icao === null) return []
      return askJson(`${source.url}/${icao}/accesscontrols`, iata, fromPage(source.page_url ?? source.url))
    }),
  parse: (body, context) => {
    const notices: Notice[] = []
    const rows = listAt(jsonBody(body), '$')
    const defaults = rows.filter((row) => isObject(row) && row.last_wait_s === 0).length
    fillersNoted(defaults, { path: '$[].default_wait_s', iata: airportOf(context), notices })
    return finish(
      rows.flatMap((row, at) => parseRow(row, `$[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const id = isObject(row) ? textOf(row.id) : ''
  if (!isObject(row) || id === '') return rowUnreadable(row, { path, iata, notices })
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const known = row.last_wait_s !== 0 && holds(row.expires, context, place('expires'))
  return {
    kind: 'security',
    iata,
    terminal: '',
    checkpoint: id.replace(/^[A-Z]{4}_/, ''),
    lane: Object.hasOwn(LANES, id) ? (LANES[id] ?? 'all') : 'all',
    ...observedAt(null, null, context, place('expires')),
    ...plainWait(known ? readMinutes(row.last_wait_s, 'seconds', place('last_wait_s')) : null),
  }
}

/** Whether a number still holds at the fetch. One whose end cannot be read does not: it may be of any age. */
function holds(expires: unknown, context: ParseContext, place: Place): boolean {
  const end = isoClock(expires, 'utc', context.fetched_at)
  if (end !== null && Date.parse(end) >= Date.parse(context.fetched_at)) return true
  saysStale(expires ?? null, place)
  return false
}
