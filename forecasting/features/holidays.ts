import { HOLIDAY_DAYS } from '../../config/reference/holiday-days.ts'
import { DAY_MS } from '../../config/vocabulary.ts'

/** Kind of a calendar day for travel: 0 plain, 1 public holiday, 2 the day before one, 3 the day after one. */
export type DayKind = 0 | 1 | 2 | 3

/** Public holidays as days since 1970-01-01, by country, of the years that the table covers. */
const cachedHolidays = new Map<string, ReadonlySet<number>>()

function publicHolidays(country: string): ReadonlySet<number> {
  const known = cachedHolidays.get(country)
  if (known) return known
  const { years = {} } = HOLIDAY_DAYS.rows().find((row) => row.country === country) ?? {}
  const days = new Set(
    Object.entries(years).flatMap(([year, text]) =>
      text.split(' ').map((day) => Date.parse(`${year}-${day.slice(0, 2)}-${day.slice(2)}T00:00:00Z`) / DAY_MS),
    ),
  )
  cachedHolidays.set(country, days)
  return days
}

function isPublicHoliday(country: string, day: number): boolean {
  return publicHolidays(country).has(day)
}

/** Kind of a local calendar day (days since 1970-01-01) by the national holidays of an ISO country; 0 without a country. */
export function dayKind(country: string | null, day: number): DayKind {
  if (country === null) return 0
  if (isPublicHoliday(country, day)) return 1
  if (isPublicHoliday(country, day + 1)) return 2
  return isPublicHoliday(country, day - 1) ? 3 : 0
}

/** A holiday further away than this many days changes nothing. */
const MAX_HOLIDAY_DAYS = 14

/** Days from a local calendar day to the nearest public holiday; infinite when none is within two weeks, or without a country. */
function daysToHoliday(country: string | null, day: number): number {
  if (country === null) return Number.POSITIVE_INFINITY
  for (let apart = 0; apart <= MAX_HOLIDAY_DAYS; apart++)
    if (isPublicHoliday(country, day - apart) || isPublicHoliday(country, day + apart)) return apart
  return Number.POSITIVE_INFINITY
}

/** The position of a local calendar day among the public holidays of a country. */
export interface HolidayDay {
  kind: DayKind
  days_to_holiday: number
}

const cachedDays = new Map<string | null, Map<number, HolidayDay>>()

/** A function from local calendar days to what they are in a country, which looks each day up once. */
export function holidayCalendar(country: string | null): (day: number) => HolidayDay {
  const days = cachedDays.get(country) ?? new Map<number, HolidayDay>()
  cachedDays.set(country, days)
  return (day) => {
    const found = days.get(day)
    if (found) return found
    const known = { kind: dayKind(country, day), days_to_holiday: daysToHoliday(country, day) }
    days.set(day, known)
    return known
  }
}
