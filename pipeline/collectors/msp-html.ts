import { ParseError } from '../../config/errors.ts'
import { usClock } from '../parsing/clocks.ts'
import { parseHtml } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const NAME = '.security-wait-time__checkpoint-name'
const UPDATED = '.security-wait-times-block__timestamp'

/** A closed checkpoint's message tells when it opens. */
const closedText = (message: string) => (/^opens\b/i.test(message) ? message : 'Closed')

/**
 * Minneapolis: a card per checkpoint, whose message says for whom it is (seen to 2026-08). Before a checkpoint opens its
 * card keeps last night's wait under a new page time; only the check for frozen values finds that.
 */
export const mspHtml = waitCollector({
  id: 'msp-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const names = $(NAME).toArray()
    if (names.length === 0 && $(UPDATED).length === 0) throw new ParseError(NAME, 'the page has no checkpoint')
    const updated = textOf($(UPDATED).first().text())
    const observation = payload.observedAt(updated, usClock, payload.report.at(UPDATED))
    return names.flatMap((name, index) => {
      const report = payload.report.at(NAME).at(index)
      const checkpoint = textOf($(name).text())
      const card = $(name).closest('.security-wait-time')
      const message = textOf(card.find('.security-wait-time__message').first().text())
      const posted = textOf(card.find('.security-wait-time__time').first().text())
      const isClosed = card.hasClass('security-wait-time--closed') || /^(closed|opens)\b/i.test(message)
      const lane = isClosed || message === '' ? 'all' : knownLane(message, report)
      if (lane === null) return []
      return [
        {
          ...payload.unknownReading,
          terminal: checkpoint.match(/^T\d\b/)?.[0] ?? '',
          checkpoint,
          lane,
          ...observation,
          ...postedWait(isClosed ? closedText(message) : posted, report),
        },
      ]
    })
  },
})
