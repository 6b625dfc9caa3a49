import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const named = {
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  years: z.tuple([z.int(), z.int()]).describe('First and last year.'),
  name: z.string().min(1).describe('Of the holiday, as date-holidays has it in English.'),
  why: z.string().min(1),
  evidence: Evidence,
}

const HolidayCorrection = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('add'),
    days: z
      .string()
      .regex(/^\d{2}-\d{2}(\.\.\d{2}-\d{2})?$/)
      .describe('A day of each year, or a range.'),
    ...named,
  }),
  z.strictObject({
    action: z.literal('extend'),
    by: z.int().min(1).describe('Days more behind the last one.'),
    ...named,
  }),
  z.strictObject({ action: z.literal('drop'), ...named }),
  z.strictObject({ action: z.literal('rename'), to: z.string().min(1), ...named }),
  z.strictObject({ action: z.literal('move'), by: z.int().describe('Days later; negative: earlier.'), ...named }),
])
export type HolidayCorrection = z.infer<typeof HolidayCorrection>

/** Corrections of days off that the calendar package has wrong. */
export const HOLIDAY_CORRECTIONS = referenceFile('holiday-corrections', HolidayCorrection)
