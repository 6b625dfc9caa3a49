import { z } from 'zod'
import { AirportSize, Iata } from '../../../config/domain.ts'
import { Instant } from '../../../config/facts.ts'

/** Parameters and fields that several answers share. The facts themselves are in config/facts.ts. */

export const iata = Iata.describe('IATA code of the airport: three capital letters.').meta({ examples: ['JFK'] })

export const countryFilter = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 code of two letters, like US')
  .optional()
  .describe('Only airports of this country (ISO 3166-1 alpha-2).')
  .meta({ examples: ['US'] })

export const simulated = z
  .boolean()
  .describe('True when the figures are of a simulated world (the demo), false when they are of the real one.')

export const timestamp = Instant.describe(
  'When the snapshot that answers was made (UTC). Ages are as of this instant; once it is over five minutes old, as of the minute of the answer.',
)

/** An object with the same schema under each name. Spelled out, not a record, so that the document lists its properties. */
export function each<Name extends string, S extends z.ZodType>(names: readonly Name[], schema: S) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>)
}

export const AirportEntry = z
  .strictObject({
    iata,
    icao: z.string().nullable(),
    name: z.string(),
    city: z.string().nullable(),
    country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
    region: z.string().nullable(),
    latitude: z.number(),
    longitude: z.number(),
    elevation_ft: z.number().nullable(),
    timezone: z.string().describe('IANA name.'),
    size: AirportSize,
    scheduled_service: z.boolean(),
    live: z.boolean().describe('Whether a source gives a live reading at this moment.'),
    sources: z.array(z.string()).describe('Ids of the active sources that cover it: waits, delays and weather.'),
  })
  .meta({ id: 'Airport', description: 'One airport of the directory.' })
