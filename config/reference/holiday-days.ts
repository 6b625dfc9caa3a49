import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

/** The years that the table covers: those of any history that somebody may import, and of any forecast. */
export const HOLIDAY_YEARS = { first: 2010, last: 2040 } as const

export const HolidayDays = z.strictObject({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  /** Year → its public holidays as MMDD, with spaces between them. */
  years: z.record(z.string().regex(/^\d{4}$/), z.string().regex(/^\d{4}( \d{4})*$/)),
  ...Evidence.shape,
})
export type HolidayDays = z.infer<typeof HolidayDays>

/** The days of the national public holidays, over the years that histories and forecasts have. Their names: `public-holidays.ts`. */
export const HOLIDAY_DAYS = referenceFile('holiday-days', HolidayDays)
