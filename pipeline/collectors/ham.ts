import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { jsonBody, objectAt, textOf } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'

/** Hamburg: one band for the whole airport ("5-10 min"), with its time in epoch milliseconds. */
export const ham: Collector<'readings'> = {
  id: 'ham',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    if (!Object.hasOwn(answer, 'waitingTime')) throw new ParseError('waitingTime', 'is missing')
    const notices: Notice[] = []
    const iata = airportOf(context)
    const place = (path: string) => ({ path, iata, notices })
    const row = {
      kind: 'security' as const,
      iata,
      terminal: '',
      checkpoint: 'Security',
      lane: 'all' as const,
      ...observedAt(instantOf(answer.lastUpdate), answer.lastUpdate, context, place('lastUpdate')),
      ...postedWait(textOf(answer.waitingTime), place('waitingTime')),
    }
    return finish([row], notices, context)
  },
}
