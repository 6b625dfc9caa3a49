import { ParseError } from '../../config/errors.ts'
import { parseHtml } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const TERMINAL = '.waiting-times__terminal--short'
const MINUTES = '.waiting-times__minutes'

/** Stuttgart: a fragment with a line per terminal, "T1:" and minutes; a class says that it is closed (seen 2026-04). */
export const strHtml = waitCollector({
  id: 'str-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    // A fragment has no end tag of the document that shows that it is complete, but its lines have end tags.
    if (countOf(payload.body, /<li\b/gi) !== countOf(payload.body, /<\/li\b/gi))
      throw new ParseError('li', 'the fragment breaks off')
    const labels = $(TERMINAL).toArray()
    if (labels.length === 0 && $('[class*="waiting-times"]').length === 0)
      throw new ParseError(TERMINAL, 'the fragment has no terminal')
    return labels.flatMap((label, index) => {
      const terminal = textOf($(label).text()).replace(/\s*:$/, '')
      if (terminal === '') return []
      const minutes = $(label).closest('li').find(MINUTES).first()
      const posted = minutes.hasClass('waiting-times__minutes--closed') ? 'Closed' : textOf(minutes.text())
      return [{ ...payload.unknownReading, terminal, ...postedWait(posted, payload.report.at(TERMINAL).at(index)) }]
    })
  },
})

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0
