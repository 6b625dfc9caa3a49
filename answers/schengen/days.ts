import { countedSmallState, schengenState } from '../../config/reference/schengen-airports.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import { ALLOWED_DAYS, type DayCheck, WINDOW_DAYS } from './day-check.ts'

/** The number of a date: whole days since 1970-01-01, independent of time zones. */
export const dayNumber = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
export const dateOf = (day: number) => utcDayOf(day * DAY_MS)
export const dateOrNull = (day: number | null) => (day === null ? null : dateOf(day))

/** Days from `first` to `last`, both included. */
interface DaySpan {
  first: number
  last: number
}

/**
 * The first day on which a stay in a country counts; -Infinity when every day counts, null when none does. A state that joined
 * later counts from the day on which the rules applied there: the day on which checks at its land borders ended.
 */
export function firstCountedDay(country: string): number | null {
  const small = countedSmallState(country)
  const state = schengenState(country)
  if (!small && !state?.member) return null
  const from = small ? small.counts_from : countsFrom(state!)
  return from === null ? Number.NEGATIVE_INFINITY : dayNumber(from)
}

/** The date from which days in a member state count; null when it joined before that can matter. */
export function countsFrom(state: {
  days_count_from: string | null
  land_border_checks_ended: string | null
}): string | null {
  if (state.days_count_from !== null) return state.days_count_from
  const ended = state.land_border_checks_ended
  return ended !== null && ended.length === 'YYYY-MM-DD'.length ? ended : null
}

/** The days on which a traveller is in the area, over past and future; a day of several stays counts once. */
export class Timeline {
  readonly #first: number
  /** `#until[n]` counts the days of presence from `#first` on, before day `#first + n`. */
  readonly #until: Int32Array

  constructor(spans: readonly DaySpan[]) {
    const first = Math.min(...spans.map((span) => span.first))
    const last = Math.max(...spans.map((span) => span.last))
    const length = spans.length === 0 ? 0 : last - first + 1
    this.#first = spans.length === 0 ? 0 : first
    const present = new Uint8Array(length)
    for (const span of spans) present.fill(1, span.first - first, span.last - first + 1)
    this.#until = new Int32Array(length + 1)
    for (let day = 0; day < length; day++) this.#until[day + 1] = this.#until[day]! + present[day]!
  }

  /** Days of presence from `first` to `last`, both included. */
  count(first: number, last: number): number {
    if (last < first) return 0
    return this.#before(last + 1) - this.#before(first)
  }

  has(day: number): boolean {
    return this.count(day, day) === 1
  }

  /** Days of presence within the 180 days that end with `day`. */
  used(day: number): number {
    return this.count(day - WINDOW_DAYS + 1, day)
  }

  /** Whether `day` is a day of presence with more than 90 days used. */
  isOver(day: number): boolean {
    return this.has(day) && this.used(day) > ALLOWED_DAYS
  }

  /** Every day of presence with more than 90 days used, in order. */
  overDays(): number[] {
    const all = Array.from(this.#until, (_, index) => this.#first + index)
    return all.filter((day) => this.isOver(day))
  }

  /**
   * The longest stay without a break that may begin on `entry`, in days, with all other days of presence kept. It is counted
   * day by day, because old days leave the window while the stay uses new ones.
   */
  longestStay(entry: number): number {
    let allowed = 0
    let tooLong = ALLOWED_DAYS + 1
    while (tooLong - allowed > 1) {
      const middle = (allowed + tooLong) >> 1
      if (this.#daysToSkip({ first: entry, last: entry + middle - 1 }) === 0) allowed = middle
      else tooLong = middle
    }
    return allowed
  }

  /**
   * The first day from `from` on on which a stay of `days` may begin that overlaps no other day of presence and keeps all of
   * them; null when no day ever allows it, because it is longer than 90 days.
   */
  firstEntry(from: number, days: number): number | null {
    if (days > ALLOWED_DAYS) return null
    for (let entry = from; ; ) {
      const stay = { first: entry, last: entry + days - 1 }
      const skip = this.count(stay.first, stay.last) > 0 ? 1 : this.#daysToSkip(stay)
      if (skip === 0) return entry
      entry += skip
    }
  }

  /**
   * Minimum number of days to delay the entry of a stay so that no day exceeds 90, in this stay or a later one; 0 if it is
   * allowed. A later entry removes at most one day per day from any window.
   */
  #daysToSkip({ first, last }: DaySpan): number {
    let skip = 0
    const added = (from: number, to: number) => (to < from ? 0 : to - from + 1 - this.count(from, to))
    const usedWith = (day: number) =>
      this.used(day) + added(Math.max(first, day - WINDOW_DAYS + 1), Math.min(last, day))
    for (let day = first; day <= last; day++)
      skip = Math.max(skip, Math.min(usedWith(day) - ALLOWED_DAYS, day - first + 1))
    for (let day = last + 1; day < last + WINDOW_DAYS; day++)
      if (this.has(day) && this.used(day) <= ALLOWED_DAYS) skip = Math.max(skip, usedWith(day) - ALLOWED_DAYS)
    return skip
  }

  #before(day: number): number {
    return this.#until[Math.min(Math.max(day - this.#first, 0), this.#until.length - 1)]!
  }
}

/** One stay of an itinerary, as day numbers, both included. */
export interface Stay extends DaySpan {
  /** `trips[2]` or `planned`, as the caller's input names it. */
  stay: string
  /** Without an exit: `last` is assumed. */
  open: boolean
  /** The days that count, null when none does: a country may be outside the area, or join it during the stay. */
  counted: DaySpan | null
}

export const spanDays = ({ first, last }: DaySpan) => last - first + 1

const countedSpans = (stays: readonly Stay[]) => stays.flatMap(({ counted }) => counted ?? [])

/** The timeline of the days that count. */
export const timelineOf = (stays: readonly Stay[]) => new Timeline(countedSpans(stays))

const contains = ({ counted }: Stay, day: number) => counted !== null && counted.first <= day && day <= counted.last

/** The stay that a day of presence belongs to; a trip before the planned stay. */
const stayOn = (day: number, stays: readonly Stay[]) => stays.find((stay) => contains(stay, day))?.stay ?? ''

/** Every day over 90 as runs of consecutive days within one stay and on one side of `on`. */
export function overstaysOf(stays: readonly Stay[], on: number): (DaySpan & { stay: string })[] {
  const runs: (DaySpan & { stay: string })[] = []
  for (const day of timelineOf(stays).overDays()) {
    const stay = stayOn(day, stays)
    const run = runs.at(-1)
    if (run && run.last === day - 1 && run.stay === stay && day !== on) run.last = day
    else runs.push({ stay, first: day, last: day })
  }
  return runs
}

type StayChange = DayCheck['changes'][number]

/** The change that makes a stay with days over 90 allowed: its last allowed day, or the first later entry for the same length. */
const changeOf = (
  stay: Stay,
  over: readonly number[],
  leaveBy: number | null,
  firstEntry: number | null,
): StayChange => ({
  stay: stay.stay,
  entry: dateOf(stay.first),
  exit: dateOf(stay.last),
  overstay_days: over.length,
  first_overstay_day: dateOf(over[0]!),
  leave_by: dateOrNull(leaveBy),
  shorten_by_days: leaveBy === null ? spanDays(stay) : stay.last - leaveBy,
  first_entry_same_length: dateOrNull(firstEntry),
})

/**
 * The changes that leave no day after `on` over 90: in the order of their entries, each stay ends before its first day over 90.
 * Days up to `on` have happened and are not changed.
 */
export function changesOf(trips: readonly Stay[], on: number): StayChange[] {
  const changes: { trip: Stay; over: number[]; leaveBy: number | null }[] = []
  const fixed: Stay[] = []
  for (const trip of trips.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
    const { counted } = trip
    // Only the window before its days matters; trips may span a century.
    const near = counted ? fixed.filter(({ last }) => last > counted.first - WINDOW_DAYS) : []
    const over = timelineOf([...near, trip])
      .overDays()
      .filter((day) => day >= on && contains(trip, day))
    const [firstOver] = over
    if (!counted || firstOver === undefined) {
      fixed.push(trip)
      continue
    }
    const lastAllowed = counted.first <= on ? Math.max(on, firstOver - 1) : firstOver - 1
    const leaveBy = lastAllowed >= counted.first ? lastAllowed : null
    if (leaveBy !== null) fixed.push(endingOn(leaveBy, trip))
    if (leaveBy !== trip.last) changes.push({ trip, over, leaveBy })
  }
  return changes.map(({ trip, over, leaveBy }) => {
    const isBegun = trip.counted!.first <= on
    const others = timelineOf(fixed.filter(({ stay }) => stay !== trip.stay))
    return changeOf(trip, over, leaveBy, isBegun ? null : others.firstEntry(trip.first, spanDays(trip)))
  })
}

/** A stay that ends on a day of its own. */
const endingOn = (last: number, stay: Stay): Stay => ({
  ...stay,
  last,
  counted: stay.counted && { ...stay.counted, last },
})

/** A stay without its days after `day`. */
export const upTo = (day: number, stay: Stay): Stay => {
  const cut = endingOn(Math.min(stay.last, day), stay)
  return cut.counted && cut.counted.first > day ? { ...cut, counted: null } : cut
}

/** A planned stay beside the trips, which are kept as they are. */
export interface PlannedCheck {
  stay: Stay
  allowed: boolean
  /** Null when the country is outside the area, so that the rule sets no limit. */
  longest_days: number | null
  /** The days over 90 that it causes, also in later trips. */
  over: number[]
  /** The stay that the first of them belongs to. */
  over_in: string | null
  first_entry: number | null
}

/** Checks a planned stay with all trips kept as they are. */
export function checkPlanned(planned: Stay, trips: readonly Stay[]): PlannedCheck {
  const { counted } = planned
  const free = { stay: planned, allowed: true, longest_days: null, over: [], over_in: null, first_entry: planned.first }
  if (!counted) return free
  const without = timelineOf(trips)
  const stays = [...trips, planned]
  const over = timelineOf(stays)
    .overDays()
    .filter((day) => contains(planned, day) || !without.isOver(day))
  const longest_days = counted.first - planned.first + without.longestStay(counted.first)
  const [first] = over
  if (first === undefined) return { ...free, allowed: longest_days > 0, longest_days }
  return {
    stay: planned,
    allowed: false,
    longest_days,
    over,
    over_in: contains(planned, first) ? planned.stay : stayOn(first, stays),
    first_entry: without.firstEntry(planned.first, spanDays(planned)),
  }
}

/** The change of a planned stay that begins or lasts after `on`; none where it is allowed. */
export function plannedChange({ stay, over, longest_days, first_entry }: PlannedCheck, on: number): StayChange[] {
  if (over.length === 0 || stay.last < on) return []
  return [changeOf(stay, over, longest_days ? stay.first + longest_days - 1 : null, first_entry)]
}

/** The last day on which an open stay may end, from `on` on, so that a planned stay is allowed; null when there is none. */
export function lastExitBefore(planned: Stay, trips: readonly Stay[], on: number): number | null {
  const open = trips.find((trip) => trip.open && trip.counted)
  if (!open?.counted || !planned.counted) return null
  const from = Math.max(on, open.counted.first)
  let last: number | null = null
  for (let day = from; day < from + ALLOWED_DAYS; day++) {
    const stays = trips.map((trip) => (trip === open ? endingOn(day, open) : trip))
    if (timelineOf(stays).isOver(day) || !checkPlanned(planned, stays).allowed) break
    last = day
  }
  return last
}
