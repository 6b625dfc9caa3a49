import { expect, it } from 'vitest'
import { holidayOn, peakDay } from '../../../answers/departure/peak-day.ts'

it('the eve of Thanksgiving counts by its measured number of travellers', () => {
  const eve = peakDay('US', '2026-11-25')!
  expect(eve).toMatchObject({ name: 'the day before Thanksgiving Day', factor: 1.38 })
  expect(eve.reason).toContain('1.24 times the usual number of travellers')
  expect(eve.source).toContain('tsa.gov')
  expect(peakDay('US', '2026-11-24')!.factor).toBeGreaterThan(eve.factor)
  expect(peakDay('US', '2026-11-29')!.name).toBe('3 days after Thanksgiving Day')
})

it('Thanksgiving itself and plain days are no peaks; busy weekdays of a season are', () => {
  for (const day of ['2026-11-26', '2026-10-21', '2027-03-10']) expect(peakDay('US', day), day).toBeNull()
  expect(peakDay('US', '2027-03-12')).toMatchObject({ name: 'one of the busiest days of Spring break 2027' })
})

it('abroad, the days before and after a public holiday count with the US figure, and say so', () => {
  const eve = peakDay('DE', '2026-12-24')!
  expect(eve.name).toMatch(/^the day before Christmas/)
  expect(eve.reason).toContain('no ratio is measured in this country')
  expect(eve.factor).toBeGreaterThan(1)
  expect(peakDay('DE', '2026-11-18')).toBeNull()
  expect(peakDay('XX', '2026-12-24')).toBeNull()
})

it('a day off that a calendar package leaves out is a holiday itself, and a day for some people is none', () => {
  const none = [
    ['TR', '2027-03-10', 'the second day of Eid'],
    ['SA', '2027-03-10', 'the second day of Eid'],
    ['AE', '2026-12-03', 'the second day of Eid Al Etihad'],
    ['KR', '2026-09-25', 'Chuseok itself'],
    ['KR', '2026-02-18', 'the third day of Seollal'],
    ['CN', '2026-10-04', 'in the week of 1 to 7 October'],
    ['CN', '2027-03-07', 'before half a day for women'],
    ['TH', '2026-12-06', 'between a holiday and the Monday in lieu of it'],
  ] as const
  for (const [country, day, why] of none) expect(peakDay(country, day), why).toBeNull()
  expect(peakDay('KR', '2026-09-23')!.name).toBe('the day before Korean Thanksgiving')
  expect(peakDay('CN', '2026-10-08')!.name).toBe('the day after National Day')
  expect(peakDay('TR', '2027-03-12')!.name).toBe('the day after End of Ramadan (Eid al-Fitr), expected by the moon')
})

it('a holiday of the Islamic calendar is expected by the moon, and one of another calendar is not', () => {
  expect(holidayOn('BD', '2027-06-15', null)).toBe('Day of Ashura, expected by the moon')
  expect(holidayOn('MY', '2027-01-05', 'MY-02')).toBe("Laylat al-Mi'raj, expected by the moon")
  expect(holidayOn('GM', '2027-03-09', null)).toBe('Korité, expected by the moon')
  expect(holidayOn('IR', '2027-04-01', null)).toBe('Islamic Republic Day')
  expect(holidayOn('DE', '2027-03-26', null)).toBe('Good Friday')
})
