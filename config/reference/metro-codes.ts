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

/** Codes of booking systems that the imported file lacks, written by hand with their page. */
export const FURTHER_METRO_CODES = referenceFile('further-metro-codes', MetroCode)

/** The city of a code in capitals; null if it stands for none. */
export const metroByCode = (code: string): MetroCode | null =>
  METRO_CODES.where('metro', code)[0] ?? FURTHER_METRO_CODES.where('metro', code)[0] ?? null
