import { ParseError } from '../../config/errors.ts'
import { parseHtml, textIn } from '../parsing/html.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const LIST = '.tsa-wait-times-element'
const ROW = 'li.tsa-wait-times-element_concourse-list_concourse-info'

/** Omaha: a list of concourses, each with a range of minutes ("5-10") and never a number (seen to 2026-08). */
export const omaHtml = waitCollector({
  id: 'oma-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const rows = $(ROW).toArray()
    if (rows.length === 0 && $(LIST).length === 0) throw new ParseError(ROW, 'the page has no list of concourses')
    return rows.flatMap((row, index) => {
      const field = (name: string) => textIn($, row, `[class$="concourse-info_${name}"]`)
      const checkpoint = field('title').replace(/\s*:$/, '')
      if (checkpoint === '') return []
      const posted = postedWait(field('time'), payload.report.at(ROW).at(index))
      return [{ ...payload.unknownReading, checkpoint, ...posted }]
    })
  },
})
