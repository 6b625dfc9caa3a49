import { DateTime } from 'luxon'
import type { NamedDaysOfPlace } from '../../config/reference/public-holidays.ts'
import { dayAfter, holidaysNamed } from './holiday-words.ts'
import { weekdayOf } from './weekday-words.ts'

/** Days that are named by a holiday whose week or weekend they are of. */

/** The eve of a holiday: `Thanksgiving eve`, `eve of Labor Day`. */
const EVE = /^(?:(?<holiday>.+) eve|(?:the )?eve of (?<of>.+))$/i
/** A weekday of the week of a holiday: `Thanksgiving Wednesday`. */
const WEEKDAY_BEHIND = /^(?<holiday>.+) (?<day>[a-z]+)$/i
/** A weekday is nearest to a holiday within so many days. */
const HALF_WEEK = 3

const weekdayNumber = (day: string) => DateTime.fromISO(day, { zone: 'utc' }).weekday

/** The next eve of a holiday, or the weekday within or nearest to one (YYYY-MM-DD); null for any other text. */
export function nearHoliday(text: string, today: string, calendar: NamedDaysOfPlace): string | null {
  const { holiday, of = holiday } = EVE.exec(text)?.groups ?? {}
  const behind = WEEKDAY_BEHIND.exec(text)?.groups
  const weekday = weekdayOf(behind?.['day'] ?? '')
  const name = of ?? (weekday === undefined ? undefined : behind?.['holiday'])
  if (name === undefined) return null
  if (weekday === undefined) {
    const eves = singleDays(name, today, calendar).map((day) => dayAfter(day, -1))
    return eves.find((eve) => eve >= today) ?? null
  }
  const nearest = listedDays(name, today, calendar).map((days) => nearestOf(weekday, days))
  return nearest.find((day) => day !== null && day >= today) ?? null
}

/** The day of a weekday that is nearest to one of some days; null where two are as near. */
function nearestOf(weekday: number, days: readonly string[]): string | null {
  const near = days.map((day) => {
    const apart = ((weekday - weekdayNumber(day) + 7 + HALF_WEEK) % 7) - HALF_WEEK
    return { day: dayAfter(day, apart), away: Math.abs(apart) }
  })
  const least = Math.min(...near.map(({ away }) => away))
  const [found, other] = new Set(near.filter(({ away }) => away === least).map(({ day }) => day))
  return found === undefined || other !== undefined ? null : found
}

/** The days of a holiday that may just have passed, and of the next one. */
const listedDays = (name: string, today: string, calendar: NamedDaysOfPlace): string[][] =>
  [dayAfter(today, -HALF_WEEK), today].map((from) => holidaysNamed(name, from, calendar))

/** The same of a holiday of one day: of several, the first may be the eve itself, as before the Korean New Year. */
const singleDays = (name: string, today: string, calendar: NamedDaysOfPlace): string[] =>
  listedDays(name, today, calendar)
    .filter((days) => days.length === 1)
    .flat()

const WEEKEND_BEHIND = /^(?<holiday>.+?) week-?end$/i

/** The days of the next weekend with a holiday, from the first to the last, with the days off beside it: `Memorial Day weekend`, and `Easter weekend` from Good Friday to Easter Monday; none for any other text, or where the holiday is no bridge to one. */
export function weekendOfHoliday(text: string, today: string, calendar: NamedDaysOfPlace): string[] {
  const holiday = WEEKEND_BEHIND.exec(text.trim())?.groups?.['holiday']
  if (holiday === undefined) return []
  for (const day of singleDays(holiday, today, calendar)) {
    const weekday = weekdayNumber(day)
    const [first, last] = weekday < 3 ? [-weekday - 1, 0] : [Math.min(0, 6 - weekday), 7 - weekday]
    if (weekday === 3) continue
    const isOff = (offset: number) => calendar.days[dayAfter(day, offset)] !== undefined
    let [from, to] = [first, last]
    while (isOff(from - 1)) from -= 1
    while (isOff(to + 1)) to += 1
    if (dayAfter(day, to) >= today)
      return Array.from({ length: to - from + 1 }, (_, index) => dayAfter(day, from + index))
  }
  return []
}
