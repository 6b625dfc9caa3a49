import type { z } from 'zod'
import { ParameterError, type ParameterFault } from '../../config/errors.ts'
import { schengenState } from '../../config/reference/schengen-airports.ts'
import { SMALL_STATES } from '../../config/reference/schengen-territories.ts'
import { utcDayOf } from '../../config/vocabulary.ts'
import { adviceFor } from '../schengen/advice.ts'
import {
  ALLOWED_DAYS,
  DayCheck,
  type DayCheckInput,
  dayCheckInput,
  MAX_LISTED,
  MAX_TRIP_DAYS,
  RULE,
  WINDOW_DAYS,
} from '../schengen/day-check.ts'
import {
  changesOf,
  checkPlanned,
  countsFrom,
  dateOf,
  dateOrNull,
  dayNumber,
  firstCountedDay,
  lastExitBefore,
  overstaysOf,
  type PlannedCheck,
  plannedChange,
  type Stay,
  spanDays,
  type Timeline,
  timelineOf,
  upTo,
} from '../schengen/days.ts'
import { withDates } from '../schengen/written-days.ts'
import { defineQuery } from './define.ts'
import { simulated } from './shared-fields.ts'

const output = DayCheck.extend({ simulated }).strict()

export type SchengenDays = z.output<typeof output>

export const checkSchengenDays = defineQuery({
  name: 'checkSchengenDays',
  input: dayCheckInput,
  output,
  answer(input, { now }): z.input<typeof output> {
    const today = utcDayOf(now)
    const { trips, on: date, planned, day_by_day } = withDates(input, today)
    const on = date ?? today
    const day = dayNumber(on)
    const stays = staysOf(trips, day)
    const timeline = timelineOf(stays)
    const counted = stays.filter((stay) => stay.counted !== null)
    const present = counted.filter((stay) => stay.counted!.first <= day && stay.last > day)
    const begun = stays.filter(({ first }) => first <= day).map((stay) => upTo(day, stay))
    const check = planned ? checkPlanned(plannedStay(planned, timeline), stays) : null
    const all = check ? [...stays, check.stay] : stays
    const withPlanned = planned ? [...trips, planned] : trips
    const overstays = overstaysOf(all, day).map(({ stay, ...span }) => ({
      stay,
      first: dateOf(span.first),
      last: dateOf(span.last),
      days: spanDays(span),
    }))
    const ahead = overstays.find(({ first }) => first >= on)
    const changes = changesOf(stays, day).concat(check ? plannedChange(check, day) : [])
    const nextEntry = timeline.firstEntry(day, 1)!
    const used = timeline.used(day)
    const past = timeline.overDays().filter((over) => over <= day)
    const answer = {
      allowed: ahead === undefined && check?.allowed !== false,
      on,
      window_start: dateOf(day - WINDOW_DAYS + 1),
      days_used: used,
      days_after: timeline.count(day + 1, Number.POSITIVE_INFINITY),
      open_until: dateOrNull(counted.find(({ open }) => open)?.last ?? null),
      days_left: Math.max(0, ALLOWED_DAYS - used),
      inside: timeline.has(day),
      leaves_on: dateOrNull(present.find(({ open }) => !open)?.last ?? null),
      last_allowed_day: lastDayOf(day, timeline.longestStay(day)),
      last_allowed_day_without_later_trips: lastDayOf(day, timelineOf(begun).longestStay(day)),
      overstayed: past[0] === undefined ? null : { days: past.length, first: dateOf(past[0]) },
      overstay_days_on_date: Math.max(0, used - ALLOWED_DAYS),
      overstay_days_total: overstays.reduce((sum, { days }) => sum + days, 0),
      first_overstay_day: overstays[0]?.first ?? null,
      first_overstay_day_ahead: ahead?.first ?? null,
      overstays: overstays.slice(0, MAX_LISTED),
      changes: changes.slice(0, MAX_LISTED),
      next_entry: { date: dateOf(nextEntry), longest_stay_days: timeline.longestStay(nextEntry) },
      full_stay_from: dateOf(timeline.firstEntry(nextEntry, ALLOWED_DAYS)!),
      longest_stays: longestStays(counted, day),
      planned: check && planned ? plannedAnswer(check, planned, stays, day) : null,
      window: day_by_day ? windowDays(timeline, day) : [],
      not_counted: notCounted(stays, trips),
      notes: notesOf(all, withPlanned, check),
      membership: membershipOf(withPlanned),
      rule: RULE,
      simulated: false,
    }
    return { advice: adviceFor(answer, today), ...answer }
  },
})

/** The days of a stay that count; a stay without a country is in the area. */
function countedDays({ first, last }: { first: number; last: number }, country: string | undefined) {
  const from = country === undefined ? Number.NEGATIVE_INFINITY : firstCountedDay(country)
  return from === null || from > last ? null : { first: Math.max(first, from), last }
}

/** @throws ParameterError for a trip that ends before it begins or is too long, and for several open trips */
function staysOf(trips: DayCheckInput['trips'], day: number): Stay[] {
  const stays = trips.map(({ entry, exit, country }, index) => {
    const first = dayNumber(entry)
    const span = { first, last: exit ? dayNumber(exit) : Math.max(day, first) }
    return { stay: `trips[${index}]`, ...span, open: !exit, counted: countedDays(span, country) }
  })
  const faults: ParameterFault[] = []
  for (const { stay, first, last } of stays) {
    const parameter = `${stay}.exit`
    if (last < first) faults.push({ parameter, message: 'must not be before the entry' })
    else if (last - first > MAX_TRIP_DAYS)
      faults.push({ parameter, message: `must be within ${MAX_TRIP_DAYS} days of the entry` })
  }
  if (stays.filter(({ open }) => open).length > 1)
    faults.push({ parameter: 'trips', message: 'at most one stay can be without an exit' })
  if (faults.length > 0) throw new ParameterError(faults)
  return stays
}

/**
 * The planned stay; without a length it is the longest allowed, and one day where none is.
 * @throws ParameterError when the exit is before the entry or does not agree with the length
 */
function plannedStay({ entry, exit, days, country }: NonNullable<DayCheckInput['planned']>, trips: Timeline): Stay {
  const first = dayNumber(entry)
  const length = exit === undefined ? days : dayNumber(exit) - first + 1
  const fault = (parameter: string, message: string) => ParameterError.of(`planned.${parameter}`, message)
  if (length !== undefined && length < 1) throw fault('exit', 'must not be before the entry')
  if (length !== undefined && length > MAX_TRIP_DAYS)
    throw fault('exit', `must be within ${MAX_TRIP_DAYS} days of the entry`)
  if (exit !== undefined && days !== undefined && days !== length)
    throw fault('days', `must be ${length}, as from entry to exit, or be left out`)
  const last = first + (length ?? Math.max(1, trips.longestStay(first))) - 1
  return { stay: 'planned', first, last, open: false, counted: countedDays({ first, last }, country) }
}

const lastDayOf = (entry: number, longest: number) => (longest === 0 ? null : dateOf(entry + longest - 1))

/** The longest stay from the entry of each trip that is still to come. */
function longestStays(counted: Stay[], day: number): DayCheck['longest_stays'] {
  return counted
    .filter(({ first }) => first > day)
    .sort((a, b) => a.first - b.first)
    .slice(0, MAX_LISTED)
    .map((trip) => {
      const longest = timelineOf(counted.filter((other) => other !== trip)).longestStay(trip.first)
      return {
        stay: trip.stay,
        entry: dateOf(trip.first),
        longest_stay_days: longest,
        last_allowed_day: lastDayOf(trip.first, longest),
      }
    })
}

function plannedAnswer(
  check: PlannedCheck,
  { entry, exit, days }: NonNullable<DayCheckInput['planned']>,
  trips: Stay[],
  day: number,
): NonNullable<DayCheck['planned']> {
  const { stay, allowed, longest_days, over, over_in, first_entry } = check
  return {
    entry,
    asked_days: days === undefined && exit === undefined ? null : spanDays(stay),
    allowed,
    longest_stay_days: longest_days,
    last_allowed_day: longest_days === null ? null : lastDayOf(stay.first, longest_days),
    overstay_days: over.length,
    first_overstay_day: dateOrNull(over[0] ?? null),
    overstay_in: over_in,
    first_entry_for_stay: dateOrNull(first_entry),
    open_stay_must_end_by: dateOrNull(lastExitBefore(stay, trips, day)),
  }
}

function windowDays(timeline: Timeline, last: number): DayCheck['window'] {
  return Array.from({ length: WINDOW_DAYS }, (_, index) => {
    const day = last - WINDOW_DAYS + 1 + index
    return { date: dateOf(day), present: timeline.has(day), days_used: timeline.used(day) }
  })
}

function notCounted(stays: Stay[], trips: DayCheckInput['trips']): DayCheck['not_counted'] {
  return stays.flatMap((stay, index) => {
    const country = trips[index]?.country
    const days = spanDays(stay) - (stay.counted ? spanDays(stay.counted) : 0)
    if (country === undefined || days === 0) return []
    const first = firstCountedDay(country)
    const from = first === null ? null : dateOf(first)
    return [{ country, days, reason: from === null ? 'not in the Schengen area' : `counted from ${from} on` }]
  })
}

type WithCountry = { country?: string | undefined }

function notesOf(stays: Stay[], trips: readonly WithCountry[], planned: PlannedCheck | null): string[] {
  const codes = new Set(trips.flatMap(({ country }) => country ?? []))
  const spans = stays.toSorted((a, b) => a.first - b.first)
  const overlap = spans.some((span, index) => spans.slice(0, index).some(({ last }) => last > span.first))
  return [
    overlap && 'Some of these stays overlap; each day counts once.',
    planned?.longest_days === null &&
      'The planned stay is outside the area, where this rule sets no limit; the rules of that country apply.',
    ...SMALL_STATES.filter(({ code }) => codes.has(code)).map(({ name, note }) => `${name}: ${note}.`),
  ].filter((note) => typeof note === 'string')
}

function membershipOf(trips: readonly WithCountry[]): DayCheck['membership'] {
  const countries = new Set(trips.flatMap(({ country }) => country ?? []))
  return [...countries].flatMap((country) => {
    const small = SMALL_STATES.find(({ code }) => code === country)
    const state = schengenState(country)
    if (small) {
      const { counts_from, source, as_of, credit, caution } = small
      return [{ country, member: false, counts_from, source, as_of, credit, caution }]
    }
    if (!state) return []
    const { member, source, as_of, credit, caution } = state
    const counts_from = member ? countsFrom(state) : null
    if (member && counts_from === null) return []
    return [{ country, member, counts_from, source, as_of, credit, caution }]
  })
}
