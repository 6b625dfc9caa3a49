import { DateTime } from 'luxon'
import { monthNamed, weekdayNumbers } from './day-names.ts'
import { fold } from './holiday-words.ts'

/** Days by their place in a month or a week, in a traveller's words. */

const WEEKDAYS = ['cccc', 'ccc']
/** A day of the month alone: `the 3rd`. */
const DAY_OF_MONTH = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)$/i
/** The same behind a weekday: `Saturday the 5th`, `Sat 5`. */
const DAY_BEHIND_WEEKDAY = /^(?<weekday>[a-z]{3,9})\.?,? (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?$/i
const NEXT_WEEK = /^(?:(?<first>[a-z]+),? (?:of )?next week|next week,? (?:on )?(?<last>[a-z]+))$/i
const ORDINALS = ['first', 'second', 'third', 'fourth', 'last']
/** `first Monday in January`, `the last Friday of December 2027`. */
const NTH_WEEKDAY = /^(?:the )?(?<nth>[a-z]+) (?<weekday>[a-z]+) (?:in|of) (?<month>[a-z]+)(?: (?<year>\d{4}))?$/i

/** The number of a weekday from Monday, 1, to Sunday, 7, by its name; undefined for any other text. */
export function weekdayOf(text: string): number | undefined {
  const english = WEEKDAYS.map((format) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' }))
  return english.find(({ isValid }) => isValid)?.weekday ?? weekdayNumbers().get(fold(text))
}

/** The next day (YYYY-MM-DD), from a first one on, of words like `the 3rd`, `Saturday the 5th`, `Tuesday next week` and `first Monday in January`; null for any other text. */
export function dayOfMonthOrWeek(text: string, first: DateTime): string | null {
  const [, number] = DAY_OF_MONTH.exec(text) ?? []
  if (number !== undefined) return nextOfMonth(Number(number), first)
  return dayBehindWeekday(text, first) ?? dayOfNextWeek(text, first) ?? nthWeekday(text, first)
}

/** The next day with a number within its month, if that is the stated weekday. */
function dayBehindWeekday(text: string, first: DateTime): string | null {
  const { weekday = '', day } = DAY_BEHIND_WEEKDAY.exec(text)?.groups ?? {}
  const next = day === undefined ? null : nextOfMonth(Number(day), first)
  return next !== null && DateTime.fromISO(next, { zone: 'utc' }).weekday === weekdayOf(weekday) ? next : null
}

/** The day of words like `Tuesday next week`; null for any other text, and with a Sunday, which begins a week to some and ends it to others. */
function dayOfNextWeek(text: string, first: DateTime): string | null {
  const { first: before, last = before ?? '' } = NEXT_WEEK.exec(text)?.groups ?? {}
  const weekday = weekdayOf(last) ?? 7
  return weekday === 7 || first.weekday === 7 ? null : first.plus({ days: 7 + weekday - first.weekday }).toISODate()
}

/** The next day that is a weekday of a month by its place there; null for any other text. */
function nthWeekday(text: string, first: DateTime): string | null {
  const { nth = '', weekday = '', month = '', year } = NTH_WEEKDAY.exec(text)?.groups ?? {}
  const place = ORDINALS.indexOf(nth.toLowerCase())
  const number = weekdayOf(weekday)
  const named = monthNamed(month)
  if (place < 0 || number === undefined || named === undefined) return null
  for (const ofYear of year === undefined ? [first.year, first.year + 1] : [Number(year)]) {
    const begin = first.set({ year: ofYear, month: named + 1, day: 1 })
    const days = ((number - begin.weekday + 7) % 7) + 7 * place
    const found = begin.plus({ days: days < begin.daysInMonth! ? days : days - 7 })
    if (year !== undefined || found >= first) return found.toISODate()
  }
  return null
}

/** The next day with a number within its month; null if no month has so many. */
function nextOfMonth(day: number, first: DateTime): string | null {
  const months = [0, 1, 2].map((ahead) => first.startOf('month').plus({ months: ahead }))
  const found = months
    .map((month) => month.set({ day }))
    .find((date, ahead) => date.month === months[ahead]!.month && date >= first)
  return found?.toISODate() ?? null
}
