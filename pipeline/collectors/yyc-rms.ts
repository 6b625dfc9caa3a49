import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { jsonBody, objectAt, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { observedAt } from '../parsing/observed.ts'
import { pageRequest } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'
import { wallClock } from '../parsing/wall-clock.ts'

/**
 * Calgary's own feed, on port 8091: minutes as text by the name of the checkpoint, a local time without its zone. A
 * certificate that does not validate is a failed fetch, never overlooked (seen 2026-04).
 */
export const yycRms: Collector<'readings'> = {
  id: 'yyc-rms',
  lands: 'readings',
  transport: 'http',
  request: (context) => {
    const page = context.source.page_url ?? context.source.url
    return pageRequest(context, 'application/json').map((one) => ({
      ...one,
      headers: { ...one.headers, Origin: new URL(page).origin, Referer: page },
    }))
  },
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const waits = objectAt(answer.waittimes, 'waittimes')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const zone = context.timezoneOf(iata)
    // Six digits of a second's fraction; a clock needs three.
    const stamp = textOf(answer.updatedAt).replace(/(\.\d{3})\d+$/, '$1')
    const clock =
      wallClock(stamp, "yyyy-MM-dd'T'HH:mm:ss.SSS", zone, context.fetched_at) ??
      wallClock(stamp, "yyyy-MM-dd'T'HH:mm:ss", zone, context.fetched_at)
    const observed = observedAt(clock, answer.updatedAt, context, { path: 'updatedAt', iata, notices })
    const rows = Object.entries(waits).flatMap(([name, value]): ParsedReading[] => {
      const checkpoint = textOf(name)
      if (checkpoint === '') return []
      const wait = postedWait(textOf(value), { path: `waittimes.${checkpoint}`, iata, notices })
      return [{ kind: 'security', iata, terminal: '', checkpoint, lane: 'all', ...observed, ...wait }]
    })
    return finish(rows, notices, context)
  },
}
