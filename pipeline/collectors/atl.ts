import type { CheerioAPI } from 'cheerio'
import type { Lane } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { postedWait } from '../parsing/posted.ts'

/** The page's two columns. Their class names are its own; the outer block has `nesclasser2` as its id as well. */
const SECTIONS = [
  { selector: '.nesclasser2', terminal: 'Domestic' },
  { selector: '.nesclasser1', terminal: 'International' },
]
const WAIT = '.declasser3 button span'

/** Atlanta's wait page. Its numbers appear only after its scripts have run, so it is read by a browser (seen 2026-08). */
export const atl: Collector<'readings'> = {
  id: 'atl',
  lands: 'readings',
  transport: 'browser',
  page: { wait_for: WAIT, keep: 'html' },
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: {}, body: null, iata: source.airports[0] ?? null, timeout_ms: 45_000 },
  ],
  parse: (body, context) => {
    const $ = htmlBody(body)
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = SECTIONS.flatMap(({ selector, terminal }) => {
      const posts = postsIn($, selector)
      return posts.flatMap((post, at): ParsedReading[] => {
        const place = { path: `${selector}[${at}]`, iata, notices }
        const lane = laneOfHeading(post.heading)
        if (lane === null) {
          notices.push(
            notice(
              'lane_unknown',
              'warning',
              place.path,
              'A lane is new to us; its row is left out.',
              post.heading,
              iata,
            ),
          )
          return []
        }
        const observed = { observed_at: context.fetched_at, observed_at_basis: 'fetch' as const }
        const wait = postedWait(post.wait, place)
        const status = /closed/i.test(post.heading) ? ('closed' as const) : wait.status
        return [{ kind: 'security', iata, terminal, checkpoint: post.name, lane, ...observed, ...wait, status }]
      })
    })
    if (rows.length === 0 && notices.length === 0) throw new ParseError(WAIT, 'no checkpoint is on the page')
    return finish(rows, notices, context)
  },
}

interface Post {
  name: string
  heading: string
  wait: string
}

/** The innermost rows of a column: each has a name (h2), a heading (h3) and a number in a button. */
function postsIn($: CheerioAPI, selector: string): Post[] {
  return $(`${selector} .row`)
    .toArray()
    .filter((row) => $(row).find('.row').length === 0 && $(row).find('h2').length > 0)
    .map((row) => ({
      name: textOf($(row).find('h2').first().text()),
      heading: textOf($(row).find('h3').text()),
      wait: textOf($(row).find(WAIT).first().text()),
    }))
}

/** A bare "CHECKPOINT" names no lane; "PRECHECK ONLY CHECKPOINT" does. */
function laneOfHeading(heading: string): Lane | null {
  const words = heading.replace(/\b(checkpoint|closed|only)\b/gi, '').trim()
  return words === '' ? 'all' : laneOfWord(words)
}
