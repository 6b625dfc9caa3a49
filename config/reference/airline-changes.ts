import { z } from 'zod'
import { dateWords } from '../date-words.ts'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const AirlineChange = z.strictObject({
  airline: z.string().min(1),
  names: foundTexts,
  iata: z.string().length(2),
  icao: z.string().length(3).nullable(),
  code_retired: z
    .boolean()
    .describe('Whether nobody else flies under the IATA code today, so that it means this airline.'),
  change: z.enum(['ceased', 'merged', 'renamed']),
  into: z
    .strictObject({ airline: z.string().min(1), iata: z.string().length(2) })
    .nullable()
    .describe('The airline that it became a part of, is called now, or that took its place; null: none.'),
  since: z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/),
  ...Evidence.shape,
})
export type AirlineChange = z.infer<typeof AirlineChange>

/** Airlines that ceased, merged or were renamed, which travellers still name; written by hand with their pages. */
export const AIRLINE_CHANGES = referenceFile('airline-changes', AirlineChange)

/** The change of an airline, as a sentence without a full stop: `US Airways merged into American Airlines (AA) on 17 October 2015`. */
export function changeText({ airline, change, into, since }: AirlineChange): string {
  const when = `${since.length === 10 ? 'on' : 'in'} ${dateWords(since)}`
  const successor = into && `${into.airline} (${into.iata})`
  if (change === 'ceased')
    return `${airline} ended its flights ${when}${successor === null ? '' : `, and ${successor} took its place`}`
  return change === 'merged'
    ? `${airline} merged into ${successor} ${when}`
    : `${airline} is called ${successor} since ${dateWords(since)}`
}
