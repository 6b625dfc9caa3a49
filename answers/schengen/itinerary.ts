import { ALLOWED_DAYS, type DaySpan, Timeline, WINDOW_DAYS } from './timeline.ts'

/** One stay of an itinerary, as day numbers, both included. */
export interface Stay extends DaySpan {
  /** `trips[2]` or `planned`, as the caller's input names it. */
  stay: string
  /** Without an exit: `last` is assumed. */
  open: boolean
  /** The days that count, null when none does: a country may be outside the area, or join it during the stay. */
  counted: DaySpan | null
}

/** Consecutive days over 90 in one stay. */
export interface Overstay extends DaySpan {
  stay: string
}

/** What would make a stay with days over 90 allowed. */
export interface StayChange {
  stay: Stay
  over_days: number
  first_over_day: number
  /** The last allowed day; null when no day of the stay is allowed. */
  leave_by: number | null
  /** The first entry, not before its own, for the same length with the other stays as changed; null: there is none. */
  first_entry: number | null
}

/** A planned stay beside the trips, which are kept as they are. */
export interface PlannedCheck {
  stay: Stay
  allowed: boolean
  /** Null when the country is outside the area, so that the rule sets no limit. */
  longest_days: number | null
  over_days: number
  first_over_day: number | null
  /** The stay that the first day over 90 belongs to. */
  over_in: string | null
  first_entry: number | null
}

export const spanDays = ({ first, last }: DaySpan) => last - first + 1

const countedSpans = (stays: readonly Stay[]) => stays.flatMap(({ counted }) => counted ?? [])

/** The timeline of the days that count. */
export const timelineOf = (stays: readonly Stay[]) => new Timeline(countedSpans(stays))

const contains = ({ counted }: Stay, day: number) => counted !== null && counted.first <= day && day <= counted.last

/** The stay that a day of presence belongs to; a trip before the planned stay. */
const stayOn = (day: number, stays: readonly Stay[]) => stays.find((stay) => contains(stay, day))?.stay ?? ''

/** Every day over 90 as runs of consecutive days within one stay and on one side of `on`. */
export function overstaysOf(stays: readonly Stay[], on: number): Overstay[] {
  const runs: Overstay[] = []
  for (const day of timelineOf(stays).overDays()) {
    const stay = stayOn(day, stays)
    const run = runs.at(-1)
    if (run && run.last === day - 1 && run.stay === stay && day !== on) run.last = day
    else runs.push({ stay, first: day, last: day })
  }
  return runs
}

/**
 * The changes that leave no day after `on` over 90: in the order of their entries, each stay ends before its first day over 90.
 * Days up to `on` have happened and are not changed.
 */
export function changesOf(trips: readonly Stay[], on: number): StayChange[] {
  const changes: StayChange[] = []
  const fixed: Stay[] = []
  for (const trip of trips.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
    const { counted } = trip
    const over: number[] = []
    if (counted) {
      // Only the window before its days matters; trips may span a century.
      const timeline = timelineOf([...fixed.filter(({ last }) => last > counted.first - WINDOW_DAYS), trip])
      for (let day = Math.max(counted.first, on); day <= counted.last; day++) if (timeline.isOver(day)) over.push(day)
    }
    const [first_over_day] = over
    if (!counted || first_over_day === undefined) {
      fixed.push(trip)
      continue
    }
    const begun = counted.first <= on
    const leave_by = begun ? Math.max(on, first_over_day - 1) : first_over_day - 1
    const isLeft = leave_by >= counted.first
    if (isLeft) fixed.push({ ...trip, last: leave_by, counted: { first: counted.first, last: leave_by } })
    if (isLeft && leave_by === trip.last) continue
    changes.push({
      stay: trip,
      over_days: over.length,
      first_over_day,
      leave_by: isLeft ? leave_by : null,
      first_entry: begun ? null : spanDays(trip),
    })
  }
  // A later entry needs the other stays as they are changed, so it is looked for last.
  return changes.map((change) => {
    if (change.first_entry === null) return change
    const others = timelineOf(fixed.filter(({ stay }) => stay !== change.stay.stay))
    return { ...change, first_entry: others.firstEntry(change.stay.first, spanDays(change.stay)) }
  })
}

/** Checks a planned stay with all trips kept as they are. */
export function checkPlanned(planned: Stay, trips: readonly Stay[]): PlannedCheck {
  const { counted } = planned
  const free = { stay: planned, over_days: 0, first_over_day: null, over_in: null }
  if (!counted) return { ...free, allowed: true, longest_days: null, first_entry: planned.first }
  const without = timelineOf(trips)
  const stays = [...trips, planned]
  const over = timelineOf(stays)
    .overDays()
    .filter((day) => contains(planned, day) || !without.isOver(day))
  const [first_over_day] = over
  const uncounted = counted.first - planned.first
  const longest_days = uncounted + without.longestStay(counted.first)
  if (first_over_day === undefined)
    return { ...free, allowed: longest_days > 0, longest_days, first_entry: planned.first }
  return {
    stay: planned,
    allowed: false,
    longest_days,
    over_days: over.length,
    first_over_day,
    over_in: contains(planned, first_over_day) ? planned.stay : stayOn(first_over_day, stays),
    first_entry: without.firstEntry(planned.first, spanDays(planned)),
  }
}

/** The last day on which an open stay may end, from `on` on, so that a planned stay is allowed; null when there is none. */
export function lastExitBefore(planned: Stay, trips: readonly Stay[], on: number): number | null {
  const open = trips.find((trip) => trip.open && trip.counted)
  if (!open?.counted || !planned.counted) return null
  const { counted } = open
  let last: number | null = null
  for (let day = Math.max(on, counted.first); day < Math.max(on, counted.first) + ALLOWED_DAYS; day++) {
    const longer = { ...open, last: day, counted: { first: counted.first, last: day } }
    const stays = trips.map((trip) => (trip === open ? longer : trip))
    if (timelineOf(stays).isOver(day) || !checkPlanned(planned, stays).allowed) break
    last = day
  }
  return last
}
