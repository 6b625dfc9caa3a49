import { ParseError } from '../../config/errors.ts'
import { usClock } from '../parsing/clocks.ts'
import { cellTexts, parseHtml } from '../parsing/html.ts'
import { textOf } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const TABLE = 'table.wait-time-table'
const UPDATED = /Data Last Updated:\s*(.{0,60}?[ap]\.?m\b)/i

/** Los Angeles: one table, a row per terminal and lane, only the Tom Bradley terminal (seen to 2026-08-06, then gone). */
export const laxHtml = waitCollector({
  id: 'lax-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const table = $(TABLE).first()
    if (table.length === 0) throw new ParseError(TABLE, 'the page has no such table')
    const updated = textOf($.root().text()).match(UPDATED)?.[1] ?? ''
    const observation = payload.observedAt(updated, usClock, payload.report.at('Data Last Updated'))
    const rows = table.find('tbody tr').toArray()
    return rows.flatMap((row, index) => {
      const [terminal = '', words = '', wait = ''] = cellTexts($, row)
      if (terminal === '' || words === '') return []
      const report = payload.report.at(`${TABLE} tr`).at(index)
      const lane = knownLane(words.replace(/ boarding$/i, ''), report)
      if (lane === null) return []
      return [{ ...payload.unknownReading, terminal, lane, ...observation, ...postedWait(wait, report) }]
    })
  },
})
