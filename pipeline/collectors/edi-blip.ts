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

/** Edinburgh: one number for the airport. What its `cached` counts is not documented, so it says nothing of the age. */
export const ediBlip: Collector<'readings'> = {
  id: 'edi-blip',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, fromPage(source.page_url ?? source.url))],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    if (!Object.hasOwn(answer, 'minutes')) throw new ParseError('minutes', 'is missing')
    const notices: Notice[] = []
    const iata = airportOf(context)
    const place = { path: 'minutes', iata, notices }
    const row = {
      kind: 'security' as const,
      iata,
      terminal: '',
      checkpoint: 'Security',
      lane: 'all' as const,
      ...observedAt(null, null, context, place),
      ...plainWait(readMinutes(answer.minutes, 'minutes', place)),
    }
    return finish([row], notices, context)
  },
}
