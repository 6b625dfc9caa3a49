import { ParseError } from '../../config/errors.ts'
import { cellTexts, parseHtml } from '../parsing/html.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { textOfEachAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Canada's screening authority: one HTML table per airport, waits as ranges, no time on the page. Options: the page of each airport, by its code. */
export const catsa = waitCollector({
  id: 'catsa',
  options: textOfEachAirport,
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const page = source.options[iata]
      if (typeof page !== 'string') return []
      return { url: `${source.url}/${page}`, method: 'GET', headers: { Accept: 'text/html' }, body: null, iata }
    }),
  read: (payload) => {
    const $ = parseHtml(payload.body)
    const tables = $('table').toArray()
    // "Checkpoint name | Wait time *" (seen 2026-09); the class of the table is older and may go.
    const table =
      tables.find((candidate) => /^checkpoint.*\|wait time/i.test(cellTexts($, candidate, 'th').join('|'))) ??
      tables.find((candidate) => $(candidate).hasClass('views-table'))
    if (table === undefined) throw new ParseError('table', 'no table is headed "Checkpoint name" and "Wait time"')
    const rows = $(table).find('tr').toArray()
    return rows.flatMap((row, index) => {
      const [checkpoint = '', wait = ''] = cellTexts($, row)
      if (checkpoint === '') return []
      return [
        {
          ...payload.unknownReading,
          // Terminal and sector are words in the checkpoint's name: "T1 Canada Level 3", "T3 International".
          terminal: checkpoint.match(/^T\d\b/)?.[0] ?? '',
          checkpoint,
          ...postedWait(wait, payload.report.at('table tr').at(index)),
        },
      ]
    })
  },
})
