import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const PublicHolidays = z.strictObject({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  /** Day (YYYY-MM-DD) → name. */
  days: z.record(z.iso.date(), z.string().min(1)),
  ...Evidence.shape,
})
export type PublicHolidays = z.infer<typeof PublicHolidays>

/** National public holidays of the countries with scheduled airports. */
export const PUBLIC_HOLIDAYS = referenceFile('public-holidays', PublicHolidays)
