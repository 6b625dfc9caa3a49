import { localClock, weekHourOf } from '../../../config/time-zones/local-time.ts'
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type QueueStatus,
  startOfHour,
  utcDayOf,
  WEEK_HOURS,
} from '../../../config/vocabulary.ts'

/** Replaces an unknown percentage. */
export const UNKNOWN_OPEN = 255

/** From this percentage on, a queue is expected to be open; up to the other one it is expected to be closed. */
const OPEN_FROM_PERCENT = 90
const CLOSED_UP_TO_PERCENT = 10

/** The status of an hour by its percentage of being open (or `UNKNOWN_OPEN`). */
export function openStatus(percent: number = UNKNOWN_OPEN): QueueStatus {
  if (percent === UNKNOWN_OPEN) return 'unknown'
  if (percent <= CLOSED_UP_TO_PERCENT) return 'closed'
  return percent >= OPEN_FROM_PERCENT ? 'open' : 'unknown'
}

/** One observed hour of a queue; instants are epoch ms. */
export interface ObservedOpenHour {
  hour: number
  slots: number
  open_slots: number
  first_open_at: number | null
  /** The hour before was observed as closed, or the queue was seen closed before it opened in this hour. */
  follows_closure: boolean
}

/** The opening hours of a queue as the observations of the last weeks show them, by local weekday and hour. */
export interface LearnedHours {
  timezone: string
  /** Local days with an observation. */
  days: number
  /** First and last of these days, as YYYY-MM-DD. */
  from: string
  to: string
  /** Percentage of the hour in which the queue is open, by (weekday - 1) * 24 + hour; or `UNKNOWN_OPEN`. */
  open: number[]
  /** Percentage of days on which the queue is open at any time of the hour; or `UNKNOWN_OPEN`. */
  opens: number[]
  /** Minute of the local hour at which the queue opens, if it opens in this hour. */
  minute: number[]
  /** Number of days on which the local hour was observed. */
  observed_days: number[]
  /** The source that publishes when the queue opens, and the local hour in which it does; absent if none does. */
  published?: { source: string; opening_hour: number }
}

/** An hour that was observed on fewer days says nothing of the next days. */
const MIN_DAYS = 2
/** Days in which the weight of an observation falls to 1/e, so that a new timetable counts after a few days. */
const FADE_DAYS = 14
/** Days that were open, and days that were closed, which stand for what was not seen. */
const UNSEEN = 0.15
/** Openings in the first minutes of an hour are openings at the full hour, seen at the next request. */
const FULL_HOUR_MINUTES = 10
const MINUTE_STEP = 5

/** Observed days of an hour of the clock or of the week. */
interface Share {
  /** Days on which it was open; a day counts with the part of the hour. */
  sum: number
  days: number
  /** The same with newer days weighing more. */
  recent_sum: number
  recent_days: number
}

const emptyShares = (length: number): Share[] =>
  Array.from({ length }, () => ({ sum: 0, days: 0, recent_sum: 0, recent_days: 0 }))

/** Learns the opening hours of a queue in a time zone; null without an observation. */
export function learnHours(observed: readonly ObservedOpenHour[], timezone: string): LearnedHours | null {
  if (observed.length === 0) return null
  const { hour, weekday, day } = localClock(
    timezone,
    observed.map((row) => row.hour),
  )
  const time = { all: emptyShares(24), byWeekday: emptyShares(WEEK_HOURS) }
  const any = { all: emptyShares(24), byWeekday: emptyShares(WEEK_HOURS) }
  const lastDay = day.reduce((last, number) => Math.max(last, number), 0)
  const minutes: number[][] = Array.from({ length: 24 }, () => [])
  observed.forEach((row, index) => {
    const localHour = hour[index]!
    const slot = (weekday[index]! - 1) * 24 + localHour
    const weight = Math.exp((day[index]! - lastDay) / FADE_DAYS)
    for (const [shares, value] of [
      [time, row.open_slots / row.slots],
      [any, row.open_slots > 0 ? 1 : 0],
    ] as const) {
      add(shares.all[localHour]!, value, weight)
      add(shares.byWeekday[slot]!, value, weight)
    }
    if (row.follows_closure && row.first_open_at !== null)
      minutes[localHour]!.push((row.first_open_at - row.hour) / MINUTE_MS)
  })
  const days = [...new Set(day)].sort((a, b) => a - b)
  return {
    timezone,
    days: days.length,
    from: dateOf(days[0]!),
    to: dateOf(days.at(-1)!),
    open: percentages(time),
    opens: percentages(any),
    minute: minutes.map(openingMinute),
    observed_days: time.all.map((share) => share.days),
  }
}

function add(share: Share, value: number, weight: number): void {
  share.sum += value
  share.days += 1
  share.recent_sum += weight * value
  share.recent_days += weight
}

/**
 * The estimate of each hour of the week. All days are taken together, unless the weekday contradicts the other days: the more clearly it
 * does, the more its own days count.
 */
function percentages({ all, byWeekday }: { all: Share[]; byWeekday: Share[] }): number[] {
  return byWeekday.map((own, slot) => {
    const { sum, days, recent_sum, recent_days } = all[slot % 24]!
    const near = nearShare(all, slot % 24)
    if (Math.max(days, near.observed_days) < MIN_DAYS) return UNKNOWN_OPEN
    const expected = (near.sum + UNSEEN) / (near.days + 2 * UNSEEN)
    const together = (recent_sum + NEAR_DAYS * expected) / (recent_days + NEAR_DAYS)
    const others = { sum: sum - own.sum, days: days - own.days }
    const apart = (own.sum + UNSEEN) / (own.days + 2 * UNSEEN)
    const weight = own.days === 0 ? 0 : weightOfWeekday(own, others)
    // No number of days proves certainty.
    return Math.min(99, Math.max(1, Math.round(100 * (together + weight * (apart - together)))))
  })
}

/** The hours before and after count half, those two hours away an eighth. */
const NEAR_WEIGHTS = [0, 0.5, 0.125] as const
const NEAR_TOTAL = 2 * (NEAR_WEIGHTS[1] + NEAR_WEIGHTS[2])
/** The neighbouring hours stand for this many days of an hour itself: enough for an hour that is hardly ever read. */
const NEAR_DAYS = 0.3

/** The neighbouring hours as one hour; `observed_days` is how often one of them was observed on average. */
function nearShare(all: readonly Share[], hour: number): Days & { observed_days: number } {
  const near = { sum: 0, days: 0, observed_days: 0 }
  for (const shift of [-2, -1, 1, 2]) {
    const weight = NEAR_WEIGHTS[Math.abs(shift)]!
    const other = all[(hour + shift + 24) % 24]!
    near.sum += weight * other.recent_sum
    near.days += weight * other.recent_days
    near.observed_days += (weight / NEAR_TOTAL) * other.days
  }
  return near
}

type Days = Pick<Share, 'sum' | 'days'>

/** How probable it is, before anything was seen, that a weekday has hours of its own. */
const OWN_HOURS = 0.003

/** The probability that a weekday has hours of its own, by how well the other days foretell its days. */
function weightOfWeekday(own: Days, others: Days): number {
  const asOthers = likelihood(own, others.sum + UNSEEN, others.days - others.sum + UNSEEN)
  const asItself = likelihood(own, UNSEEN, UNSEEN)
  return (OWN_HOURS * asItself) / (OWN_HOURS * asItself + (1 - OWN_HOURS) * asOthers)
}

/** The probability of some open and closed days after `open` and `closed` earlier ones (Pólya's urn). */
function likelihood({ sum, days }: Days, open: number, closed: number): number {
  let product = 1
  for (let k = 0; k < days; k++) {
    const share = Math.min(1, Math.max(0, sum - k))
    const isOpen = (open + Math.min(k, sum)) / (open + closed + k)
    product *= share * isOpen + (1 - share) * (1 - isOpen)
  }
  return product
}

function openingMinute(minutes: number[]): number {
  const ascending = minutes.toSorted((a, b) => a - b)
  const median = ascending[Math.floor((ascending.length - 1) / 2)] ?? 0
  return median < FULL_HOUR_MINUTES ? 0 : Math.floor(median / MINUTE_STEP) * MINUTE_STEP
}

const dateOf = (day: number) => utcDayOf(day * DAY_MS)

/** The percentage of being open in the hour that contains an instant (epoch ms); `UNKNOWN_OPEN` when nothing is known. */
export function openPercentAt({ timezone, open }: LearnedHours, instant: number): number {
  return open[weekHourOf(timezone, startOfHour(instant))] ?? UNKNOWN_OPEN
}

/** Minutes after an hour (epoch ms) at which a queue that was closed before opens in that hour, as it did on the days before. */
export function openingMinutes({ timezone, minute }: LearnedHours, hour: number): number {
  return minute[localClock(timezone, [hour]).hour[0]!] ?? 0
}

/** Whether a source publishes that a queue opens in an hour (epoch ms). */
export const isPublishedOpening = ({ timezone, published }: LearnedHours, hour: number): boolean =>
  published?.opening_hour === localClock(timezone, [hour]).hour[0]

/** A queue that is closed is looked for an opening this far ahead. */
const MAX_CLOSED_HOURS = 96
const MORE_OFTEN_THAN_NOT = 50

/**
 * When a queue that is closed at an instant (epoch ms) is expected to open: the next hour in which it was open on most days.
 * Null when none is known, and when by its hours it should be open already and stay so.
 */
export function reopeningAfter({ timezone, opens, minute, observed_days, published }: LearnedHours, instant: number) {
  const startOf = (ahead: number) => (Math.floor(instant / HOUR_MS) + ahead) * HOUR_MS
  const slotOf = (ahead: number) => weekHourOf(timezone, startOf(ahead))
  const isOpenHour = (ahead: number) => {
    const percent = opens[slotOf(ahead)] ?? UNKNOWN_OPEN
    return percent !== UNKNOWN_OPEN && percent >= MORE_OFTEN_THAN_NOT
  }
  const openingOf = (ahead: number) => startOf(ahead) + minute[slotOf(ahead) % 24]! * MINUTE_MS
  // The queue may have closed within the current hour of an evening: it opens in a later one. If the next hour is open too, it
  // should be open already.
  const isPast = isOpenHour(0) && openingOf(0) <= instant
  if (isPast && isOpenHour(1)) return null
  let ahead = isPast ? 1 : 0
  while (!isOpenHour(ahead)) if (++ahead === MAX_CLOSED_HOURS) return null
  const hour = slotOf(ahead) % 24
  return { opens_ms: openingOf(ahead), days: published?.opening_hour === hour ? null : observed_days[hour]! }
}
