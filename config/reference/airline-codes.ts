import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const AirlineCode = z.strictObject({
  icao: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('ICAO designator: how flight trackers and pilots write the airline.'),
  iata: z.string().length(2).describe('IATA code of the airline that sells the flights.'),
  ...Evidence.shape,
})

/** ICAO designators of airlines, and of those that fly for one alone. An airline may fly under several. */
export const AIRLINE_CODES = referenceFile('airline-codes', AirlineCode)
