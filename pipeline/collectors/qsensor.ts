import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneInName } from '../parsing/lane.ts'
import { pageRequest, seenAtFetch, wordsInOrder } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

/** "Terminal Tom Bradley TSA PreCheck Queues: 2 4 mins wait", in one piece or several. */
const ROW = /\b((?:All )?Terminals?(?: (?!Terminals?\b)[\w/-]+){0,7}?)(?: Queues: ?\d+)? (\d{1,4} ?mins?) wait\b/g

/** An aggregator whose method nobody has described: what it shows are estimates. Options name its page of each airport. */
export const qsensor: Collector<'readings'> = {
  id: 'qsensor',
  lands: 'readings',
  transport: 'http',
  request: (context) =>
    context.airports.flatMap((iata) => {
      const page = context.source.options[iata]
      return typeof page === 'string'
        ? pageRequest(context).map((one) => ({ ...one, url: `${one.url}/${page}/`, iata }))
        : []
    }),
  parse: (body, context) => {
    const iata = airportOf(context)
    const text = wordsInOrder(body)
      .map((words) => words.text)
      .join(' ')
    if (!/\bmins? wait\b/i.test(text) && !/\bterminals?\b/i.test(text))
      throw new ParseError('body', 'the page speaks of no terminal and no wait')
    const notices: Notice[] = []
    const rows = [...text.matchAll(ROW)].map(([, name = '', minutes = ''], at): ParsedReading => {
      const { place, lane } = laneInName(name)
      const [, terminal = '', rest = ''] = place.match(/^Terminal (?!Checkpoint\b)(.+?)(?: (Checkpoint .+))?$/) ?? []
      const whole = /^(All )?Terminals$/.test(place)
      const checkpoint = whole ? '' : terminal === '' ? place.replace(/^Terminal /, '') : rest
      const wait = postedWait(minutes, { path: `body[${at}]`, iata, notices })
      return { kind: 'security', iata, terminal, checkpoint, lane: lane ?? 'all', ...seenAtFetch(context), ...wait }
    })
    return finish(rows, notices, context)
  },
}
