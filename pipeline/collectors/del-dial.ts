import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson, fromPage } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { observedAt } from '../parsing/observed.ts'
import { postedWait } from '../parsing/posted.ts'

/**
 * Delhi's Terminal 2, as bands ("3-5 minutes"). `En` (entrance gates, where tickets are looked at) and `D2D` (people who
 * change planes) are not the security queue and are left out; Terminal 3's feed holds entrance gates only.
 */
export const delDial: Collector<'readings'> = {
  id: 'del-dial',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, fromPage(source.page_url ?? source.url))],
  parse: (body, context) => {
    const groups = objectAt(objectAt(jsonBody(body), '$').data, 'data')
    if (!['En', 'Security', 'D2D'].some((name) => Object.hasOwn(groups, name)))
      throw new ParseError('data', 'holds none of En, Security and D2D')
    const notices: Notice[] = []
    return finish(
      listAt(groups.Security ?? [], 'data.Security').flatMap(
        (row, at) => parseRow(row, `data.Security[${at}]`, context, notices) ?? [],
      ),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.queueId) : ''
  if (!isObject(row) || checkpoint === '') return rowUnreadable(row, { path, iata, notices })
  const place = { path: `${path}.waiting_time`, iata, notices }
  return {
    kind: 'security',
    iata,
    terminal: 'T2',
    checkpoint,
    lane: 'all',
    ...observedAt(null, null, context, place),
    ...postedWait(textOf(row.waiting_time), place),
  }
}
