import { z } from 'zod'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const Airline = z.strictObject({
  iata: z.string().length(2),
  airline: z.string().min(1).describe('As `cabin-bags.json` names it, where it has the airline.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .describe('Where airlines that fly under this name are licensed; the first is the seat of the brand.'),
  names: foundTexts.describe('Other names that travellers use, and of airlines that fly for it alone.'),
  ...Evidence.shape,
})

/** Airlines that fly, with their countries and names: those of the baggage facts, and others with the most flights in OpenTravelData. */
export const AIRLINES = referenceFile('airlines', Airline)
