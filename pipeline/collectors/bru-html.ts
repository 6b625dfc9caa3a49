import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const PHRASE = /^(.*?)\s*Current waiting time\b/i

/** Brussels: one wait for the airport, "7 min." before the words "Current waiting time" (seen 2026-04). */
export const bruHtml: Collector<'readings'> = {
  id: 'bru-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const words = wordsInOrder(body)
    const at = words.findIndex(({ text }) => PHRASE.test(text))
    if (at === -1) throw new ParseError('p', 'the page has no "Current waiting time"')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const here = words[at]?.text.match(PHRASE)?.[1] ?? ''
    const before = here === '' ? (words[at - 1]?.text ?? '') : here
    const wait = postedWait(before.replace(/\.$/, ''), { path: 'Current waiting time', iata, notices })
    return finish(
      [{ kind: 'security', iata, terminal: '', checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }],
      notices,
      context,
    )
  },
}
