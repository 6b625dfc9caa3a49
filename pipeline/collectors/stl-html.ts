import type { QueueStatus } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { pageRequest, seenAtFetch } from '../parsing/page.ts'

const GAUGE = '[aria-valuenow]'
const STATUS = '[aria-label^="Destination availability status:"]'

/**
 * St. Louis: one estimate for the whole airport in a gauge, and cards that say which checkpoints are open. The estimate
 * lands once, without a checkpoint; a card lands with its state alone (seen 2026-03).
 */
export const stlHtml: Collector<'readings'> = {
  id: 'stl-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const gauge = $(GAUGE).first()
    const cards = $('section')
      .toArray()
      .filter((section) => $(section).find(STATUS).length > 0 && $(section).find('section').length === 0)
    if (gauge.length === 0 && cards.length === 0) throw new ParseError(GAUGE, 'the page has no estimate')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const nothing = { wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null, wait_text: null }
    const queue = { kind: 'security' as const, iata, lane: 'all' as const, ...seenAtFetch(context), ...nothing }
    const states = cards.flatMap((card, at): ParsedReading[] => {
      const title = textOf($(card).find('h3').first().text())
      if (title === '') return []
      const [, terminal = '', name = title] = title.match(/^(T\d+),\s*(.+)$/i) ?? []
      const words = textOf($(card).find(STATUS).first().attr('aria-label')).replace(/^[^:]*:\s*/, '')
      const status = statusOf(words)
      if (status === 'unknown')
        notices.push(
          notice('wait_text_unknown', 'warning', `section[${at}]`, 'The state of a checkpoint is new.', words, iata),
        )
      return [{ ...queue, terminal, checkpoint: name, status }]
    })
    if (gauge.length === 0) return finish(states, notices, context)
    const status = statusOfAll(states.map((row) => row.status))
    const minutes = readMinutes(textOf(gauge.attr('aria-valuenow')), 'minutes', { path: GAUGE, iata, notices })
    // An empty gauge is a wait of none only where a checkpoint is open.
    const wait_minutes = minutes === 0 && status !== 'open' ? null : minutes
    return finish([{ ...queue, terminal: '', checkpoint: '', status, wait_minutes }, ...states], notices, context)
  },
}

function statusOf(words: string): QueueStatus {
  if (/^open\b/i.test(words)) return 'open'
  return /^closed\b/i.test(words) ? 'closed' : 'unknown'
}

/** Open where any is, closed only where all are. */
function statusOfAll(states: QueueStatus[]): QueueStatus {
  if (states.includes('open')) return 'open'
  return states.length > 0 && states.every((state) => state === 'closed') ? 'closed' : 'unknown'
}
