import { ParseError } from '../../config/errors.ts'
import type { QueueStatus } from '../../config/vocabulary.ts'
import { parseHtml, textIn } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const GAUGE = '[aria-valuenow]'
const STATUS = '[aria-label^="Destination availability status:"]'

/**
 * St. Louis: one estimate for the whole airport in a gauge, and cards that say which checkpoints are open. The estimate
 * lands once, without a checkpoint; a card lands with its status alone (seen 2026-03).
 */
export const stlHtml = waitCollector({
  id: 'stl-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const gauge = $(GAUGE).first()
    const cards = $('section')
      .toArray()
      .filter((section) => $(section).find(STATUS).length > 0 && $(section).find('section').length === 0)
    if (gauge.length === 0 && cards.length === 0) throw new ParseError(GAUGE, 'the page has no estimate')
    const checkpoints = cards.flatMap((card, index) => {
      const title = textIn($, card, 'h3')
      if (title === '') return []
      const [, terminal = '', checkpoint = title] = title.match(/^(T\d+),\s*(.+)$/i) ?? []
      const words = textOf($(card).find(STATUS).first().attr('aria-label')).replace(/^[^:]*:\s*/, '')
      const status = statusIn(words)
      if (status === 'unknown')
        payload.report
          .at('section')
          .at(index)
          .warning('wait_text_unknown', 'The status of the checkpoint is unknown.', words)
      return [{ ...payload.unknownReading, terminal, checkpoint, status }]
    })
    if (gauge.length === 0) return checkpoints
    const status = statusOfAirport(checkpoints.map((row) => row.status))
    const minutes = readMinutes(textOf(gauge.attr('aria-valuenow')), 'minutes', payload.report.at(GAUGE))
    // An empty gauge is a wait of zero only where a checkpoint is open.
    const wait_minutes = minutes === 0 && status !== 'open' ? null : minutes
    return [{ ...payload.unknownReading, status, wait_minutes }, ...checkpoints]
  },
})

function statusIn(words: string): QueueStatus {
  if (/^open\b/i.test(words)) return 'open'
  return /^closed\b/i.test(words) ? 'closed' : 'unknown'
}

/** Open where any checkpoint is open, closed only where all are closed. */
function statusOfAirport(statuses: QueueStatus[]): QueueStatus {
  if (statuses.includes('open')) return 'open'
  return statuses.length > 0 && statuses.every((status) => status === 'closed') ? 'closed' : 'unknown'
}
