import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const LIST = '.tsa-wait-times-element'
const ROW = 'li.tsa-wait-times-element_concourse-list_concourse-info'

/** Omaha: a list of concourses, each with a range of minutes ("5-10") and never a number (seen to 2026-08). */
export const omaHtml: Collector<'readings'> = {
  id: 'oma-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const items = $(ROW).toArray()
    if (items.length === 0 && $(LIST).length === 0) throw new ParseError(ROW, 'the page has no list of concourses')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = items.flatMap((row, at): ParsedReading[] => {
      const part = (name: string) => textOf($(row).find(`[class$="concourse-info_${name}"]`).first().text())
      const checkpoint = part('title').replace(/\s*:$/, '')
      if (checkpoint === '') return []
      const wait = postedWait(part('time'), { path: `${ROW}[${at}]`, iata, notices })
      return [{ kind: 'security', iata, terminal: '', checkpoint, lane: 'all', ...seenAtFetch(context), ...wait }]
    })
    return finish(rows, notices, context)
  },
}
