import type { BusyDays } from '../departure/get-busy-days.ts'
import { dayText } from '../statements/local-clock.ts'
import { listText } from '../statements/text.ts'

type BusyDay = BusyDays['days'][number]

/** A busier day or a holiday in words: `Thu 24 Dec, the day before Christmas Day: waits about 1.4 times the usual`; null for any other day. */
export function busyDayText({ date, expected, why, wait_factor, screened_last_year }: BusyDay): string | null {
  if (expected === 'holiday') return `${dayText(date)}, ${why}: how busy is not known`
  if (expected !== 'busier') return null
  const screened =
    screened_last_year === null
      ? ''
      : `; ${(screened_last_year / 1e6).toFixed(2)} million people were screened in the country on this weekday a year before`
  return `${dayText(date)}, ${why}: waits about ${(wait_factor ?? 1).toFixed(1)} times the usual${screened}`
}

/** The busier days of the last 90 days here; null if too few were observed. */
export const pastBusyText = ({ past_factor }: BusyDays): string | null =>
  past_factor === null
    ? null
    : `On such days of the last 90 the waits here were ${past_factor.toFixed(1)} times the usual.`

/** The school holidays of these days in words: `School holidays here: Sat 19 Dec to Sun 3 Jan (Christmas holidays).` */
export function schoolHolidaysText({ days, school_holidays }: BusyDays): string {
  const spans: { name: string; first: string; last: string; end: number }[] = []
  for (const [place, { date, school_holiday: name }] of days.entries()) {
    if (name === null) continue
    const newest = spans.at(-1)
    if (newest?.name === name && newest.end === place) Object.assign(newest, { last: date, end: place + 1 })
    else spans.push({ name, first: date, last: date, end: place + 1 })
  }
  const listed = spans.map(({ name, first, last }) =>
    first === last ? `${dayText(first)} (${name})` : `${dayText(first)} to ${dayText(last)} (${name})`,
  )
  if (school_holidays === 'known')
    return listed.length === 0 ? 'No school holidays here in these days.' : `School holidays here: ${listText(listed)}.`
  if (listed.length === 0) return 'School holidays are not known.'
  return `No school on ${listText(listed)}; other school holidays are not known.`
}

/** Text if the public count of people screened a year before is unknown; null if it is known or not public. */
export const screenedText = ({ days, screened_country }: BusyDays): string | null =>
  screened_country !== null && days.every(({ screened_last_year }) => screened_last_year === null)
    ? 'How many people were screened a year before is not known here.'
    : null
