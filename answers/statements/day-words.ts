import { DateTime } from 'luxon'

/** The day that a traveller's words mean, in English: numbers with slashes are left out, as their day and month cannot be told apart. */

const DAYS_AHEAD = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tonight', 0],
  ['tomorrow', 1],
])

/** Holidays whose date is the same in every country and year, as month and day. */
const FIXED_DAYS = new Map([
  ['christmas eve', '12-24'],
  ['christmas', '12-25'],
  ['christmas day', '12-25'],
  ['boxing day', '12-26'],
  ["new year's eve", '12-31'],
  ["new year's day", '01-01'],
])

const WEEKDAYS = ['cccc', 'ccc']
const WITH_YEAR = ['LLLL d yyyy', 'LLL d yyyy', 'd LLLL yyyy', 'd LLL yyyy', 'd.L.yyyy']
const WITHOUT_YEAR = ['LLLL d', 'LLL d', 'd LLLL', 'd LLL']
/** A weekday before a date. */
const WEEKDAY_BEFORE = /^(?<weekday>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\.?,?\s+(?=\S*\d|[a-z]+\s)/i

const utc = (text: string, format: string) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' })
const parsed = (text: string, formats: readonly string[]) =>
  formats.map((format) => utc(text, format)).find(({ isValid }) => isValid)

/**
 * The day (YYYY-MM-DD) that words mean on a day: `tomorrow`, `Thursday` (today or the next), `Dec 3`, `3.12.2026`, `Thu 3 December`,
 * `Christmas Eve`. A day without a year is the next such day. Null for any other text, and where the weekday is not that of the date.
 */
export function dayOfWord(word: string, today: string): string | null {
  const text = word.trim().replaceAll('’', "'").replace(/\s+/g, ' ')
  const first = DateTime.fromISO(today, { zone: 'utc' })
  const ahead = DAYS_AHEAD.get(text.toLowerCase())
  if (ahead !== undefined) return first.plus({ days: ahead }).toISODate()
  const weekday = parsed(text, WEEKDAYS)?.weekday
  if (weekday !== undefined) return first.plus({ days: (weekday - first.weekday + 7) % 7 }).toISODate()
  const found = dateIn(text.replace(WEEKDAY_BEFORE, ''), first)
  const said = WEEKDAY_BEFORE.exec(text)?.groups?.weekday
  const isOther = said !== undefined && parsed(said, WEEKDAYS)?.weekday !== found?.weekday
  return found === null || isOther ? null : found.toISODate()
}

/** A date in words, from a day on where it has no year. */
function dateIn(words: string, first: DateTime): DateTime | null {
  const text = words.replace(/(\d)(?:st|nd|rd|th)\b/i, '$1').replaceAll(',', '')
  const dated = parsed(text, WITH_YEAR)
  if (dated) return dated
  const fixed = FIXED_DAYS.get(text.toLowerCase())
  for (const year of [first.year, first.year + 1]) {
    const date = fixed
      ? DateTime.fromISO(`${year}-${fixed}`, { zone: 'utc' })
      : parsed(
          `${text} ${year}`,
          WITHOUT_YEAR.map((format) => `${format} yyyy`),
        )
    if (date?.isValid && date >= first) return date
  }
  return null
}
