import { z } from 'zod'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const AirlineNames = z.strictObject({
  iata: z.string().length(2),
  airline: z.string().min(1).describe('The airline as `cabin-bags.json` names it.'),
  names: foundTexts,
  ...Evidence.shape,
})
export type AirlineNames = z.infer<typeof AirlineNames>

/** The IATA codes that the pages about bags lack, and other names that travellers use. */
export const AIRLINE_NAMES = referenceFile('airline-names', AirlineNames)
