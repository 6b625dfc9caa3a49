import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { postedWait } from '../parsing/posted.ts'

/** Canada's screening authority: one HTML table an airport, waits as bands, no time on the page. Options: the page of each airport, by its code. */
export const catsa: Collector<'readings'> = {
  id: 'catsa',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const page = source.options[iata]
      if (typeof page !== 'string') return []
      return {
        url: `${source.url}/${page}`,
        method: 'GET' as const,
        headers: { Accept: 'text/html' },
        body: null,
        iata,
      }
    }),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const iata = airportOf(context)
    const cellsOf = (row: Parameters<typeof $>[0], cell: string) =>
      $(row)
        .find(cell)
        .toArray()
        .map((one) => textOf($(one).text()))
    // "Checkpoint name | Wait time *" (seen 2026-09); the class of the table is older and may go.
    const headed = (one: Parameters<typeof $>[0]) => /^checkpoint.*\|wait time/i.test(cellsOf(one, 'th').join('|'))
    const tables = $('table').toArray()
    const table = tables.find(headed) ?? tables.find((one) => $(one).hasClass('views-table'))
    if (table === undefined) throw new ParseError('table', 'no table is headed "Checkpoint name" and "Wait time"')
    const notices: Notice[] = []
    const rows = $(table)
      .find('tr')
      .toArray()
      .flatMap((row, at): ParsedReading[] => {
        const [checkpoint = '', wait = ''] = cellsOf(row, 'td')
        if (checkpoint === '') return []
        const observed = { observed_at: context.fetched_at, observed_at_basis: 'fetch' as const }
        const posted = postedWait(wait, { path: `table tr[${at}]`, iata, notices })
        return [
          { kind: 'security', iata, terminal: terminalIn(checkpoint), checkpoint, lane: 'all', ...observed, ...posted },
        ]
      })
    return finish(rows, notices, context)
  },
}

/** Terminal and sector are words inside the checkpoint's name: "T1 Canada Level 3", "T3 International". */
function terminalIn(checkpoint: string): string {
  return checkpoint.match(/^(T\d)\b/)?.[1] ?? ''
}
