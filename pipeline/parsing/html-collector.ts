import type { CheerioAPI } from 'cheerio'
import { ParseError } from '../../config/errors.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { Collector } from './collector.ts'
import { parseHtml, type Selection } from './html.ts'
import type { NoticeReporter } from './notices.ts'
import { pageRequest } from './requests.ts'
import { type WaitPayload, waitCollector } from './wait-collector.ts'

interface HtmlCollectorParts {
  id: string
  /** Selects the elements, one for each queue. */
  elements: string
  /** Selects what the page shows also while it has no queue; without it, a page without elements has changed. */
  frame?: string
  /** Reads what the page says once, and returns how an element of it is read; null leaves the element out. */
  read: ($: CheerioAPI, payload: WaitPayload) => (element: Selection, report: NoticeReporter) => ParsedReading | null
}

/** A collector of one page with an element for each queue. */
export function htmlCollector({ id, elements, frame, read }: HtmlCollectorParts): Collector<'readings'> {
  return waitCollector({
    id,
    request: pageRequest,
    read: (payload) => {
      const $ = parseHtml(payload.body)
      const readElement = read($, payload)
      const found = $(elements).toArray()
      if (found.length === 0 && (frame === undefined || $(frame).length === 0))
        throw new ParseError(elements, 'the page has no queue')
      return found.flatMap((element, index) => readElement(element, payload.report.at(elements).at(index)) ?? [])
    },
  })
}
