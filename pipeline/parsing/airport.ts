import { ParseError } from '../../config/errors.ts'
import type { ParseContext } from './collector.ts'

/** The one airport that an answer is about: the one asked for, else the only one of its source. @throws ParseError */
export function airportOf(context: ParseContext): string {
  const [only, another] = context.source.airports
  const iata = context.iata ?? (another === undefined ? only : undefined)
  if (iata === undefined) throw new ParseError('iata', 'the answer does not name its airport, so the request must')
  return iata
}
