import { DateTime } from 'luxon'
import type { ReferenceLounge } from '../../config/reference/lounges.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'

/** When lounges are open, by their listed hours. */

type WithHours = Pick<ReferenceLounge, 'hours' | 'note'>

/** Whether the listed hours of a lounge cover an instant; null: not known. */
export function isOpenAt(lounge: WithHours, now: number, timezone: string): boolean | null {
  const { hour, minute, weekday } = DateTime.fromMillis(now, { zone: zoneOf(timezone) })
  return isOpenOn(lounge, weekday, 60 * hour + minute)
}

const hoursKnown = ({ hours, note }: WithHours): string | null => (note?.includes('closed') ? null : hours)

function isOpenOn(lounge: WithHours, weekday: number, minute: number): boolean | null {
  const hours = hoursKnown(lounge)
  return hours === null ? null : isOpenByHours(hours, weekday, minute)
}

/** Whether the listed hours cover every quarter of an hour of a week; null: not known. */
function isAlwaysOpen(lounge: WithHours): boolean | null {
  const hours = hoursKnown(lounge)
  if (hours === null) return null
  if (ROUND_THE_CLOCK.test(hours.trim())) return true
  const week = WEEKDAYS.map((weekday) => spansOn(hours, weekday)).filter((spans) => spans !== null)
  if (week.length < WEEKDAYS.length) return null
  return week.every((today, index) => {
    const before = week.at(index - 1)!
    return Array.from({ length: QUARTERS_OF_DAY }, (_, quarter) => 15 * quarter).every((minute) =>
      isWithin(today, before, minute),
    )
  })
}

const ROUND_THE_CLOCK = /^(daily )?(24 ?h|24 hours|24\/7|00:00-24:00)$/i
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const QUARTERS_OF_DAY = 96
const ALWAYS = /^(?:opens? )?(?:24 ?h(?:ours?|rs?)?|24\/7|round the clock)$/i
const AT_CLOCK =
  /^opens? (?:at |from |by )?(?<hour>[01]?\d|2[0-3])(?:[:.](?<minute>[0-5]\d))? ?(?:(?<half>[ap])\.?m\.?|h|uhr)?$/i

/**
 * Whether a lounge is open when a traveller asks: `open now`, `open 24 hours`, or at the next such time as `open at 5am` says; null
 * for a text that does not ask that.
 */
export function hoursFilter(
  filter: string,
  now: number,
  timezone: string,
): ((lounge: WithHours) => boolean | null) | null {
  const text = filter.trim()
  const local = DateTime.fromMillis(now, { zone: zoneOf(timezone) })
  if (/^open(?: right)?(?: now)?$/i.test(text)) return (lounge) => isOpenAt(lounge, now, timezone)
  if (ALWAYS.test(text)) return isAlwaysOpen
  const clock = text.replace(/\bnoon$/i, '12:00').replace(/\bmidnight$/i, '00:00')
  const { hour, minute = '0', half } = AT_CLOCK.exec(clock)?.groups ?? {}
  if (hour === undefined || (half !== undefined && Number(hour) > 12)) return null
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  const at = 60 * hours + Number(minute)
  const isTomorrow = at < 60 * local.hour + local.minute
  return (lounge) => isOpenOn(lounge, isTomorrow ? (local.weekday % 7) + 1 : local.weekday, at)
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const CLOCKS = /(\d{2}):(\d{2})\s*-\s*(\d{2}):(\d{2})/g

/**
 * Whether listed hours such as `daily 06:00-23:00` or `Mon-Fri 08:00-21:00; Sat-Sun 10:00-19:00` cover a local time.
 * `weekday`: 1 Monday to 7 Sunday; `minute`: of the local day. Hours that end at or before their start run past midnight.
 * Null when the hours are written in another way.
 */
export function isOpenByHours(hours: string, weekday: number, minute: number): boolean | null {
  if (ROUND_THE_CLOCK.test(hours.trim())) return true
  const yesterday = ((weekday + 5) % 7) + 1
  const today = spansOn(hours, weekday)
  const before = spansOn(hours, yesterday)
  return today === null || before === null ? null : isWithin(today, before, minute)
}

/** From and to, in minutes of the local day. */
type Span = [number, number]

/** Whether the spans of a day, or those of the day before that run past midnight, cover a minute. */
const isWithin = (today: readonly Span[], before: readonly Span[], minute: number): boolean =>
  today.some(([from, to]) => minute >= from && (to <= from || minute < to)) ||
  before.some(([from, to]) => to <= from && minute < to)

/** The opening hours of a weekday in minutes; empty when it is closed, null when a part cannot be read. */
function spansOn(hours: string, weekday: number): Span[] | null {
  const spans: Span[] = []
  for (const part of hours.split(';')) {
    const [, days = '', clocks = ''] = /^\s*([a-z,\s-]+?)\s+([\d:,\s-]+)$/i.exec(part) ?? []
    const onDays = weekdaysOf(days)
    const found = [...clocks.matchAll(CLOCKS)]
    if (onDays === null || found.length === 0 || clocks.replace(CLOCKS, '').replace(/[,\s]/g, '') !== '') return null
    if (!onDays.has(weekday)) continue
    for (const [, h1, m1, h2, m2] of found) spans.push([Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)])
  }
  return spans
}

/** `daily`, `Mon-Fri`, `Sat, Sun` as weekdays; null when it is something else. */
function weekdaysOf(text: string): Set<number> | null {
  if (/^daily$/i.test(text)) return new Set(WEEKDAYS)
  const days = new Set<number>()
  for (const part of text.toLowerCase().split(',')) {
    const [first = -1, last = first] = part.split('-').map((name) => DAYS.indexOf(name.trim().slice(0, 3)))
    if (first < 0 || last < 0) return null
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day + 1)
      if (day === last) break
    }
  }
  return days
}
