import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { pageRequest, seenAtFetch } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'

const CARD = '.chs-tsa-checkpoint-card'

/** Charleston: a card a checkpoint, headed by its name or by its lane. The hourly forecast beside it is not read (seen 2026-03). */
export const chsHtml: Collector<'readings'> = {
  id: 'chs-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const cards = $(CARD).toArray()
    if (cards.length === 0) throw new ParseError(CARD, 'the page has no checkpoint')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = cards.flatMap((card, at): ParsedReading[] => {
      const heading = textOf($(card).find('h3').first().text())
      if (heading === '') return []
      // "TSA Pre✔® Checkpoint" is a lane; "Central Checkpoint" is a place, and says nothing of lanes.
      const named = /\btsa pre/i.test(heading)
        ? 'precheck'
        : laneOfWord(heading.replace(/\b(checkpoint|lanes?)\b/gi, ''))
      const posted = textOf($(card).find('.chs-tsa-wait-time').first().text())
      const wait = postedWait(posted, { path: `${CARD}[${at}]`, iata, notices })
      const queue = { checkpoint: named === null ? heading : '', lane: named ?? ('all' as const) }
      return [{ kind: 'security', iata, terminal: '', ...queue, ...seenAtFetch(context), ...wait }]
    })
    return finish(rows, notices, context)
  },
}
