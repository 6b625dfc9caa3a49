import { z } from 'zod'
import { Instant } from '../../config/answer-schemas.ts'
import { countryCode } from '../../config/reference/countries.ts'
import { Iata } from '../../config/vocabulary.ts'

/** Parameters and fields that several queries share. The facts themselves are in config/answer-schemas.ts. */

export const iata = Iata.describe('IATA code.').meta({ examples: ['JFK'] })

/** A remark about the code that was sent. */
export const notice = z
  .string()
  .optional()
  .describe('Only where a former code or another name was sent: which airport it was read as.')
  .meta({ examples: ['PBI is DJT since 18 August 2026.'] })

/** A remark about an airport without passenger flights; `defineQuery` fills it in. */
export const no_flights = z
  .string()
  .optional()
  .describe('Only of an airport without passenger flights: since when, why, and what took its place.')

/** A country as callers write it: its code in any case, also EL and UK, or its name; read as the ISO code. `takesAnyCode`: also two letters that are no country's, of which nothing is known. */
export const countryText = ({ example = 'FR', takesAnyCode = false } = {}) =>
  z
    .string()
    .max(60)
    .meta({ examples: [example] })
    .transform((text, context) => {
      const code = countryCode(text)
      if (code !== null) return code
      if (takesAnyCode && /^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
      context.addIssue(`is not a known country: give its ISO 3166-1 code, like ${example}, or its name`)
      return z.NEVER
    })

export const countryFilter = countryText({ example: 'US', takesAnyCode: true })
  .optional()
  .describe('Only this country: its ISO 3166-1 code or name.')

export const simulated = z
  .boolean()
  .describe(
    'True when the figures are from a simulated world (the demo), false when they are real: facts of pages and rules always are.',
  )

export const timestamp = Instant.describe(
  'When the snapshot behind this answer was made (UTC). Ages are as of this instant; if it is over two minutes old, as of the minute of the answer.',
)

/** An object with the same schema under each name. Spelled out, not a record, so that OpenAPI lists its properties. */
export function objectOf<Name extends string, S extends z.ZodType>(names: readonly Name[], schema: S) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, S>)
}

/** The parameters of every listing that has pages. */
export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Page size.')
    .meta({ examples: [50] }),
  page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Page number; past the last page `data` is empty.')
    .meta({ examples: [1] }),
}

export const Pagination = z.strictObject({
  page: z.int().min(1),
  limit: z.int().min(1),
  total: z.int().min(0).describe('Airports that match.'),
  total_pages: z.int().min(0),
})

/** One page of the matching rows. */
export function pageOf<T>(matching: readonly T[], { limit, page }: { limit: number; page: number }) {
  const total = matching.length
  return {
    rows: matching.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total, total_pages: Math.ceil(total / limit) },
  }
}
