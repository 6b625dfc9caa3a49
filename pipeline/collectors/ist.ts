import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson, fromPage } from '../parsing/ask.ts'
import { jsonBody, objectAt } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'

/** Three queues of different kinds; at the entrance everybody's bags are screened, so it is security. */
const QUEUES = [
  { field: 'gateWaitTime', kind: 'security', checkpoint: 'Terminal entrance' },
  { field: 'passQueueWaitTime', kind: 'immigration', checkpoint: 'Passport control' },
  { field: 'domQueueWaitTime', kind: 'security', checkpoint: 'Domestic security' },
] as const

/** Istanbul: one number in minutes a queue, no time of observation. Its `status` flag is not believed where rows are there. */
export const ist: Collector<'readings'> = {
  id: 'ist',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, fromPage(source.page_url ?? source.url))],
  parse: (body, context) => {
    const result = objectAt(objectAt(jsonBody(body), '$').result, 'result')
    const there = QUEUES.filter(({ field }) => Object.hasOwn(result, field))
    if (there.length === 0) throw new ParseError('result', 'holds none of the three queues')
    const notices: Notice[] = []
    const iata = airportOf(context)
    const rows = there.map(({ field, kind, checkpoint }) => {
      const place = { path: `result.${field}`, iata, notices }
      return {
        kind,
        iata,
        terminal: '',
        checkpoint,
        lane: 'all' as const,
        ...observedAt(null, null, context, place),
        ...plainWait(readMinutes(result[field], 'minutes', place)),
      }
    })
    return finish(rows, notices, context)
  },
}
