import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { monthDayClock } from '../parsing/clocks.ts'
import { cellTexts, parseHtml } from '../parsing/html.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const TABLE = 'table.flysfo-checkpoints-table'
const UPDATED = /Checkpoint data last updated:?\s*([A-Z][a-z]{2} \d{1,2} at \d{1,2}:\d{2} [ap]m)/i

/** San Francisco's server-made table: a row per checkpoint, a column per lane (seen 2026-08 and 2026-09). */
export const sfoHtml = waitCollector({
  id: 'sfo-html',
  request: pageRequest,
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const table = $(TABLE).first()
    if (table.length === 0) throw new ParseError(TABLE, 'the page has no such table')
    const [header = [], ...checkpoints] = table
      .find('tr')
      .toArray()
      .map((row) => cellTexts($, row, 'th,td'))
    const lanes = header.slice(1).map((word, index) => {
      const report = payload.report.at(`${TABLE} th`).at(index + 1)
      return (
        laneOfWord(word) ?? report.warning('lane_unknown', 'The lane of a column is unknown; it is left out.', word)
      )
    })
    if (lanes.every((lane) => lane === null))
      throw new ParseError(`${TABLE} th`, `no lane among "${header.join(', ')}"`)
    const updated = $.root().text().match(UPDATED)?.[1]
    const observation = payload.observedAt(updated, monthDayClock, payload.report.at('Checkpoint data last updated'))
    return checkpoints.flatMap(([checkpoint = '', ...cells], row) =>
      cells.flatMap((cell, column) => {
        const lane = lanes[column]
        if (!lane || checkpoint === '') return []
        const report = payload.report.at(`${TABLE} tr[${row + 1}] td[${column + 1}]`)
        return [{ ...payload.unknownReading, checkpoint, lane, ...observation, ...postedWait(cell, report) }]
      }),
    )
  },
})
