import { DateTime, Info } from 'luxon'
import { dateWords } from '../../config/date-words.ts'
import { withPlainDigits } from '../../config/plain-digits.ts'
import type { NamedDaysOfPlace } from '../../config/reference/public-holidays.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { SimilarWords } from '../search/typing-errors.ts'
import { countOf, spanAhead } from './counted-words.ts'
import { daysAhead, MONTHS, monthNamed } from './day-names.ts'
import {
  dayAfter,
  daysBetween,
  fold,
  holidaysNamed,
  likelyHoliday,
  longerNames,
  moonText,
  NO_CALENDAR,
  nearTo,
} from './holiday-words.ts'
import { nearHoliday, weekendOfHoliday } from './near-holiday.ts'
import { dayOfMonthOrWeek, weekdayOf } from './weekday-words.ts'

/** The day that a traveller's words mean: dates in English, and days like tomorrow or Friday in other languages too. */

const WITH_YEAR = ['LLLL d yyyy', 'LLL d yyyy', 'd LLLL yyyy', 'd LLL yyyy', 'd.L.yyyy', 'yyyy-L-d']
const WITHOUT_YEAR = ['LLLL d', 'LLL d', 'd LLLL', 'd LLL', 'd.L.', 'd.L']
/** A weekday before a date. */
const WEEKDAY_BEFORE = /^(?<weekday>(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\.?,?\s+(?=\S*\d|[a-z]+\s)/i

/** Whether words are like today or tomorrow, in any language that is read. */
export const isRelativeDay = (words: string): boolean => daysAhead().has(fold(words))

/** `Thanksgiving 2027`. */
const NAME_AND_YEAR = /^(?<name>\p{L}.*?),? (?<year>20\d{2})$/u
/** `3 days ago`, `a week ago`, `two weeks from now`. */
const DAYS_AWAY = /^(?<count>[a-z]+|\d{1,3}) (?<unit>day|week)s? (?<way>ago|from now)$/i
const LAST_WEEKDAY = /^last (?<weekday>[a-z]+)$/i
const BESIDE = /^(?:the )?(?<day>[a-z]+) (?<side>before|after) (?<holiday>.+)$/i
/** `two days before Christmas`, `a week after Thanksgiving`, `a week from tomorrow`, and of weeks alone `a week on Tuesday`, `a week today`. */
const COUNTED_FROM =
  /^(?<count>[a-z]+|\d{1,2}) (?<unit>day|week)s? (?:(?<side>before|after|from) (?<start>.+)|(?<=weeks? )(?:on (?<day>.+)|(?<relative>today|tomorrow)))$/i
/** As people of Britain say a week from a day: `Saturday week`, `tomorrow week`. */
const WEEK_BEHIND = /^(?<start>[a-z]+) week$/i
const FORTNIGHT = /\b(?:an? |one |(?<=^|\bin ))fortnight\b/i

const utc = (text: string, format: string) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en' })
const parsed = (text: string, formats: readonly string[]) =>
  formats.map((format) => utc(text, format)).find(({ isValid }) => isValid)

/** A date as it is written in East Asia and Canada: 2026/12/03, 2026.12.3. */
const YEAR_FIRST = /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})$/

/**
 * The day (YYYY-MM-DD) that words mean on a day: `tomorrow`, `mañana`, `Thursday` (today or the next), `Dec 3`, `3.12.2026`, `24/12/2026`, `2026-9-1`, `20260901`,
 * `Thu 3 December`, `the 3rd`, `in 3 days`, `in a week`, `last Friday`, `3 days ago`, `Christmas Eve`, and a holiday of the place by its name, or the day
 * before or after it. A day without a year is the next such day. Null for any other text, for a weekday that is not that of the
 * date, and for a name that may mean several days.
 */
export function dayOfWord(word: string, today: string, calendar = NO_CALENDAR): string | null {
  const text = withPlainDigits(word)
    .trim()
    .replace(YEAR_FIRST, '$1-$3-$4')
    .replace(/^(20\d{2})(\d{2})(\d{2})$/, '$1-$2-$3')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .replace(FORTNIGHT, 'two weeks')
    .replace(WEEK_BEHIND, (words, start: string) => (isDayOfWeek(start) ? `a week from ${start}` : words))
    .replace(
      /^(?:(?:this|coming|este|esta|ce|questo|questa|diesen|deze|on|el|le|il|am|op|på|den|w|we|v|ve|в|во|у) )+/i,
      '',
    )
    // `明日の朝`
    .replace(/の$/, '')
  const first = DateTime.fromISO(today, { zone: 'utc' })
  const ahead = daysAhead().get(fold(text))
  if (ahead !== undefined) return first.plus({ days: ahead }).toISODate()
  const lastWeekday = weekdayOf(LAST_WEEKDAY.exec(text)?.groups?.['weekday'] ?? '')
  if (lastWeekday !== undefined) return first.minus({ days: ((first.weekday - lastWeekday + 6) % 7) + 1 }).toISODate()
  const weekday = weekdayOf(text)
  if (weekday !== undefined) return first.plus({ days: (weekday - first.weekday + 7) % 7 }).toISODate()
  const later = daysLater(text)
  if (later !== null) return first.plus({ days: later }).toISODate()
  const ofMonth = dayOfMonthOrWeek(text, first)
  if (ofMonth !== null) return ofMonth
  const beside = besideHoliday(text, today, calendar) ?? countedFrom(text, today, calendar)
  if (beside !== null) return beside
  const named = holidaysNamed(text, today, calendar)
  if (named.length > 0) return named.length === 1 ? named[0]! : null
  const near = nearHoliday(text, today, calendar)
  if (near !== null) return near
  const { name, year } = NAME_AND_YEAR.exec(text)?.groups ?? {}
  const ofYear =
    name === undefined ? [] : holidaysNamed(name, `${year}-01-01`, calendar).filter((day) => day.startsWith(year!))
  if (ofYear.length > 0) return ofYear.length === 1 ? ofYear[0]! : null
  const found = dateIn(text.replace(WEEKDAY_BEFORE, ''), first)
  const statedWeekday = WEEKDAY_BEFORE.exec(text)?.groups?.weekday
  const isOther = statedWeekday !== undefined && weekdayOf(statedWeekday) !== found?.weekday
  return found === null || isOther ? null : found.toISODate()
}

const isDayOfWeek = (text: string) => isRelativeDay(text) || weekdayOf(text) !== undefined

/** The days until the day of words like `in a week` and `in 3 Tagen`, or since `a week ago`; null for any other text. */
function daysLater(text: string): number | null {
  const ahead = (spanAhead(text, 'calendar') ?? Number.NaN) / DAY_MS
  if (Number.isInteger(ahead)) return ahead
  const { count, unit, way } = DAYS_AWAY.exec(text)?.groups ?? {}
  if (count === undefined) return null
  const days = countOf(count) * (unit!.toLowerCase() === 'week' ? 7 : 1)
  if (!Number.isInteger(days)) return null
  return way!.toLowerCase() === 'ago' ? -days : days
}

/**
 * The day that words mean where past days are asked for: `Friday` is the last one, and a date without a year or a holiday is the
 * last such day of `maxDays`, if there is one.
 */
export function pastDayOfWord(word: string, today: string, calendar: NamedDaysOfPlace, maxDays: number): string | null {
  const day = dayOfWord(word, today, calendar)
  if (day === null || day <= today || isRelativeDay(word) || daysLater(word.trim()) !== null) return day
  if (weekdayOf(word.trim()) !== undefined) return dayAfter(day, -7)
  const past = dayOfWord(word, dayAfter(today, -maxDays), calendar)
  return past !== null && past <= today ? past : day
}

/** The next day that is named by a holiday beside it: `the day before Christmas`, `Sunday after Thanksgiving 2027`; null for any other text. */
function besideHoliday(text: string, today: string, calendar: NamedDaysOfPlace): string | null {
  const { day = '', side, holiday } = BESIDE.exec(text)?.groups ?? {}
  const weekday = weekdayOf(day)
  if (holiday === undefined || (weekday === undefined && !/^day$/i.test(day))) return null
  const isAfter = side!.toLowerCase() === 'after'
  // The holiday itself may just have passed.
  for (const from of [dayAfter(today, -7), today]) {
    const named = dayOfWord(holiday, from, calendar)
    if (named === null) return null
    const apart = DateTime.fromISO(named, { zone: 'utc' }).weekday - (weekday ?? 0)
    const days = weekday === undefined ? 1 : ((((isAfter ? -apart : apart) % 7) + 6) % 7) + 1
    const beside = dayAfter(named, isAfter ? days : -days)
    if (beside >= today) return beside
  }
  return null
}

/** The next day that is so many days or weeks before or after another one that words name; null for any other text. */
function countedFrom(text: string, today: string, calendar: NamedDaysOfPlace): string | null {
  const { count = '', unit, side, relative, day = relative, start = day } = COUNTED_FROM.exec(text)?.groups ?? {}
  const days = countOf(count) * (unit?.toLowerCase() === 'week' ? 7 : 1)
  if (start === undefined || !Number.isInteger(days)) return null
  const away = side?.toLowerCase() === 'before' ? -days : days
  const isOfToday = isDayOfWeek(start) || daysLater(start) !== null
  // A date and a holiday come again, and the last one may just have passed.
  const named = dayOfWord(start, isOfToday ? today : dayAfter(today, -away), calendar)
  return named === null ? null : dayAfter(named, away)
}

const SPELT = ['today', 'tonight', 'tomorrow'].concat(Info.weekdays('long', { locale: 'en' }), MONTHS)
const similar = new SimilarWords(SPELT.map((word) => word.toLowerCase()))

/** The words of a day with one of them spelt right, which makes a day of them: `Thursday` for `Thrusday`, `Thanksgiving` for `Thanksgivng`; null for any other text. */
export function likelyDay(text: string, today: string, calendar = NO_CALENDAR): string | null {
  const words = text.trim().split(/\s+/)
  for (const [position, mistyped] of words.entries()) {
    if (!/^\p{L}+$/u.test(mistyped)) continue
    const near = nearTo(similar, mistyped.toLowerCase()).map(({ index, errors }) => ({ word: SPELT[index]!, errors }))
    // The first letter is rarely the wrong one.
    const isOther = (word: string) => Number(word[0]!.toLowerCase() !== mistyped[0]!.toLowerCase())
    for (const { word } of near.toSorted((a, b) => a.errors - b.errors || isOther(a.word) - isOther(b.word))) {
      const spelt = words.with(position, word).join(' ')
      if (dayOfWord(spelt, today) !== null) return spelt
    }
  }
  return likelyHoliday(words.join(' '), today, calendar)
}

/** Why the words of a date are no date: `February 2027 has 28 days`, `3 December 2026 is a Thursday`; null for any other text. */
function impossibleDay(text: string, today: string): string | null {
  const first = DateTime.fromISO(today, { zone: 'utc' })
  const date = text.trim().replace(WEEKDAY_BEFORE, '')
  const found = dateIn(date, first)
  if (found !== null)
    return dayOfWord(text, today) === null ? found.setLocale('en').toFormat("d LLLL yyyy 'is a' cccc") : null
  const beginning = date.replace(/(?<!\d)(29|30|31)(?!\d)/, '01')
  const isIso = ISO_DAY.test(beginning)
  if (isIso && DateTime.fromISO(date, { zone: 'utc' }).isValid) return null
  const month = isIso ? DateTime.fromISO(beginning, { zone: 'utc' }) : dateIn(beginning, first.startOf('month'))
  return beginning !== date && month?.isValid
    ? month.setLocale('en').toFormat(`LLLL yyyy 'has ${month.daysInMonth} days'`)
    : null
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

/** Days in words, three and more in a row from the first to the last. */
function spans(days: readonly string[]): string[] {
  const last = days.findLastIndex((day, index) => daysBetween(days[0]!, day) === index)
  if (last < 2) return days.map(dateWords)
  return [`${dateWords(days[0]!)} to ${dateWords(days[last]!)}`, ...days.slice(last + 1).map(dateWords)]
}

/** Words beside a weekday that leave open which of two it is, in languages of travellers: `next Friday`, `samedi prochain`, `el próximo viernes`. */
const NEXT =
  /^(?:(?:el|o|il|am)\s+)?(?:next|pr[oó]xim[oa]|prossim[oa]|nächste[nrs]?|volgende|nästa|næste|neste|następn[aąy])\s+|\s+(?:prochaine?|que viene|prossim[oa]|pr[oó]xim[oa])$/i

/** A date whose day and month may be either. */
export const EITHER_ORDER = /\b\d{1,2}\/\d{1,2}(?!\d)|\b\d{1,2}-\d{1,2}-\d{4}(?!\d)/

/** A day with a time behind it, where a day alone is read: `2026-12-01T06:00`, `tomorrow 6am`. */
const DAY_WITH_TIME = /^(?<day>.+?)(?:T|,? +(?:at +)?)\d{1,2}(?::\d{2}.*| ?[ap]\.?m\.?)$/i

/** A hint for words that name no day, as an end of the error, with the time beside a guessed day; empty if nothing is near. */
export function dayHint(text: string, today: string, calendar = NO_CALENDAR, time = ''): string {
  const coming = text.trim().replace(NEXT, '')
  if (coming !== text.trim() && dayOfWord(coming, today, calendar) !== null)
    return `; that may be either of two days: "${coming}" is the first of them`
  const holidays = holidaysNamed(text, today, calendar)
  const named = holidays.length > 0 ? holidays : weekendOfHoliday(text, today, calendar)
  const byMoon = moonText([text, ...named.map((day) => calendar.days[day])].join(' '))
  if (named.length > 1) return `; that may be ${spans(named).join(' or ')}${byMoon}: write the date`
  const { day: alone = '' } = DAY_WITH_TIME.exec(text.trim())?.groups ?? {}
  if (dayOfWord(alone, today, calendar) !== null) return `; "${alone}" may be meant, without a time`
  if (EITHER_ORDER.test(text)) return '; its day and month cannot be told apart'
  const impossible = impossibleDay(text, today)
  if (impossible !== null) return `; ${impossible}`
  const longer = longerNames(text, today, calendar)
  const likely = longer.length > 0 ? longer : [likelyDay(text, today, calendar) ?? []].flat()
  return likely.length === 0
    ? ''
    : `; did you mean ${likely.map((day) => `"${`${day} ${time}`.trim()}"`).join(' or ')}?`
}

const WEEKEND = /\bweek-?ends?\b|\bwochenende\b|\bfin de semana\b|\bfine settimana\b/i
const WEEK = /\b(?:this|next|the|coming) (?:\w+ )?(?:week|days)\b/i

const NEXT_WEEK = /\bnext week\b/i

/** How several days are asked for, as an end of the error; empty for words of no such span. The rest of a weekend that has begun is Sunday; "next" is then the one after it. */
export function daysHint(text: string, today: string): string {
  const weekday = new Date(today).getUTCDay()
  if (WEEKEND.test(text)) {
    const isOther = (weekday === 0 || weekday === 6) && NEXT.test(text.trim())
    const [day, days] = weekday === 0 ? ['Sunday', 1] : ['Saturday', 2]
    return isOther
      ? `; for a weekend give \`date\`: ${dayAfter(today, weekday === 0 ? 6 : 7)} and \`days\`: 2`
      : `; for a weekend give \`date\`: ${day} and \`days\`: ${days}`
  }
  if (NEXT_WEEK.test(text))
    return `; for next week give \`date\`: ${dayAfter(today, (8 - weekday) % 7 || 7)} and \`days\`: 7, of which forecasts have what is within 7 days from now`
  return WEEK.test(text) ? '; for the days from now on give `days` alone, up to 7' : ''
}

/** A date of slashes or dashes whose day is more than 12, so that it is no month. */
function withoutSlashes(words: string): string {
  const [all, first, second, year = ''] = /^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?$/.exec(words) ?? []
  const [day, month] = Number(first) > 12 ? [first, second] : [second, first]
  const isCertain = all !== undefined && Number(day) > 12 && Number(month) >= 1 && Number(month) <= 12
  const ofYear = year === '' ? '' : ` ${year.padStart(4, '20')}`
  return isCertain ? `${day} ${MONTHS[Number(month) - 1]}${ofYear}` : words
}

/** `12月3日`, and the same in Chinese and Korean. */
const EAST_ASIAN = /^(?:(\d{4})[年년] ?)?(\d{1,2})[月월] ?(\d{1,2})[日일]$/
/** `24DEC26` of an itinerary, `24-Dec-2026`. */
const ITINERARY = /^(\d{1,2})[-/]?([a-z]{3,9})(?:[-/]?(\d{4}|\d{2}))?$/i

/** A date with its month in English and without the words between: `14 juillet`, `24 de diciembre`, `4th of July`. */
const inEnglish = (words: string) =>
  words
    .replace(EAST_ASIAN, (_, year: string | undefined, month: string, day: string) => `${day}.${month}.${year ?? ''}`)
    .replace(ITINERARY, (_, day: string, month: string, year: string | undefined) =>
      [day, month, year?.padStart(4, '20')].filter(Boolean).join(' '),
    )
    .replace(/(\d)(?:st|nd|rd|th|er|\.º|º)\b/i, '$1')
    .replace(/\b(?:of|de|d'|the|le|el|am|den)\s+/gi, '')
    .replace(/(\d)\.(?=\s+\p{L})/u, '$1')
    .replace(/(\p{L}{3,})\.?/gu, (written, word: string) => MONTHS[monthNamed(word) ?? -1] ?? written)

/** Earlier figures are none of a year: `24 Dec 0645`. */
const FIRST_YEAR = 1_900

/** A date in words, from a day on where it has no year. */
function dateIn(words: string, first: DateTime): DateTime | null {
  const text = withoutSlashes(inEnglish(words).replaceAll(',', ''))
  const dated = parsed(text, WITH_YEAR)
  if (dated) return dated.year < FIRST_YEAR ? null : dated
  for (const year of [first.year, first.year + 1]) {
    const date = parsed(
      `${text} ${year}`,
      WITHOUT_YEAR.map((format) => `${format} yyyy`),
    )
    if (date?.isValid && date >= first) return date
  }
  return null
}
