import type { Lane } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { observedAt } from '../parsing/observed.ts'
import { pageRequest } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'
import { usClock } from '../parsing/us-clock.ts'

const BLOCK = 'div.airport-wait-times-airport'
const STAMP = '.airport-wait-times__updated'

/** Delta's page for its hubs: a block an airport, a table a section; the third cell says open, closed or PreCheck (seen to 2026-08). */
export const deltaNewshub: Collector<'readings'> = {
  id: 'delta-newshub',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const blocks = $(BLOCK).toArray()
    if (blocks.length === 0) throw new ParseError(BLOCK, 'the page has no airport')
    const notices: Notice[] = []
    const stamp = textOf($(STAMP).first().text())
    // Airports of two zones share one time: only a time that names its zone can be read.
    const clock = usClock(stamp, null, context.fetched_at)
    const observed = observedAt(clock, stamp, context, { path: STAMP, iata: null, notices })
    const rows = blocks.flatMap((block, number) => {
      // The site's own stand-in for an airport that it could not read.
      if ($(block).hasClass('airport-wait-times-airport--fallback')) return []
      const iata = textOf($(block).text()).match(/\(([A-Z]{3})\)/)?.[1]
      if (iata === undefined || !context.source.airports.includes(iata)) {
        const message = 'A block is about an airport not asked for.'
        notices.push(notice('airport_unexpected', 'info', `${BLOCK}[${number}]`, message, iata, null))
        return []
      }
      return $(block)
        .find('table tr')
        .toArray()
        .flatMap((row, at): ParsedReading[] => {
          const cells = $(row)
            .find('td')
            .toArray()
            .map((cell) => textOf($(cell).text()))
          const [checkpoint = '', posted = '', state = ''] = cells
          if (checkpoint === '') return []
          const place = { path: `${BLOCK}[${number}] tr[${at}]`, iata, notices }
          const section = textOf($(row).closest('table').prevAll('h4').first().text())
          const terminal = checkpoint.match(/^T\d\b/)?.[0] ?? section
          const wait = postedWait(posted, place)
          const status = /closed/i.test(state) ? ('closed' as const) : wait.status
          const lane = laneOfState(state)
          return [{ kind: 'security', iata, terminal, checkpoint, lane, ...observed, ...wait, status }]
        })
    })
    return finish(rows, notices, context)
  },
}

/** A state names a lane only where it is PreCheck alone; "Open" says nothing of lanes. */
function laneOfState(state: string): Lane {
  return /pre.?check/i.test(state) && !/\b(general|standard|all)\b/i.test(state) ? 'precheck' : 'all'
}
