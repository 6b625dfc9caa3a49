import { z } from 'zod'
import { Iata } from '../vocabulary.ts'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const MetroCode = z.strictObject({
  metro: Iata.describe('Metropolitan area code, like LON.'),
  name: z.string(),
  country: z.string().length(2),
  code_is_also_an_airport: z.boolean(),
  airports: z.array(z.strictObject({ iata: Iata, traffic_rank: z.number().nullable(), in_lists: foundTexts })).min(1),
  ...Evidence.shape,
})
export type MetroCode = z.infer<typeof MetroCode>

/** IATA codes of cities with several airports. */
export const METRO_CODES = referenceFile('metro-codes', MetroCode)
