import type { CheerioAPI } from 'cheerio'
import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { parseHtml, textIn } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { onlyAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** The page's two columns. Their class names are its own; the outer block has `nesclasser2` as its id as well. */
const SECTIONS = [
  { selector: '.nesclasser2', terminal: 'Domestic' },
  { selector: '.nesclasser1', terminal: 'International' },
]
const WAIT = '.declasser3 button span'

/** Atlanta's wait page. Its numbers appear only after its scripts have run, so a browser opens it (seen 2026-08). */
export const atl = waitCollector({
  id: 'atl',
  transport: 'browser',
  page: { wait_for: WAIT },
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: {}, body: null, iata: onlyAirport(source), timeout_ms: 45_000 },
  ],
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const readings = SECTIONS.flatMap(({ selector, terminal }) =>
      checkpointsIn($, selector).flatMap(({ name, heading, wait }, index) => {
        const report = payload.report.at(selector).at(index)
        // A bare "CHECKPOINT" names no lane; "PRECHECK ONLY CHECKPOINT" does.
        const words = heading.replace(/\b(checkpoint|closed|only)\b/gi, '').trim()
        const lane = words === '' ? 'all' : laneOfWord(words)
        if (lane === null) {
          report.warning('lane_unknown', 'The lane is unknown; its row is left out.', heading)
          return []
        }
        const posted = postedWait(wait, report)
        const status = /closed/i.test(heading) ? 'closed' : posted.status
        return [{ ...payload.unknownReading, terminal, checkpoint: name, lane, ...posted, status }]
      }),
    )
    if (readings.length === 0 && payload.report.notices.length === 0)
      throw new ParseError(WAIT, 'no checkpoint is on the page')
    return readings
  },
})

/** The innermost rows of a column: each has a name (h2), a heading (h3) and a number in a button. */
function checkpointsIn($: CheerioAPI, selector: string): { name: string; heading: string; wait: string }[] {
  return $(`${selector} .row`)
    .toArray()
    .filter((row) => $(row).find('.row').length === 0 && $(row).find('h2').length > 0)
    .map((row) => ({
      name: textIn($, row, 'h2'),
      heading: textOf($(row).find('h3').text()),
      wait: textIn($, row, WAIT),
    }))
}
