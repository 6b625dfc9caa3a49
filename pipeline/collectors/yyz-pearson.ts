import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import { instantOf } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { isoMs } from '../parsing/fields.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { seenAtFetch } from '../parsing/page.ts'

/** Toronto Pearson's own feed: seconds; checkpoints for connecting passengers are not the queue of a departure (seen 2026-04). */
export const yyzPearson: Collector<'readings'> = {
  id: 'yyz-pearson',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [
    askJson(source.url, source.airports[0] ?? null, { Referer: source.page_url ?? source.url }),
  ],
  parse: (body, context) => {
    const notices: Notice[] = []
    const list = listAt(objectAt(jsonBody(body), '$').checkpoints, 'checkpoints')
    const rows = list.flatMap((row, at) => parseCheckpoint(row, `checkpoints[${at}]`, context, notices))
    return finish(rows, notices, context)
  },
}

function parseCheckpoint(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  const checkpoint = isObject(row) ? textOf(row.nameEn) : ''
  if (!isObject(row) || checkpoint === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A checkpoint has no name.', row, iata))
    return []
  }
  if (row.departure !== true) return []
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const stamp = textOf(row.lastUpdate)
  // Without its zone a time may be hours off, and a reading would look old or from the future.
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(stamp) ? instantOf(isoMs(stamp)) : null
  const observed = stamp === '' ? seenAtFetch(context) : observedAt(zoned, stamp, context, place('lastUpdate'))
  return [
    {
      kind: 'security',
      iata,
      terminal: terminalOf(textOf(row.terminal)),
      checkpoint,
      lane: 'all',
      ...observed,
      wait_minutes: readMinutes(row.waitTimeInSecond, 'seconds', place('waitTimeInSecond')),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: null,
      status: 'unknown',
    },
  ]
}

/** "1", "T1" and "Terminal 1" are one place, and CATSA calls it T1. */
function terminalOf(words: string): string {
  const digit = words.match(/^(?:t|terminal)?\s*(\d)$/i)?.[1]
  return digit === undefined ? words : `T${digit}`
}
