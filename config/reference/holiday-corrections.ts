import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const HolidayCorrection = z.strictObject({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  years: z.tuple([z.int(), z.int()]).describe('First and last year.'),
  action: z.enum(['add', 'drop', 'earlier']).describe('earlier: all days of this holiday are a day earlier.'),
  days: z
    .string()
    .regex(/^(named|\d{2}-\d{2}(\.\.\d{2}-\d{2})?)$/)
    .describe('named: every day of the name; otherwise a day of each year or a range within a month.'),
  name: z.string().min(1).describe('Of the holiday, as date-holidays has it in English.'),
  why: z.string().min(1),
  evidence: Evidence,
})
export type HolidayCorrection = z.infer<typeof HolidayCorrection>

/** Where the calendar package has other days off than a country. */
export const HOLIDAY_CORRECTIONS = referenceFile('holiday-corrections', HolidayCorrection)
