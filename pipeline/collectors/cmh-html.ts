import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { inRange, type Place } from '../parsing/minutes-value.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { type PostedColumns, postedWait } from '../parsing/posted.ts'

const PHRASE = /anticipate waiting on average for:?\s*(.*)$/i

/** Columbus: one estimate for the airport in a sentence, "7 minutes, 30 seconds"; the widget is tsawaittimes.com's (seen 2026-03). */
export const cmhHtml: Collector<'readings'> = {
  id: 'cmh-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const words = wordsInOrder(body)
    const at = words.findIndex(({ text }) => PHRASE.test(text))
    if (at === -1) throw new ParseError('p', 'the page has no "anticipate waiting on average for"')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const here = words[at]?.text.match(PHRASE)?.[1] ?? ''
    const posted = here === '' ? (words[at + 1]?.text ?? '') : here
    const wait = spokenWait(posted, { path: 'anticipate waiting on average for', iata, notices })
    return finish(
      [{ kind: 'security', iata, terminal: '', checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }],
      notices,
      context,
    )
  },
}

/** "7 minutes, 30 seconds" and "45 seconds" as minutes; every other text as all sources post it. */
function spokenWait(posted: string, place: Place): PostedColumns {
  const match = posted.match(/^(?:(\d{1,3}) ?minutes?)?(?:,? ?(?:and ?)?(\d{1,2}) ?seconds?)\.?$/i)
  if (match === null) return postedWait(posted.replace(/\.$/, ''), place)
  const wait_minutes = inRange(Number(match[1] ?? 0) + Number(match[2]) / 60, posted, place)
  return { wait_minutes, wait_minutes_low: null, wait_minutes_high: null, wait_text: posted, status: 'open' }
}
