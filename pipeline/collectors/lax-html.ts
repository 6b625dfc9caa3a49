import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { laneSaid } from '../parsing/lane-said.ts'
import { observedAt } from '../parsing/observed.ts'
import { pageRequest } from '../parsing/page.ts'
import { postedWait } from '../parsing/posted.ts'
import { usClock } from '../parsing/us-clock.ts'

const TABLE = 'table.wait-time-table'

/** Los Angeles: one table, a row a terminal and lane, only the Tom Bradley terminal (seen to 2026-08-06, then gone). */
export const laxHtml: Collector<'readings'> = {
  id: 'lax-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const table = $(TABLE).first()
    if (table.length === 0) throw new ParseError(TABLE, 'the page has no such table')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const stamp = textOf($.root().text()).match(/Data Last Updated:\s*(.{0,60}?[ap]\.?m\b)/i)?.[1] ?? ''
    const clock = usClock(stamp, context.timezoneOf(iata), context.fetched_at)
    const observed = observedAt(clock, stamp, context, { path: 'Data Last Updated', iata, notices })
    const rows = table
      .find('tbody tr')
      .toArray()
      .flatMap((row, at): ParsedReading[] => {
        const place = { path: `${TABLE} tr[${at}]`, iata, notices }
        const [terminal = '', words = '', posted = ''] = $(row)
          .find('td')
          .toArray()
          .map((cell) => textOf($(cell).text()))
        if (terminal === '' || words === '') return []
        const lane = laneSaid(words.replace(/ boarding$/i, ''), place)
        if (lane === null) return []
        return [{ kind: 'security', iata, terminal, checkpoint: '', lane, ...observed, ...postedWait(posted, place) }]
      })
    return finish(rows, notices, context)
  },
}
