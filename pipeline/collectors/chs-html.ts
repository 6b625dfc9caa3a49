import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { parseHtml, textIn } from '../parsing/html.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const CARD = '.chs-tsa-checkpoint-card'

/** Charleston: a card per checkpoint, headed by its name or by its lane. The hourly forecast beside it is not read (seen 2026-03). */
export const chsHtml = waitCollector({
  id: 'chs-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const cards = $(CARD).toArray()
    if (cards.length === 0) throw new ParseError(CARD, 'the page has no checkpoint')
    return cards.flatMap((card, index) => {
      const heading = textIn($, card, 'h3')
      if (heading === '') return []
      // "TSA Pre✔® Checkpoint" is a lane. "Central Checkpoint" is a place and names no lane.
      const isPrecheck = /\btsa pre/i.test(heading)
      const lane = isPrecheck ? 'precheck' : laneOfWord(heading.replace(/\b(checkpoint|lanes?)\b/gi, ''))
      return [
        {
          ...payload.unknownReading,
          checkpoint: lane === null ? heading : '',
          lane: lane ?? 'all',
          ...postedWait(textIn($, card, '.chs-tsa-wait-time'), payload.report.at(CARD).at(index)),
        },
      ]
    })
  },
})
