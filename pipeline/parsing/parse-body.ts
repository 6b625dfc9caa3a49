import { airportDirectory } from '../../config/airports/directory.ts'
import { ParseError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import type { Collector, LandingTable, ParseContext, Parsed } from './collector.ts'
import { decodeBody } from './decode-body.ts'

/** What a parser may know about a capture besides its body. */
export function parseContext(
  source: Source,
  capture: { iata: string | null; url: string; content_type: string | null; fetched_at: string },
): ParseContext {
  const directory = airportDirectory()
  return {
    source,
    iata: capture.iata,
    url: capture.url,
    content_type: capture.content_type,
    fetched_at: capture.fetched_at,
    timezoneOf: (iata) => {
      const airport = directory.byIata.get(iata)
      if (!airport) throw new Error(`${iata} is not in the airport directory`)
      return airport.timezone
    },
    iataOf: (id) => (directory.byFaaId.get(id) ?? directory.byIcao.get(id) ?? directory.byIata.get(id))?.iata ?? null,
  }
}

/** Decodes a body and parses it by its collector. @throws ParseError, also for a body nested too deeply for the call stack */
export function parseBody<T extends LandingTable>(
  collector: Collector<T>,
  body: Uint8Array,
  context: ParseContext,
): Parsed<T> {
  try {
    return collector.parse(decodeBody(body, context.content_type), context)
  } catch (cause) {
    if (!(cause instanceof RangeError && cause.message.includes('call stack'))) throw cause
    throw new ParseError('$', 'is nested too deeply to be parsed', { cause })
  }
}
