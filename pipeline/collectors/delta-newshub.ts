import { ParseError } from '../../config/errors.ts'
import type { Lane } from '../../config/vocabulary.ts'
import { usClock } from '../parsing/clocks.ts'
import { cellTexts, parseHtml } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { observedAt, waitCollector } from '../parsing/wait-collector.ts'

const BLOCK = 'div.airport-wait-times-airport'
const UPDATED = '.airport-wait-times__updated'

/** Delta's page for its hubs: a block per airport, a table per section; the third cell says open, closed or PreCheck (seen to 2026-08). */
export const deltaNewshub = waitCollector({
  id: 'delta-newshub',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const blocks = $(BLOCK).toArray()
    if (blocks.length === 0) throw new ParseError(BLOCK, 'the page has no airport')
    const updated = textOf($(UPDATED).first().text())
    // Airports of two zones share one time: only a time that names its zone can be read.
    const instant = usClock(updated, null, payload.fetched_at)
    const observation = observedAt(instant, updated, payload.fetched_at, payload.report.about(null).at(UPDATED))
    return blocks.flatMap((block, number) => {
      // The site's own stand-in for an airport that it could not read.
      if ($(block).hasClass('airport-wait-times-airport--fallback')) return []
      const blockReport = payload.report.about(null).at(BLOCK).at(number)
      const iata = textOf($(block).text()).match(/\(([A-Z]{3})\)/)?.[1]
      if (iata === undefined || !payload.source.airports.includes(iata)) {
        blockReport.info('airport_unexpected', 'The block is about an airport that was not requested.', iata)
        return []
      }
      const rows = $(block).find('table tr').toArray()
      return rows.flatMap((row, index) => {
        const [checkpoint = '', wait = '', state = ''] = cellTexts($, row)
        if (checkpoint === '') return []
        const section = textOf($(row).closest('table').prevAll('h4').first().text())
        const posted = postedWait(wait, payload.report.about(iata).at(`${BLOCK}[${number}] tr[${index}]`))
        return [
          {
            ...payload.forAirport(iata).unknownReading,
            terminal: checkpoint.match(/^T\d\b/)?.[0] ?? section,
            checkpoint,
            lane: laneOfState(state),
            ...observation,
            ...posted,
            status: /closed/i.test(state) ? 'closed' : posted.status,
          },
        ]
      })
    })
  },
})

/** A state names a lane only where it is PreCheck alone; "Open" names none. */
function laneOfState(state: string): Lane {
  return /pre.?check/i.test(state) && !/\b(general|standard|all)\b/i.test(state) ? 'precheck' : 'all'
}
