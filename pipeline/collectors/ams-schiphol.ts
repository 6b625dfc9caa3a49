import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, objectAt } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { fillersNoted, queueUnknown, rowUnreadable } from '../parsing/left-out.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/** "Vertrekfilter" and "vertrekhal": where departing travellers are screened. */
const DEPARTURE = /^V[FH]\d/
/** Filters between Schengen and other gates, for people who change planes (seen 2023 to 2026). */
const TRANSFER = /^(AF\d|[A-Z]{2}-T|NS-S|S-NS)$/

/**
 * Schiphol's filters by code, in seconds. 60 is the lowest wait it shows, so a 0 (at night) is no wait that was measured.
 * Spikes of three hours are landed as published, for a check to flag.
 */
export const amsSchiphol: Collector<'readings'> = {
  id: 'ams-schiphol',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null)],
  parse: (body, context) => {
    const notices: Notice[] = []
    const filters = Object.entries(objectAt(jsonBody(body), '$'))
    const rows = filters.flatMap(([code, filter]) => parseFilter(code, filter, context, notices) ?? [])
    const zeros = filters.filter(([code, filter]) => DEPARTURE.test(code) && isNightValue(filter))
    fillersNoted(zeros.length, { path: 'waitTimeInSeconds', iata: airportOf(context), notices })
    return finish(rows, notices, context)
  },
}

function parseFilter(code: string, filter: unknown, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${code}.${field}`, iata, notices })
  if (!isObject(filter)) return rowUnreadable(filter, { path: code, iata, notices })
  if (TRANSFER.test(code)) return null
  if (!DEPARTURE.test(code)) return queueUnknown(code, { path: code, iata, notices })
  const updated = isoClock(filter.updated, context.timezoneOf(iata), context.fetched_at)
  return {
    kind: 'security',
    iata,
    terminal: '',
    checkpoint: code,
    lane: 'all',
    ...observedAt(updated, filter.updated, context, place('updated')),
    ...plainWait(
      isNightValue(filter) ? null : readMinutes(filter.waitTimeInSeconds, 'seconds', place('waitTimeInSeconds')),
    ),
  }
}

function isNightValue(filter: unknown): boolean {
  return isObject(filter) && filter.waitTimeInSeconds === 0
}
