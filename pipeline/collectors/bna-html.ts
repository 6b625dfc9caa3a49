import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

/** Nashville's front page: a heading "TSA Wait Times" and one wait for the whole airport under it (seen to 2026-08). */
export const bnaHtml: Collector<'readings'> = {
  id: 'bna-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const words = wordsInOrder(body)
    const heading = words.findIndex(({ text }) => /^tsa wait times?:?$/i.test(text))
    if (heading === -1) throw new ParseError('h3', 'the page has no heading "TSA Wait Times"')
    const next = words.slice(heading + 1).findIndex(({ tag }) => /^h[1-4]$/.test(tag))
    const posted = words[heading + 1 + next]
    // Another heading of the same rank means that the block is there and empty.
    if (next === -1 || posted?.tag !== 'h4') return finish([], [], context)
    const iata = airportOf(context)
    const notices: Notice[] = []
    const wait = postedWait(posted.text, { path: 'h3+h4', iata, notices })
    return finish(
      [{ kind: 'security', iata, terminal: '', checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }],
      notices,
      context,
    )
  },
}
