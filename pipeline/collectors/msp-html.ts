import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { observedAt } from '../parsing/observed.ts'
import { pageRequest } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'
import { usClock } from '../parsing/us-clock.ts'

const NAME = '.security-wait-time__checkpoint-name'
const STAMP = '.security-wait-times-block__timestamp'

/**
 * Minneapolis: a card a checkpoint, its message says for whom it is (seen to 2026-08). Before a checkpoint opens its card
 * keeps last night's wait under a new page time, so only the check for frozen values can tell.
 */
export const mspHtml: Collector<'readings'> = {
  id: 'msp-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const names = $(NAME).toArray()
    if (names.length === 0 && $(STAMP).length === 0) throw new ParseError(NAME, 'the page has no checkpoint')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const stamp = textOf($(STAMP).first().text())
    const clock = usClock(stamp, context.timezoneOf(iata), context.fetched_at)
    const observed = observedAt(clock, stamp, context, { path: STAMP, iata, notices })
    const rows = names.flatMap((name, at): ParsedReading[] => {
      const place = { path: `${NAME}[${at}]`, iata, notices }
      const checkpoint = textOf($(name).text())
      const card = $(name).closest('.security-wait-time')
      const message = textOf(card.find('.security-wait-time__message').first().text())
      const posted = textOf(card.find('.security-wait-time__time').first().text())
      const closed = card.hasClass('security-wait-time--closed') || /^(closed|opens)\b/i.test(message)
      const lane = closed || message === '' ? 'all' : laneSaid(message, place)
      if (lane === null) return []
      const wait = postedWait(closed ? 'Closed' : posted, place)
      return [
        {
          kind: 'security',
          iata,
          terminal: checkpoint.match(/^T\d\b/)?.[0] ?? '',
          checkpoint,
          lane,
          ...observed,
          ...wait,
        },
      ]
    })
    return finish(rows, notices, context)
  },
}
