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
  other_days: z
    .record(z.string().min(1), z.string().regex(/^\d{4}-\d{2}-\d{2}( \d{4}-\d{2}-\d{2})*$/))
    .optional()
    .describe("By name the days of the whole country that people know by it and have not off, such as Mother's Day."),
  names: z
    .record(z.string().min(1), z.string().min(1))
    .optional()
    .describe('By the English name of a day those in the languages of the country, with | between them.'),
  ...Evidence.shape,
})
export type PublicHolidays = z.infer<typeof PublicHolidays>

/** Public holidays of the countries and regions with scheduled airports. */
export const PUBLIC_HOLIDAYS = referenceFile('public-holidays', PublicHolidays)

/** The days of a place that have a name. */
export type NamedDaysOfPlace = Pick<PublicHolidays, 'days' | 'other_days' | 'names'>

/** The public holidays at a place by day (YYYY-MM-DD), its other days with a name, and their source; null for a country without a calendar. */
export function holidaysAt(country: string, region: string | null): (NamedDaysOfPlace & { source: string }) | null {
  const calendar = PUBLIC_HOLIDAYS.where('country', country)[0]
  if (!calendar) return null
  const { days, regions = {}, other_days, names, source } = calendar
  return { days: region === null ? days : { ...regions[region], ...days }, other_days, names, source }
}
