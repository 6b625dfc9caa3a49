import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'

/** What a check-in area publishes, and the name of the queue. */
const CHECKIN: [field: string, name: string][] = [
  ['economy', ''],
  ['fastBagDrop', ', fast bag drop'],
  ['selfServiceBagDrop', ', self-service bag drop'],
]

/** Zurich: three addresses for three kinds of queue, each a source; numbers or bands as text, no time of observation. */
export const zrh: Collector<'readings'> = {
  id: 'zrh',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const notices: Notice[] = []
    const queue = queueIn(context, notices)
    if (context.source.kind === 'checkin')
      return finish(
        listAt(answer.checkin, 'checkin').flatMap((row, at) => {
          const path = `checkin[${at}]`
          const number = isObject(row) ? textOf(row.number) : ''
          if (!isObject(row) || number === '')
            return rowUnreadable(row, { path, iata: airportOf(context), notices }) ?? []
          return CHECKIN.filter(([field]) => textOf(row[field]) !== '').map(([field, name]) =>
            queue('checkin', `Check-in ${number}${name}`, row[field], `${path}.${field}`),
          )
        }),
        notices,
        context,
      )
    if (context.source.kind === 'immigration')
      return finish(
        listAt(answer.passportControl, 'passportControl').flatMap((row, at) => {
          const path = `passportControl[${at}]`
          const name = isObject(row) ? textOf(row.identifier) : ''
          if (!isObject(row) || name === '')
            return rowUnreadable(row, { path, iata: airportOf(context), notices }) ?? []
          return queue('immigration', name, row.waitingTime, `${path}.waitingTime`)
        }),
        notices,
        context,
      )
    if (!Object.hasOwn(answer, 'maxWaitingTime')) throw new ParseError('maxWaitingTime', 'is missing')
    return finish([queue('security', 'Security', answer.maxWaitingTime, 'maxWaitingTime')], notices, context)
  },
}

function queueIn(context: ParseContext, notices: Notice[]) {
  const iata = airportOf(context)
  return (kind: ParsedReading['kind'], checkpoint: string, wait: unknown, path: string): ParsedReading => ({
    kind,
    iata,
    terminal: '',
    checkpoint,
    lane: 'all',
    ...observedAt(null, null, context, { path, iata, notices }),
    ...postedWait(textOf(wait), { path, iata, notices }),
  })
}
