import { DateTime } from 'luxon'
import type { Airport } from '../../config/airports/directory.ts'
import { ParameterError } from '../../config/errors.ts'
import { once } from '../../config/once.ts'
import { withPlainDigits } from '../../config/plain-digits.ts'
import { holidaysAt, type NamedDaysOfPlace } from '../../config/reference/public-holidays.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { spanAhead } from '../statements/counted-words.ts'
import { monthNamed } from '../statements/day-names.ts'
import { PART_OF_DAY, withPartInEnglish } from '../statements/day-parts.ts'
import { dayHint, dayOfWord, EITHER_ORDER, isRelativeDay } from '../statements/day-words.ts'
import { ambiguousHalf, withDialInFigures } from '../statements/dial-words.ts'
import { NO_CALENDAR } from '../statements/holiday-words.ts'
import { localTime } from '../statements/local-time.ts'
import { spanOf } from '../statements/time-span.ts'
import { AT, CLOCK, NOT_A_RANGE, rangeHint, withHourAlone, withPlainClock, withWholeHours } from './clock-text.ts'
import { fromPrinted } from './printed-date.ts'

/** Departures further ahead are refused: the holidays of the reference end, and nothing is known of them. */
const MAX_DAYS = 366

/** A `+` that is not encoded arrives as a space. */
const OFFSET_WITH_SPACE = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?) (\d{2}:?\d{2})$/
const HAS_OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i

/** Hours and minutes without marks or of a clock, with an offset at times. */
const DIGITS = String.raw`\d{1,2}[:.h]?\d{2}(?::\d{2})?(?:z|\+\d{2}:?\d{2})?`
/** Today or tomorrow, before or behind a time. */
const DAY_WORD = new RegExp(
  String.raw`^(?:(?<first>today|tonight|tomorrow),?\s+(?:at\s+)?(?<time>${DIGITS})|(?<before>${DIGITS}),?\s+(?<last>today|tonight|tomorrow))$`,
  'i',
)
const ONLY_CLOCK = new RegExp(`^(?:${CLOCK})$`, 'i')
/** Any words for a day, before or behind a clock. */
const DAY_AND_CLOCK = new RegExp(
  String.raw`^(?:(?<first>.+?),?\s+(?:${AT}\s+)?(?<time>${CLOCK})|(?<before>${CLOCK}),?\s+(?:on\s+)?(?<last>.+))$`,
  'i',
)
/** A word behind figures that have all of a clock. */
const UHR = /(?<=\d)\s*(?:h|hrs|hours|heures|uhr|uur|horas|बजे|น)(?:$|(?<=\d{4}\s?hrs)(?=\s))/i
/** A clock behind a word of a script without spaces: `明天17:30`. */
const BEHIND_SYLLABLES = /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}])(?=\d{1,2}[:.])/u
/** `18 h 45`, `19 Uhr 30`, `7 giờ 30`; in `19 Uhr 24.12.` and `19 Uhr 24 Dezember` the day is behind. */
const HOUR_APART = /(?<=\d)\s?(?:h(?:eures?)?|uhr|uur|giờ)\s([0-5]\d)(?!\d|\.\d)(?=(?:\s+(\p{L}+))?)/iu
/** `9:00 p. m.`, as it is written in Spanish. */
const HALF_APART = /(?<=\d\s?)([ap])\.\s+m\b\.?/i
/** A dash between a day and a time: `Dec 5 - 6pm`. */
const DASH_BEHIND_DAY =
  /(?<=\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}),?\s+[-–]\s+(?=(?:at )?\d)/i
/** `5:30p` */
const HALF_ALONE = /(?<=\d\s?)([ap])(?=\s|$)/i
/** A day and an hour that may be of the morning or the evening: `tomorrow at 9`. */
const HOUR_OF_TWO = new RegExp(String.raw`^(?<day>.+?),?\s+${AT}\s+(?<hour>[1-9]|1[01])$`, 'iu')
/** Noon in languages of travellers, with the word before it. */
const NOON =
  /(?<![\p{L}-])(?:à |al |a |ao )?(?:(?:noon|midday)(?:-?ish)?|midi|mediod[ií]a|mezzogiorno|meio-dia)(?!\p{L})/iu
/** Marks around a text, and those of its end, which are no part of it. */
const MARKS = /^["'“”\s]+|(?:[!?;,"'“”\s]|(?<=\p{L})\.)+$/gu
/** `in 2 hours`, `in an hour and 30 min`, `in 1h30`, `dans 1h30`, `90 minutes from now`. */
const FROM_NOW = /^(?:(?:in|dans|en|dentro de|tra|fra|em|daqui a)\s+(?<behind>.+)|(?<before>.+)\s+from\s+now)$/i
/** The hour of now on another day: `this time tomorrow`, `same time next week`. */
const SAME_TIME = /^(?:at\s+)?(?:about\s+)?(?:this|(?:the\s+)?same)\s+time,?\s+(?:on\s+)?(?<day>.+)$/i
/** A date as it is written in Japan and China: 2026/12/03, 2026.12.03. */
const YEAR_FIRST = /^(\d{4})([/.])(\d{2})\2(\d{2})/
/** A month or day of one digit: 2026-12-3T10:00. */
const SHORT_DAY = /^(\d{4})-(?!\d{2}-\d{2})(\d{1,2})-(\d{1,2})(?=[T ])/
/** ISO 8601 without marks: 20261203T1840. */
const BASIC_ISO = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/
/** An hour of one digit behind a day. */
const SHORT_HOUR = /^(\d{4}-\d{2}-\d{2})[T ](\d[:.h])/i
/** Hours and minutes without a colon between them, as people of many countries write them: `1430`, `14.30`, `14h30`. */
const WITHOUT_COLON = /^(\d{4}-\d{2}-\d{2})[T ](\d{2})[.h]?(\d{2})(?!\d)/i
const ISO_DAY_AND_FIGURES = /^\d{4}-\d{2}-\d{2}(?:[T ]\d|$)/i
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?$/i
/** That a time is of the airport's clock, which it is anyway, and the ending of "at" in Hungarian behind an ISO 8601 time. */
const LOCAL = /\s+local(?:\s+time)?$|(?<=\d)-kor$/i
/** The zone behind an offset, as JavaScript's Temporal writes it: the offset says all. */
const ZONE_NAME = /(?<=Z|[+-]\d{2}:\d{2})\[[\w/+-]+\]$/i
const UTC_BEHIND_ISO = /^(\d{4}-\d{2}-\d{2}[T ][\d:]+)\s+(?:UTC|GMT)$/

const wordsOf = (text: string) =>
  withPlainClock(withDialInFigures(withPartInEnglish(fromPrinted(withPlainDigits(text)).replace(MARKS, ''))))
    .replace(LOCAL, '')
    .replace(HALF_APART, '$1m')
    .replace(ZONE_NAME, '')
    .replace(UTC_BEHIND_ISO, '$1Z')
    .replace(NOON, '12 pm')
    .replace(YEAR_FIRST, '$1-$3-$4')
    .replace(SHORT_DAY, (_, ...parts: string[]) =>
      parts
        .slice(0, 3)
        .map((part) => part.padStart(2, '0'))
        .join('-'),
    )
    .replace(BASIC_ISO, '$1-$2-$3T$4:$5')

/** A day that is also a part of one. */
const TONIGHT = /\btonight\b/i

/** The words for a day and the time beside them, in the evening where a part of the day says so; undefined if a text is of another form. */
function dayAndTime(words: string): { day: string; time: string; part: string } | undefined {
  const part = TONIGHT.test(words) ? 'night' : (PART_OF_DAY.exec(words)?.groups?.['part']?.toLowerCase() ?? '')
  const whole = withWholeHours(
    words
      .replace(PART_OF_DAY, '')
      .replace(/\s@\s*/, ' at ')
      .replace(DASH_BEHIND_DAY, ' ')
      .replace(BEHIND_SYLLABLES, ' ')
      .replace(HOUR_APART, (written, minutes: string, next = '') =>
        monthNamed(next) === undefined ? `h${minutes}` : written,
      )
      .replace(HALF_ALONE, '$1m'),
  )
  const plain = withHourAlone(whole, part).replace(UHR, '')
  const { first, time, before, last } = (DAY_AND_CLOCK.exec(plain) ?? DAY_WORD.exec(plain))?.groups ?? {}
  const day = first ?? last
  return day === undefined ? undefined : { day, time: (time ?? before)!, part }
}

/** The day (YYYY-MM-DD) that words mean at the airport; null for any other text. */
type ReadDay = (word: string) => string | null

/** The words of a departure with the day that they mean: `2026-11-28 6am` for `tomorrow 6am` or `Nov 28 6am`. `clock` is the local time of now. */
function withDay(
  words: string,
  now: number,
  clock: string,
  readDay: ReadDay,
  error: (message: string) => ParameterError,
): string {
  const span = spanFromNow(words)
  if (span !== null) return isoUtc(now + span)
  const sameTime = SAME_TIME.exec(words)?.groups?.['day']?.replace(/^next week$/i, 'in a week')
  const otherDay = sameTime === undefined ? null : readDay(sameTime)
  if (otherDay !== null) return `${otherDay} ${clock}`
  // Most departures are an ISO 8601 day and a time, so no word is searched for.
  const named = ISO_DAY_AND_FIGURES.test(words) ? undefined : dayAndTime(words)
  const day = named === undefined ? null : readDay(named.day)
  if (named === undefined || day === null) return words
  return `${day} ${timeOfPart(named.time, named.part, error)}`
}

/** The time from now until a departure that is said so, in ms; null for any other text. */
function spanFromNow(words: string): number | null {
  const { behind, before } = FROM_NOW.exec(words)?.groups ?? {}
  return spanOf(behind ?? before ?? '') ?? spanAhead(words, 'clock')
}

/** An hour of this and smaller figures is no evening: 1:30 tonight is of the next day. */
const FIRST_HOUR_OF_EVENING = 5

/** The hours before noon of the part of the day around it, which is 中午 in Chinese and `siang` in Indonesian. */
const HOURS_BEFORE_NOON = new Set([10, 11])

/** A time of a part of the day, on a clock of twelve hours where it has one: 11:30 tonight is 23:30. */
function timeOfPart(time: string, part: string, error: (message: string) => ParameterError): string {
  const [, hours, half] = /^(\d{1,2})(?!\d).*?([ap])?\.?m?\.?$/i.exec(time) ?? []
  const hour = Number(hours)
  const isSmall = hour === 12 || hour < FIRST_HOUR_OF_EVENING
  if (part === 'night' && isSmall && half?.toLowerCase() !== 'p')
    throw error('may be after midnight, which is of the next day: write its date')
  if (part === '' || half !== undefined || !(hour >= 1 && hour <= 12)) return time
  const isBeforeNoon = part === 'morning' || (part === 'noontime' && HOURS_BEFORE_NOON.has(hour))
  return `${time.replace(/[.h]/i, ':')} ${isBeforeNoon ? 'am' : 'pm'}`
}

/** A time zone by its letters, which several zones share, or by a place, at the end or before a day: `6pm Paris time`, `6:15 EST tomorrow`. */
const ZONE =
  /\s(UTC|GMT|[A-Z]{1,4}T|(?:Eastern|Central|Mountain|Pacific)(?: [Tt]ime)?|(?!(?:Departure|Boarding|Flight|Takeoff|Arrival) )(?:[A-Z][a-z]+ )+[Tt]ime|[A-Z][a-z]+\/[\w/]+)(?=$|\s+(?:today|tomorrow|tonight|on)\b)/
const UNKNOWN_DAY = '; the day is not known here by those words: write its date'
const NO_HOLIDAYS = '; no calendar of holidays is known for the country of this airport: write the date of the day'
/** An offset that no place has, from -12:00 and +15:00 on: `10:00-12:00` is rather from ten to twelve. */
const OFFSET_OF_NO_PLACE = /T.*(?:-(?:1[2-9]|2\d)|\+(?:1[5-9]|2\d)):?\d{2}$/

/** Possible meanings of a departure without a day, as an end of the error; empty if nothing is near. */
function hintOf(words: string, today: string, calendar: NamedDaysOfPlace): string {
  const readDay: ReadDay = (word) => dayOfWord(word, today, calendar)
  if (/\bmidnight\b/i.test(words)) return '; midnight may be either end of a day: write 00:00 with its date'
  const half = ambiguousHalf(words)
  if (half !== null)
    return `; "${half}" is half past the hour to some and half an hour before it to others: write it in figures`
  const [, zone] = ZONE.exec(words) ?? []
  if (zone !== undefined)
    return `; leave out ${zone} for the local time of the airport, or write its offset in place of it, like -05:00 for EST`
  const range = rangeHint(words)
  if (range !== '') return range
  const { day: dayOfHour = '', hour } = HOUR_OF_TWO.exec(words)?.groups ?? {}
  if (readDay(dayOfHour) !== null)
    return `; ${hour} may be ${hour}:00 or ${Number(hour) + 12}:00: write "${dayOfHour} ${hour}:00" or "${dayOfHour} ${Number(hour) + 12}:00"`
  const { day, time } = dayAndTime(words) ?? { day: words.replace(PART_OF_DAY, ''), time: '' }
  const clock = withWholeHours(words)
  if (ONLY_CLOCK.test(clock)) return `; say which day: "today ${clock}" or "tomorrow ${clock}"`
  const behindOn = time === '' ? dayBehindOn(day, readDay) : null
  const named = readDay(day) === null ? (relativeDayIn(day) ?? behindOn) : day
  if (named !== null) return `; write the time as hours and minutes, like "${named} 17:30"`
  const hint = dayHint(day, today, calendar, time)
  if (hint !== '' || time === '') return hint
  return calendar === NO_CALENDAR ? NO_HOLIDAYS : UNKNOWN_DAY
}

/** The day, like today or tomorrow, that words begin with: `tomorrow` of `tomorrow around`; null if there is none. */
function relativeDayIn(words: string): string | null {
  const all = words.split(/\s+/)
  const beginnings = all.map((_, last) => all.slice(0, last + 1).join(' ')).toReversed()
  return beginnings.find(isRelativeDay) ?? null
}

/** The day behind "on" in words without a clock: of `first flight on New Year's Day`; null if there is none. */
function dayBehindOn(words: string, readDay: ReadDay): string | null {
  const [, day = ''] = /\son\s+(.+)$/i.exec(words) ?? []
  return readDay(day) === null ? null : day
}

/** A day, and a time on a clock of twelve hours: `2026-11-25 2:00 pm`. */
const TWELVE_HOURS = /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2})(?:[:.h]?(\d{2}))?(?::\d{2})?\s*([ap])\.?m\.?$/i
/** Midnight at the end of a day. */
const END_OF_DAY = /^(\d{4}-\d{2}-\d{2})T24:?00(?::?00(?:\.0+)?)?(.*)$/

/** A departure as ISO 8601: of a clock of twelve hours that of twenty-four, of 24:00 the midnight of the next day. */
function isoDeparture(text: string, example: string, error: (message: string) => ParameterError): string {
  const [, day, hours, minutes = '00', half] = TWELVE_HOURS.exec(text) ?? []
  if (day !== undefined) {
    const hour = Number(hours)
    if (hour < 1 || hour > 12)
      throw error(`has an hour of more than 12 beside am or pm: write 24 hours, like ${example}`)
    const of24 = (hour % 12) + (half!.toLowerCase() === 'p' ? 12 : 0)
    return `${day}T${String(of24).padStart(2, '0')}:${minutes}`
  }
  const iso = text
    .replace(SHORT_HOUR, '$1T0$2')
    .replace(WITHOUT_COLON, '$1T$2:$3')
    .replace(OFFSET_WITH_SPACE, '$1+$2')
    .replace(' ', 'T')
  const [, before, rest] = END_OF_DAY.exec(iso) ?? []
  if (before === undefined) return iso
  const next = DateTime.fromISO(before, { zone: 'utc' }).plus({ days: 1 })
  return next.isValid ? `${next.toISODate()}T00:00${rest}` : iso
}

const PAST_DAYS = 'get_historical_wait_times (REST: historical) has the waits of past days'

type DeparturePlace = Pick<Airport, 'timezone' | 'country' | 'region'>

/**
 * The instant of a departure that is given in the airport's local time, or with an offset. A clock time that occurs twice, when
 * the clocks go back, is taken as the first of the two.
 * @throws ParameterError for a time that does not exist, is in the past or too far ahead
 */
export function departureTime(text: string, { timezone, country, region }: DeparturePlace, now: number) {
  const error = (message: string) => ParameterError.of('departure', message)
  const clock = (instant: number) => localTime(instant, timezone).slice(0, 16).replace('T', ' ')
  const example = `${clock(now + DAY_MS).slice(0, 10)}T17:30`
  const words = wordsOf(text)
  const today = clock(now).slice(0, 10)
  const calendar = once(() => holidaysAt(country, region) ?? NO_CALENDAR)
  const readDay: ReadDay = (word) => dayOfWord(word, today, calendar())
  const iso = isoDeparture(withDay(words, now, clock(now).slice(11), readDay, error), example, error)
  if (EITHER_ORDER.test(iso))
    throw error(`has a date whose day and month cannot be told apart: write it like ${example}`)
  if (!DATE_AND_TIME.test(iso))
    throw error(
      `must be a date and time, like ${example}: it is ${clock(now)} at the airport${hintOf(words, today, calendar())}`,
    )
  if (OFFSET_OF_NO_PLACE.test(iso)) throw error(`has an offset that no place has: ${NOT_A_RANGE}`)
  const parsed = DateTime.fromISO(iso, { zone: zoneOf(timezone) })
  if (!parsed.isValid)
    throw error(`must be a date and time that exist, like ${example}${dayHint(iso.slice(0, 10), today)}`)
  const isLocal = !HAS_OFFSET.test(iso.slice(11))
  if (isLocal && parsed.toISO()!.slice(0, 16) !== iso.slice(0, 16))
    throw error(
      `does not exist in ${timezone}: the clocks go forward over it; ${parsed.toFormat('HH:mm')} may be meant`,
    )
  const possible = isLocal ? parsed.getPossibleOffsets() : [parsed]
  // Flights leave on the minute: seconds would be a shift of the clock to the plan.
  const departure_ms = Math.min(...possible.map((instant) => instant.startOf('minute').toMillis()))
  if (departure_ms <= now) {
    const past = clock(departure_ms) < today ? `; ${PAST_DAYS}` : ''
    throw error(
      `must be in the future: it is ${clock(now)} at the airport, and ${clock(departure_ms)} has passed${past}`,
    )
  }
  if (departure_ms > now + MAX_DAYS * DAY_MS)
    throw error(`must be within the next ${MAX_DAYS} days: until ${clock(now + MAX_DAYS * DAY_MS)}`)
  const note =
    possible.length > 1
      ? 'the clocks go back that night, so this time occurs twice: the first of the two is taken; give an offset for the second'
      : null
  return { departure_ms, note }
}
