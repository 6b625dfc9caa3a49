import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { jsonBody, objectAt, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** Copenhagen: fixed keys a terminal, a number and a band ("10-15 min", "> 20 min", "< 5") of the same wait. */
export const cphAzure: Collector<'readings'> = {
  id: 'cph-azure',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const terminals = ['2', '3'].filter((terminal) => Object.hasOwn(answer, `t${terminal}WaitingTimeInterval`))
    if (terminals.length === 0)
      throw new ParseError('t2WaitingTimeInterval', 'is missing, and so is that of terminal 3')
    const notices: Notice[] = []
    const iata = airportOf(context)
    const place = (path: string) => ({ path, iata, notices })
    const delivered = isoClock(answer.deliveryId, context.timezoneOf(iata), context.fetched_at)
    const observed = observedAt(delivered, answer.deliveryId, context, place('deliveryId'))
    const rows = terminals.map((terminal) => {
      const field = `t${terminal}WaitingTime`
      const number = postedWait(textOf(answer[field]), place(field))
      const band = postedWait(textOf(answer[`${field}Interval`]), place(`${field}Interval`))
      return {
        kind: 'security' as const,
        iata,
        terminal,
        checkpoint: 'Security',
        lane: 'all' as const,
        ...observed,
        ...band,
        wait_minutes: band.wait_minutes ?? number.wait_minutes,
        status: [band.status, number.status].find((status) => status !== 'unknown') ?? ('unknown' as const),
      }
    })
    return finish(rows, notices, context)
  },
}
