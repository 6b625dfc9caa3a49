import { ParseError } from '../../config/errors.ts'
import { usClock } from '../parsing/clocks.ts'
import { parseHtml } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const LABEL = 'div.label'
const UPDATED = /\bas of:?\s+(.{0,60}?\d\s*[ap]\.?m\b)/i

/** Jacksonville's page: a label and a bold estimate per lane, "less than a min" or "7 min" (seen 2026-05 to 2026-08). */
export const jaxHtml = waitCollector({
  id: 'jax-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const labels = $(LABEL).toArray()
    if (labels.length === 0) throw new ParseError(LABEL, 'the page has no lane')
    const updated = textOf($.root().text()).match(UPDATED)?.[1]
    const observation = payload.observedAt(updated, usClock, payload.report.at('as of'))
    return labels.flatMap((label, index) => {
      const report = payload.report.at(LABEL).at(index)
      const lane = knownLane(textOf($(label).text()), report)
      if (lane === null) return []
      const wait = textOf($(label).nextUntil(LABEL).filter('div.time').find('span.bold').first().text())
      return [{ ...payload.unknownReading, lane, ...observation, ...postedWait(wait, report) }]
    })
  },
})
