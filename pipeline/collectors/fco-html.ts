import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const LABEL = /\bTerminal\s*(\d+)\s*:$/i

/** Rome Fiumicino: "Terminal 1:" followed by `<time>4 min</time>`, in the frame of every page of the site (seen 2026-04). */
export const fcoHtml: Collector<'readings'> = {
  id: 'fco-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const words = wordsInOrder(body)
    const labels = words.flatMap(({ text }, at) => {
      const number = text.match(LABEL)?.[1]
      return number === undefined ? [] : [{ terminal: `T${number}`, next: words[at + 1] }]
    })
    if (labels.length === 0) throw new ParseError('Terminal N:', 'the page names no terminal')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = labels.flatMap(({ terminal, next }): ParsedReading[] => {
      if (next?.tag !== 'time') return []
      const wait = postedWait(next.text, { path: `${terminal} time`, iata, notices })
      return [{ kind: 'security', iata, terminal, checkpoint: '', lane: 'all', ...seenAtFetch(context), ...wait }]
    })
    return finish(rows, notices, context)
  },
}
