import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { Collector } from '../collector.ts'
import { airportOf } from './wording/airport.ts'
import { htmlBody, textOf } from './wording/body.ts'
import { finish } from './wording/finish.ts'
import { postedWait } from './wording/posted.ts'

/** CATSA's page of each airport. Two were seen in 2022 and later, the other two in older public code. */
const PAGES: Record<string, string> = {
  YYZ: 'toronto-pearson-international-airport',
  YUL: 'montreal-trudeau-international-airport',
  YVR: 'vancouver-international-airport',
  YYC: 'calgary-international-airport',
}

const ROWS = 'table.views-table tbody tr'

/** Canada's screening authority: one HTML table an airport, waits as bands, no time on the page. */
export const catsa: Collector<'readings'> = {
  id: 'catsa',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const page = PAGES[iata]
      if (page === undefined) return []
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
    if ($('table.views-table').length === 0) throw new ParseError('table.views-table', 'the page has no such table')
    const notices: Notice[] = []
    const rows = $(ROWS)
      .toArray()
      .flatMap((row, at): ParsedReading[] => {
        const [checkpoint = '', wait = ''] = $(row)
          .find('td')
          .toArray()
          .map((cell) => textOf($(cell).text()))
        if (checkpoint === '') return []
        const observed = { observed_at: context.fetched_at, observed_at_basis: 'fetch' as const }
        const posted = postedWait(wait, { path: `${ROWS}[${at}]`, iata, notices })
        return [
          { kind: 'security', iata, terminal: terminalIn(checkpoint), checkpoint, lane: 'all', ...observed, ...posted },
        ]
      })
    return finish(rows, notices)
  },
}

/** Terminal and sector are words inside the checkpoint's name: "T1 Canada Level 3", "T3 International". */
function terminalIn(checkpoint: string): string {
  return checkpoint.match(/^(T\d)\b/)?.[1] ?? ''
}
