import { ParseError } from '../../config/errors.ts'
import type { Collector, LandingTable, ParseContext, Parsed } from './collector.ts'
import { decodeBody } from './decode-body.ts'

/** The text of an answer's bytes, read by its collector. @throws ParseError, also for a body nested deeper than our stack */
export function parseBody<T extends LandingTable>(
  collector: Collector<T>,
  body: Uint8Array,
  context: ParseContext,
): Parsed<T> {
  try {
    return collector.parse(decodeBody(body, context.content_type), context)
  } catch (cause) {
    if (!(cause instanceof RangeError && cause.message.includes('call stack'))) throw cause
    throw new ParseError('$', 'is nested too deep to be read', { cause })
  }
}
