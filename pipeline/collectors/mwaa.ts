import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { postedWait } from '../parsing/posted.ts'

/** The two lanes of an entry: the word of each, and the flag that takes it away. */
const LANES: { lane: Lane; wait: string; off: string }[] = [
  { lane: 'standard', wait: 'waittime', off: 'isDisabled' },
  { lane: 'precheck', wait: 'pre', off: 'pre_disabled' },
]

/** Washington's DCA and IAD: the page's own address answers in JSON when asked as its script asks (seen 2026-08). */
export const mwaa: Collector<'readings'> = {
  id: 'mwaa',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, source.airports[0] ?? null, { 'X-Requested-With': 'XMLHttpRequest' })],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    const notices: Notice[] = []
    const response = objectAt(answer.response, 'response')
    // PHP writes an empty map as an empty list.
    const empty = Array.isArray(response.res) && response.res.length === 0
    const entries = empty ? [] : Object.entries(objectAt(response.res, 'response.res'))
    return finish(
      entries.flatMap(([key, entry]) => parseEntry(entry, `response.res.${key}`, context, notices)),
      notices,
      context,
    )
  },
}

function parseEntry(entry: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(entry) ? nameOf(entry) : ''
  if (!isObject(entry) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no location.', entry, iata))
    return []
  }
  // A lane without its word is not offered there; it is not a lane without a wait.
  return LANES.filter(({ wait }) => typeof entry[wait] === 'string' || typeof entry[wait] === 'number').map(
    ({ lane, wait, off }) => {
      const posted = postedWait(textOf(entry[wait]), { path: `${path}.${wait}`, iata, notices })
      return {
        kind: 'security',
        iata,
        terminal: checkpoint.match(/^Terminal (\w+)/)?.[1] ?? '',
        checkpoint,
        lane,
        observed_at: context.fetched_at,
        observed_at_basis: 'fetch',
        ...posted,
        status: isSet(entry[off]) ? 'closed' : posted.status,
      }
    },
  )
}

/** IAD's "Terminal 1( )" is a name whose gates were left out. */
function nameOf(entry: JsonObject): string {
  const said = [entry.location, entry.gates].map((part) => textOf(part).replace(/\s*\(\s*\)/g, ''))
  return said.filter(Boolean).join(', ')
}

const isSet = (flag: unknown) => flag === true || /^(1|true|yes)$/i.test(textOf(flag))
