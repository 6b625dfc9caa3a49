import { expect, it } from 'vitest'
import { corrected, daysOff, listedDays } from '../../config/reference/build/holidays.ts'
import { HOLIDAY_CORRECTIONS } from '../../config/reference/holiday-corrections.ts'
import { PUBLIC_HOLIDAYS } from '../../config/reference/public-holidays.ts'

it('the committed days are those of the package with the corrections, which all still change something', () => {
  for (const country of new Set(HOLIDAY_CORRECTIONS.rows().map((row) => row.country))) {
    const days = Object.fromEntries(daysOff(country, [2026, 2027, 2028]))
    expect(days, country).toEqual(PUBLIC_HOLIDAYS.where('country', country)[0]!.days)
  }
  for (const correction of HOLIDAY_CORRECTIONS.rows()) {
    const [first, last] = correction.years
    const years = [first, 2026, 2027, last].filter((year) => year >= first && year <= last)
    const before = listedDays(correction.country, years)
    expect(corrected(before, correction, years), `${correction.country} ${correction.name}`).not.toEqual(before)
  }
})

it('a holiday of several days has all of them, and the hour of a clock put forward takes none away', () => {
  const turkey = daysOff('TR', [2027])
  for (const day of ['2027-03-09', '2027-03-10', '2027-03-11']) expect(turkey.get(day)).toContain('Eid al-Fitr')
  expect(turkey.has('2027-03-12')).toBe(false)
  expect(daysOff('IT', [2027]).get('2027-03-28')).toBe('Easter Sunday')
})

it('what date-holidays ends too early lasts as long as the second calendar says', () => {
  const is = (country: string, day: string) => daysOff(country, [Number(day.slice(0, 4))]).get(day)
  expect([is('MA', '2027-03-10'), is('MA', '2027-03-11')]).toEqual(['End of Ramadan (Eid al-Fitr)', undefined])
  expect([is('DZ', '2027-05-18'), is('DZ', '2027-05-19')]).toEqual(['Feast of the Sacrifice (Eid al-Adha)', undefined])
  expect([is('CN', '2027-02-08'), is('CN', '2027-02-09')]).toEqual(['Spring Festival', undefined])
  expect(is('AZ', '2027-03-24')).toBe('Novruz')
  expect(is('BG', '2026-12-26')).toBe('Christmas Day')
  // Of the two days in Malaysia the second one is the day off that a package without its list misses.
  expect([is('MY', '2027-03-09'), is('MY', '2027-03-11')]).toEqual([undefined, 'End of Ramadan (Eid al-Fitr)'])
})

it('what date-holidays has on a wrong day is on the right one', () => {
  const is = (country: string, day: string) => daysOff(country, [Number(day.slice(0, 4))]).get(day)
  // Tunisia moved the day by a decree that neither calendar has.
  expect([is('TN', '2026-12-17'), is('TN', '2027-01-14')]).toEqual(['Revolution Day', undefined])
  expect([is('TN', '2020-01-14'), is('TN', '2027-07-25')]).toEqual(['Revolution and Youth Day', 'Republic Day'])
  expect([is('TN', '2027-05-17'), is('TN', '2027-05-18')]).toEqual(['Feast of the Sacrifice (Eid al-Adha)', undefined])
  expect(is('GR', '2027-03-15')).toBe('Clean Monday')
  // Clean Monday is a Monday.
  expect([is('CY', '2026-02-23'), is('CY', '2026-02-24')]).toEqual(['Clean Monday', undefined])
  expect(is('CY', '2026-06-01')).toBe('Pentecost')
  // The Ethiopian year before a Gregorian leap year has the leap day.
  for (const [year, day] of [
    [2023, 12],
    [2024, 11],
    [2026, 11],
    [2027, 12],
    [2028, 11],
  ] as const)
    expect(is('ET', `${year}-09-${day}`), String(year)).toBe("New Year's Day")
  for (const year of [2026, 2027, 2028]) expect(is('ET', `${year}-01-07`)).toBe('Christmas Day')
  expect([is('BN', '2026-05-31'), is('BN', '2026-03-31')]).toEqual(['Armed Forces Day', undefined])
  expect([is('ME', '2026-11-13'), is('ME', '2026-04-02')]).toEqual(['Njegos Day', undefined])
  expect(is('IN', '2026-11-08')).toBe('Diwali')
  expect(is('TH', '2026-12-07')).toBe("King Bhumibol Adulyadej's Birthday (in lieu)")
  expect([is('PH', '2026-11-01'), is('PH', '2026-12-08')]).toEqual(["All Saints' Day", 'Immaculate Conception'])
  expect([is('SG', '2027-05-20'), is('TH', '2027-05-20')]).toEqual(['Vesak Day', 'Visakha Bucha'])
  // Days that follow the moon were those of one year in every year.
  expect([is('LK', '2026-05-28'), is('LK', '2027-05-28')]).toEqual(['Id-Ul-Alha (Hadji Festival Day)', undefined])
  expect([is('LK', '2027-05-01'), is('BD', '2026-08-24')]).toEqual(['Labour Day', undefined])
  expect([is('IN', '2027-03-10'), is('AE', '2027-05-15')]).toEqual(['Eid al-Fitr', 'Day of Arafah'])
  expect([is('KR', '2027-05-01'), is('MA', '2027-01-14')]).toEqual(['Labour Day', 'Amazigh New Year'])
  expect([is('TW', '2026-12-25'), is('VN', '2026-11-24')]).toEqual(['Constitution Day', 'Vietnam Cultural Day'])
})
