import { expect, it } from 'vitest'
import { corrected, daysOff } from '../../config/reference/build/holidays.ts'
import { HOLIDAY_CORRECTIONS } from '../../config/reference/holiday-corrections.ts'
import { PUBLIC_HOLIDAYS } from '../../config/reference/public-holidays.ts'

it('the committed days are those of the package with the corrections, which all still change something', () => {
  for (const country of new Set(HOLIDAY_CORRECTIONS.rows().map((row) => row.country))) {
    const days = Object.fromEntries(daysOff(country, [2026, 2027, 2028]))
    expect(days, country).toEqual(PUBLIC_HOLIDAYS.where('country', country)[0]!.days)
  }
  for (const correction of HOLIDAY_CORRECTIONS.rows()) {
    const years = [correction.years[0], correction.years[1], 2026, 2027].filter((year) => year >= 2026 && year <= 2027)
    const before = [...daysOff(correction.country, years, [])]
    expect(corrected(before, correction, years), `${correction.country} ${correction.name}`).not.toEqual(before)
  }
})

it('a holiday of several days has all of them, and the hour of a clock put forward takes none away', () => {
  const turkey = daysOff('TR', [2027])
  for (const day of ['2027-03-09', '2027-03-10', '2027-03-11']) expect(turkey.get(day)).toContain('Eid al-Fitr')
  expect(turkey.has('2027-03-12')).toBe(false)
  expect(daysOff('IT', [2027]).get('2027-03-28')).toBe('Easter Sunday')
})
