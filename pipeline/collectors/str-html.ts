import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const TERMINAL = '.waiting-times__terminal--short'
const MINUTES = '.waiting-times__minutes'

/** Stuttgart: a fragment with a line a terminal, "T1:" and minutes; a class says that it is closed (seen 2026-04). */
export const strHtml: Collector<'readings'> = {
  id: 'str-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    // A fragment has no end of a document to tell that it is whole, but its lines have ends.
    if (count(body, /<li\b/gi) !== count(body, /<\/li\b/gi)) throw new ParseError('li', 'the fragment breaks off')
    const labels = $(TERMINAL).toArray()
    if (labels.length === 0 && $('[class*="waiting-times"]').length === 0)
      throw new ParseError(TERMINAL, 'the fragment has no terminal')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = labels.flatMap((label, at): ParsedReading[] => {
      const terminal = textOf($(label).text()).replace(/\s*:$/, '')
      if (terminal === '') return []
      const minutes = $(label).closest('li').find(MINUTES).first()
      const posted = minutes.hasClass('waiting-times__minutes--closed') ? 'Closed' : textOf(minutes.text())
      const wait = postedWait(posted, { path: `${TERMINAL}[${at}]`, iata, notices })
      return [{ kind: 'security', iata, terminal, checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }]
    })
    return finish(rows, notices, context)
  },
}

const count = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0
