import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const LABEL =
  /^(?:(?:average|current|estimated) )?(?:tsa|security)(?: security| checkpoint)? wait(?: times?)?:?\s*(.*)$/i

/**
 * Myrtle Beach: an average or an error text. No capture of the page is known, so this reads the one thing public notes
 * say of it, a label of a security wait with its words after it, and the source stays off until somebody has looked.
 */
export const myrHtml: Collector<'readings'> = {
  id: 'myr-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const words = wordsInOrder(body)
    const at = words.findIndex(({ text }) => LABEL.test(text))
    if (at === -1) throw new ParseError('label', 'the page has no label of a security wait')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const here = words[at]?.text.match(LABEL)?.[1] ?? ''
    const posted = here === '' ? (words[at + 1]?.text ?? '') : here
    const wait = postedWait(posted, { path: 'security wait', iata, notices })
    return finish(
      [{ kind: 'security', iata, terminal: '', checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }],
      notices,
      context,
    )
  },
}
