import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, objectAt, textOf } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { NO_BAND } from '../parsing/no-band.ts'
import { observedAt } from '../parsing/observed.ts'

/** A maker of airport maps: its places of interest, by id, with the queues of those that are checkpoints (seen 2026-08). */
export const locuslabs: Collector<'readings'> = {
  id: 'locuslabs',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.map((iata) => ({
      url: `${source.url}/${iata.toLowerCase()}/dynamic-poi`,
      method: 'GET' as const,
      headers: { Accept: 'application/json' },
      body: null,
      iata,
    })),
  parse: (body, context) => {
    const places = objectAt(objectAt(jsonBody(body), '$').data, 'data')
    const notices: Notice[] = []
    return finish(
      Object.entries(places).flatMap(([id, poi]) => parsePlace(poi, `data.${id}`, context, notices)),
      notices,
      context,
    )
  },
}

function parsePlace(poi: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  // Shops, gates and lifts stand in the same list.
  if (!isObject(poi) || poi.category !== 'security.checkpoint') return []
  const live = isObject(poi.dynamicData) && isObject(poi.dynamicData.queue) ? poi.dynamicData.queue : null
  const checkpoint = textOf(poi.name)
  if (live === null || checkpoint === '') {
    notices.push(notice('row_unreadable', 'info', path, 'A checkpoint has no name or no queue.', poi.name, iata))
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const lane = laneSaid(isObject(poi.queue) ? textOf(poi.queue.queueSubtype) : '', place('queue.queueSubtype'))
  if (lane === null) return []
  const filler = live.isQueueTimeDefault === true
  if (filler)
    notices.push(
      notice('wait_is_default', 'info', path, 'A wait is a filler, not a measurement.', live.queueTime, iata),
    )
  const time = live.timestamp ?? poi.timestamp
  const closed = poi.isClosed === true || poi.isTemporarilyClosed === true
  return [
    {
      kind: 'security',
      iata,
      terminal: '',
      checkpoint,
      lane,
      ...observedAt(instantOf(time), time, context, place('timestamp')),
      wait_minutes: filler ? null : readMinutes(live.queueTime, 'minutes', place('dynamicData.queue.queueTime')),
      ...NO_BAND,
      status: closed ? 'closed' : poi.isClosed === false ? 'open' : 'unknown',
    },
  ]
}
