import type { Lane } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import { monthDayClock } from '../parsing/clocks.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'

const TABLE = 'table.flysfo-checkpoints-table'

/** San Francisco's server-made table: a row a checkpoint, a column a lane (seen 2026-08 and 2026-09). */
export const sfoHtml: Collector<'readings'> = {
  id: 'sfo-html',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'text/html' }, body: null, iata: source.airports[0] ?? null },
  ],
  parse: (body, context) => {
    const $ = htmlBody(body)
    const table = $(TABLE).first()
    if (table.length === 0) throw new ParseError(TABLE, 'the page has no such table')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const cellsOf = (row: Parameters<typeof $>[0]) =>
      $(row)
        .find('th,td')
        .toArray()
        .map((cell) => textOf($(cell).text()))
    const [header = [], ...posts] = table.find('tr').toArray().map(cellsOf)
    const lanes = header.slice(1).map((word, at): Lane | null => {
      const lane = laneOfWord(word)
      if (lane === null)
        notices.push(
          notice(
            'lane_unknown',
            'warning',
            `${TABLE} th[${at + 1}]`,
            'A column is new to us and is left out.',
            word,
            iata,
          ),
        )
      return lane
    })
    if (lanes.every((lane) => lane === null))
      throw new ParseError(`${TABLE} th`, `no lane among "${header.join(', ')}"`)

    const updated = $.root()
      .text()
      .match(/Checkpoint data last updated:?\s*([A-Z][a-z]{2} \d{1,2} at \d{1,2}:\d{2} [ap]m)/i)?.[1]
    const clock = updated === undefined ? null : monthDayClock(updated, context.timezoneOf(iata), context.fetched_at)
    const observed = observedAt(clock, updated, context, { path: 'Checkpoint data last updated', iata, notices })
    const rows = posts.flatMap(([checkpoint = '', ...cells], row): ParsedReading[] =>
      cells.flatMap((cell, column) => {
        const lane = lanes[column]
        if (!lane || checkpoint === '') return []
        const wait = postedWait(cell, { path: `${TABLE} tr[${row + 1}] td[${column + 1}]`, iata, notices })
        return [{ kind: 'security', iata, terminal: '', checkpoint, lane, ...observed, ...wait }]
      }),
    )
    return finish(rows, notices, context)
  },
}
