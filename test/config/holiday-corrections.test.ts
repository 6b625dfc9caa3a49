import { describe, expect, it } from 'vitest'
import { calendarOf, isCalendarInstalled } from '../../config/reference/build/calendar.ts'
import { corrected, daysOff, listedDays } from '../../config/reference/build/holidays.ts'
import { HOLIDAY_CORRECTIONS } from '../../config/reference/holiday-corrections.ts'
import { PUBLIC_HOLIDAYS } from '../../config/reference/public-holidays.ts'
import { readCases } from '../values.ts'

/** Country, day, and the holiday that it is, or null: what date-holidays ends too early, or has on a wrong day or of one year in all. */
const DAYS = readCases<[string, string, string | null][]>('config/corrected-days.json')

it.each(DAYS.filter(([, day]) => day >= '2026'))('the committed days have in %s on %s: %s', (country, day, name) => {
  expect(PUBLIC_HOLIDAYS.where('country', country)[0]!.days[day] ?? null).toBe(name)
})

describe.skipIf(!isCalendarInstalled())('the calendar (needs npm ci --prefix config/reference/build)', () => {
  it('the committed days are those of the package with the corrections, which all still change something', () => {
    for (const country of new Set(HOLIDAY_CORRECTIONS.rows().map((row) => row.country))) {
      const days = Object.fromEntries(daysOff(country, [2026, 2027, 2028]))
      expect(days, country).toEqual(PUBLIC_HOLIDAYS.where('country', country)[0]!.days)
    }
    for (const correction of HOLIDAY_CORRECTIONS.rows()) {
      const [first, last] = correction.years
      const years = [first, 2026, 2027, last].filter((year) => year >= first && year <= last)
      const isChanged = (state?: string) => {
        const before = listedDays(correction.country, years, state)
        return corrected(before, correction, years).join() !== before.join()
      }
      const states = Object.keys(calendarOf().getStates(correction.country) ?? {})
      expect(isChanged() || states.some(isChanged), `${correction.country} ${correction.name}`).toBe(true)
    }
  })

  it('a holiday of several days has all of them, and the hour of a clock put forward takes none away', () => {
    const turkey = daysOff('TR', [2027])
    for (const day of ['2027-03-09', '2027-03-10', '2027-03-11']) expect(turkey.get(day)).toContain('Eid al-Fitr')
    expect(turkey.has('2027-03-12')).toBe(false)
    expect(daysOff('IT', [2027]).get('2027-03-28')).toBe('Easter Sunday')
  })

  it.each(DAYS)('in %s %s is: %s', (country, day, name) => {
    expect(daysOff(country, [Number(day.slice(0, 4))]).get(day) ?? null).toBe(name)
  })
})
