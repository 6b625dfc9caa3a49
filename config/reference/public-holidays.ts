import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

/** Day (YYYY-MM-DD) → name. */
const NamedDays = z.record(z.iso.date(), z.string().min(1))

export const PublicHolidays = z.strictObject({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  days: NamedDays.describe('Those of the whole country.'),
  regions: z
    .record(z.string().regex(/^[A-Z]{2}-/), NamedDays)
    .optional()
    .describe('By region (ISO 3166-2) those that it has besides.'),
  school_days: NamedDays.optional().describe(
    'Days on which schools of the country are closed that are no public holidays: single days, never all school holidays.',
  ),
  ...Evidence.shape,
})
export type PublicHolidays = z.infer<typeof PublicHolidays>

/** Public holidays of the countries and regions with scheduled airports. */
export const PUBLIC_HOLIDAYS = referenceFile('public-holidays', PublicHolidays)

/** The public holidays at a place by day (YYYY-MM-DD), with their source; null for a country without a calendar. */
export function holidaysAt(country: string, region: string | null) {
  const calendar = PUBLIC_HOLIDAYS.where('country', country)[0]
  if (!calendar) return null
  const { days, regions = {}, source } = calendar
  return { days: region === null ? days : { ...regions[region], ...days }, source }
}
