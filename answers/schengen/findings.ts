import { schengenState } from '../../config/reference/schengen-airports.ts'
import { SMALL_STATES } from '../../config/reference/schengen-territories.ts'
import { type DayCheck, type DayCheckInput, MAX_LISTED } from './day-check.ts'
import { lastExitBefore, type PlannedCheck, type Stay, type StayChange, spanDays, timelineOf } from './itinerary.ts'
import { countsFrom, dateOf, type Timeline, WINDOW_DAYS } from './timeline.ts'

export const lastDayOf = (entry: number, longest: number) => (longest === 0 ? null : dateOf(entry + longest - 1))

/** The days over 90 that the trips have had up to a day. */
export function overstayedBy(day: number, trips: Timeline): DayCheck['overstayed'] {
  const past = trips.overDays().filter((over) => over <= day)
  return past[0] === undefined ? null : { days: past.length, first: dateOf(past[0]) }
}

export function exitAfter(day: number, stays: Stay[]): string | null {
  const stay = stays.find(({ counted, last, open }) => !open && counted && counted.first <= day && last > day)
  return stay ? dateOf(stay.last) : null
}

export function openUntil(stays: Stay[]): string | null {
  const stay = stays.find(({ open, counted }) => open && counted)
  return stay ? dateOf(stay.last) : null
}

export function plannedChange(check: PlannedCheck | null, on: number): StayChange[] {
  if (!check || check.first_over_day === null || check.stay.last < on) return []
  const { stay, over_days, first_over_day, longest_days, first_entry } = check
  return [
    { stay, over_days, first_over_day, leave_by: longest_days ? stay.first + longest_days - 1 : null, first_entry },
  ]
}

export function listedChange({
  stay,
  over_days,
  first_over_day,
  leave_by,
  first_entry,
}: StayChange): DayCheck['changes'][number] {
  return {
    stay: stay.stay,
    entry: dateOf(stay.first),
    exit: dateOf(stay.last),
    overstay_days: over_days,
    first_overstay_day: dateOf(first_over_day),
    leave_by: leave_by === null ? null : dateOf(leave_by),
    shorten_by_days: leave_by === null ? spanDays(stay) : stay.last - leave_by,
    first_entry_same_length: first_entry === null ? null : dateOf(first_entry),
  }
}

/** The longest stay from the entry of each trip that is still to come. */
export function longestStays(stays: Stay[], day: number): DayCheck['longest_stays'] {
  return stays
    .filter((trip) => trip.first > day && trip.counted !== null)
    .sort((a, b) => a.first - b.first)
    .slice(0, MAX_LISTED)
    .map((trip) => {
      const longest = timelineOf(stays.filter((other) => other !== trip)).longestStay(trip.first)
      return {
        stay: trip.stay,
        entry: dateOf(trip.first),
        longest_stay_days: longest,
        last_allowed_day: lastDayOf(trip.first, longest),
      }
    })
}

export function plannedAnswer(
  check: PlannedCheck,
  { entry, exit, days }: NonNullable<DayCheckInput['planned']>,
  trips: Stay[],
  day: number,
): NonNullable<DayCheck['planned']> {
  const { stay, allowed, longest_days, over_days, first_over_day, over_in, first_entry } = check
  const lastExit = lastExitBefore(stay, trips, day)
  return {
    entry,
    asked_days: days === undefined && exit === undefined ? null : spanDays(stay),
    allowed,
    longest_stay_days: longest_days,
    last_allowed_day: longest_days === null ? null : lastDayOf(stay.first, longest_days),
    overstay_days: over_days,
    first_overstay_day: first_over_day === null ? null : dateOf(first_over_day),
    overstay_in: over_in,
    first_entry_for_stay: first_entry === null ? null : dateOf(first_entry),
    open_stay_must_end_by: lastExit === null ? null : dateOf(lastExit),
  }
}

export function windowDays(timeline: Timeline, last: number): DayCheck['window'] {
  return Array.from({ length: WINDOW_DAYS }, (_, index) => {
    const day = last - WINDOW_DAYS + 1 + index
    return { date: dateOf(day), present: timeline.has(day), days_used: timeline.used(day) }
  })
}

export function notCounted(stays: Stay[], trips: DayCheckInput['trips']): DayCheck['not_counted'] {
  return stays.flatMap((stay, index) => {
    const country = trips[index]?.country
    const days = spanDays(stay) - (stay.counted ? spanDays(stay.counted) : 0)
    if (country === undefined || days === 0) return []
    const state = schengenState(country)
    const from = state?.member ? countsFrom(state) : null
    return [{ country, days, reason: from === null ? 'not in the Schengen area' : `counted from ${from} on` }]
  })
}

export function notesOf(
  stays: Stay[],
  given: { country?: string | undefined }[],
  planned: PlannedCheck | null,
): string[] {
  const codes = new Set(given.flatMap(({ country }) => country ?? []))
  const spans = stays.toSorted((a, b) => a.first - b.first)
  const overlap = spans.some((span, index) => spans.slice(0, index).some(({ last }) => last > span.first))
  return [
    overlap && 'Some of these stays overlap; each day counts once.',
    planned?.longest_days === null &&
      'The planned stay is outside the area, where this rule sets no limit; the rules of that country apply.',
    ...SMALL_STATES.filter(({ code }) => codes.has(code)).map(({ name, note }) => `${name}: ${note}.`),
  ].filter((note) => typeof note === 'string')
}

export function membershipOf(stays: { country?: string | undefined }[]): DayCheck['membership'] {
  const countries = new Set(stays.flatMap(({ country }) => country ?? []))
  return [...countries].flatMap((country) => {
    const small = SMALL_STATES.find(({ code }) => code === country)
    const state = schengenState(country)
    if (small) {
      const { source, as_of, credit, caution } = small
      return [{ country, member: false, counts_from: null, source, as_of, credit, caution }]
    }
    if (!state) return []
    const { member, source, as_of, credit, caution } = state
    const counts_from = member ? countsFrom(state) : null
    if (member && counts_from === null) return []
    return [{ country, member, counts_from, source, as_of, credit, caution }]
  })
}
