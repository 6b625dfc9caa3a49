import type { Lane } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { levelIn } from '../parsing/level.ts'

/** Its three checkpoints by the keys of the feed; the second of each is PreCheck's. */
const CHECKPOINTS: { key: string; checkpoint: string; lane: Lane }[] = ['a', 'b', 'c'].flatMap((key) => [
  { key, checkpoint: key.toUpperCase(), lane: 'all' },
  { key: `${key}pre`, checkpoint: key.toUpperCase(), lane: 'precheck' },
])

/**
 * Cleveland publishes levels, not minutes (seen 2026-08): they are kept as words, and the check `level_without_minutes`
 * notices them. Others turn them into 15, 30 and 35
 * minutes, which nobody measured.
 */
export const cleLevels: Collector<'readings'> = {
  id: 'cle-levels',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, source.airports[0] ?? null)],
  parse: (body, context) => {
    const [first] = listAt(jsonBody(body), '$')
    const notices: Notice[] = []
    if (first === undefined) return { readings: [], notices }
    const levels = levelsIn(objectAt(first, '$[0]').field_json)
    const rows = CHECKPOINTS.flatMap(({ key, checkpoint, lane }) =>
      readingOf(levels[key], `$[0].field_json.${key}`, { checkpoint, lane }, context, notices),
    )
    return finish(rows, notices, context)
  },
}

/** An object, or the text of one. */
function levelsIn(field: unknown): JsonObject {
  return objectAt(typeof field === 'string' ? jsonBody(field) : field, '$[0].field_json')
}

function readingOf(
  said: unknown,
  path: string,
  queue: { checkpoint: string; lane: Lane },
  context: ParseContext,
  notices: Notice[],
): ParsedReading[] {
  // A flag at PreCheck's key says that there is such a lane, not how long it is.
  if (said === undefined || said === null || typeof said === 'boolean') return []
  const iata = airportOf(context)
  const level = levelIn(textOf(said))
  const closed = textOf(said).toLowerCase() === 'closed'
  if (level === null && !closed)
    notices.push(notice('wait_text_unknown', 'warning', path, 'A wait text is new to us.', said, iata))
  return [
    {
      kind: 'security',
      iata,
      terminal: '',
      ...queue,
      observed_at: context.fetched_at,
      observed_at_basis: 'fetch',
      wait_minutes: null,
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: textOf(said) || null,
      status: closed ? 'closed' : level === null ? 'unknown' : 'open',
    },
  ]
}
