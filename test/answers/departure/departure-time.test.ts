import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { departureTime } from '../../../answers/departure/departure-time.ts'
import { projectFile } from '../../../config/paths.ts'
import { isoUtc } from '../../../config/vocabulary.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')
const departure = (text: string, timezone = 'America/New_York') => {
  const { departure_ms, note } = departureTime(text, { timezone, country: 'US', region: 'US-NY' }, NOW)
  return [isoUtc(departure_ms), note]
}

/**
 * Texts and what they are read as: an instant, a day, or a pattern of why they are refused. Easter Sunday is no day off in France, and
 * its calendar lacks it; that of China begins with the eve; a substitute day (`Coronation Dy`) is not read by the name of its holiday.
 */
const CASES: {
  read: [text: string, instant: string][]
  refused: [text: string, why: string][]
  holidays: [country: string, text: string, day: string][]
  holidays_of_several_days: [country: string, text: string, why: string][]
  guesses: [country: string, text: string, why: string][]
} = JSON.parse(readFileSync(projectFile('test/answers/departure/departure-times.json'), 'utf8'))

it.each(CASES.read)('reads %s as %s', (text, instant) => {
  expect(departure(text)).toEqual([instant, null])
})

it('takes the first of two clock times when the clocks go back, and says so; an offset chooses', () => {
  expect(departure('2026-11-01T01:30')).toEqual(['2026-11-01T05:30:00Z', expect.stringContaining('occurs twice')])
  expect(departure('2026-11-01T01:30-05:00')).toEqual(['2026-11-01T06:30:00Z', null])
  expect(departure('2026-10-25T02:15', 'Europe/Berlin')).toEqual([
    '2026-10-25T00:15:00Z',
    expect.stringContaining('occurs twice'),
  ])
})

it.each(CASES.refused)('refuses %s', (text, why) => {
  expect(() => departure(text)).toThrow(new RegExp(why))
  expect(() => departure(text)).toThrowError(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
})

/** A country, or a region of one: `US-MA`. */
const placeOf = (code: string) => ({
  timezone: 'UTC',
  country: code.slice(0, 2),
  region: code.includes('-') ? code : null,
})

it.each(CASES.holidays)('in %s reads the holiday of the place: %s', (country, text, day) => {
  const { departure_ms } = departureTime(text, placeOf(country), NOW)
  expect(isoUtc(departure_ms).slice(0, 10)).toBe(day)
})

it.each(CASES.holidays_of_several_days)('in %s refuses a holiday of several days: %s', (country, text, why) => {
  expect(() => departureTime(text, placeOf(country), NOW)).toThrow(why)
})

it.each(CASES.guesses)('in %s guesses only names that it reads: %s', (country, text, why) => {
  expect(() => departureTime(text, placeOf(country), NOW)).toThrow(new RegExp(why))
})

it('reads the date of a holiday that would be of several days', () => {
  const place = { timezone: 'Africa/Cairo', country: 'EG', region: null }
  expect(isoUtc(departureTime('Dec 25 10:00', place, NOW).departure_ms)).toBe('2026-12-25T08:00:00Z')
})
