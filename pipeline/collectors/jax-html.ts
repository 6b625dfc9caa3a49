import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { postedWait } from '../parsing/posted.ts'

/** Jacksonville's page: a label and a bold estimate a lane, "less than a min" or "7 min" (seen 2026-05 to 2026-08). */
export const jaxHtml: Collector<'readings'> = {
  id: 'jax-html',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'text/html' }, body: null, iata: source.airports[0] ?? null },
  ],
  parse: (body, context) => {
    const $ = htmlBody(body)
    const iata = airportOf(context)
    const notices: Notice[] = []
    const labels = $('div.label').toArray()
    if (labels.length === 0) throw new ParseError('div.label', 'the page has no lane')
    const rows = labels.flatMap((label, at): ParsedReading[] => {
      const place = { path: `div.label[${at}]`, iata, notices }
      const words = textOf($(label).text())
      const lane = laneOfWord(words)
      if (lane === null) {
        notices.push(
          notice('lane_unknown', 'warning', place.path, 'A lane is new to us; its row is left out.', words, iata),
        )
        return []
      }
      const wait = textOf($(label).nextUntil('div.label').filter('div.time').find('span.bold').first().text())
      const observed = { observed_at: context.fetched_at, observed_at_basis: 'fetch' as const }
      return [{ kind: 'security', iata, terminal: '', checkpoint: '', lane, ...observed, ...postedWait(wait, place) }]
    })
    return finish(rows, notices, context)
  },
}
