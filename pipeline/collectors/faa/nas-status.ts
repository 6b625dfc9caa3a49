import { CLOCK_AHEAD_MS } from '../../../config/domain.ts'
import { ParseError } from '../../../config/errors.ts'
import type { Collector } from '../../parsing/collector.ts'
import { readStatusTree, statusTree } from './status-document.ts'

/**
 * Status of the US National Airspace System: one XML document with every program and closure in force. The address
 * answers XML whatever is asked for.
 */
export const faaNasStatus: Collector<'delays'> = {
  id: 'faa-nas-status',
  lands: 'delays',
  transport: 'http',
  request: ({ source }) => [
    { url: source.url, method: 'GET', headers: { Accept: 'application/xml' }, body: null, iata: null },
  ],
  parse: (body, context) => {
    const parsed = readStatusTree(statusTree(body), context)
    if (Date.parse(parsed.observed_at) > Date.parse(context.fetched_at) + CLOCK_AHEAD_MS)
      throw new ParseError('$.AIRPORT_STATUS_INFORMATION.Update_Time', `is after the fetch: ${parsed.observed_at}`)
    return parsed
  },
}
