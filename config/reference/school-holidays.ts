import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'
import { PUBLIC_HOLIDAYS } from './public-holidays.ts'

const SchoolHolidays = z.strictObject({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2.'),
  region: z
    .string()
    .regex(/^[A-Z]{2}-/)
    .describe('ISO 3166-2.'),
  known_from: z.iso.date(),
  known_to: z.iso.date().describe('Between these days all school holidays are listed.'),
  spans: z.array(z.strictObject({ name: z.string().min(1), from: z.iso.date(), to: z.iso.date() })).min(1),
  ...Evidence.shape,
})

/** School holidays of regions with a public calendar. */
export const SCHOOL_HOLIDAYS = referenceFile('school-holidays', SchoolHolidays)

/** Knowledge about the school holidays of a day: all of them, single days on which schools are closed, or none. */
export interface SchoolDay {
  coverage: 'known' | 'some_days' | 'not_known'
  name: string | null
  source: string | null
}

const NOTHING: SchoolDay = { coverage: 'not_known', name: null, source: null }

/** The school holidays at a place on a local day (YYYY-MM-DD). */
export function schoolDayAt(country: string, region: string | null, date: string): SchoolDay {
  const row = region === null ? undefined : SCHOOL_HOLIDAYS.where('region', region)[0]
  if (row && date >= row.known_from && date <= row.known_to) {
    const span = row.spans.find(({ from, to }) => date >= from && date <= to)
    return { coverage: 'known', name: span?.name ?? null, source: row.source }
  }
  const calendar = PUBLIC_HOLIDAYS.where('country', country)[0]
  const days = calendar?.school_days
  if (!calendar || !days || !Object.keys(days).some((day) => day.startsWith(date.slice(0, 4)))) return NOTHING
  return { coverage: 'some_days', name: days[date] ?? null, source: calendar.source }
}
