import type { z } from 'zod'
import { adviceFor } from '../schengen/advice.ts'
import { DayCheck, dayCheckInput, MAX_LISTED, RULE } from '../schengen/day-check.ts'
import {
  exitAfter,
  lastDayOf,
  listedChange,
  longestStays,
  membershipOf,
  notCounted,
  notesOf,
  openUntil,
  overstayedBy,
  plannedAnswer,
  plannedChange,
  windowDays,
} from '../schengen/findings.ts'
import { plannedStay, staysOf, upTo } from '../schengen/given-stays.ts'
import { changesOf, checkPlanned, overstaysOf, spanDays, timelineOf } from '../schengen/itinerary.ts'
import { ALLOWED_DAYS, dateOf, dayNumber, WINDOW_DAYS } from '../schengen/timeline.ts'
import { defineQuery } from './define.ts'
import { simulated } from './shared-fields.ts'

const output = DayCheck.extend({ simulated }).strict()

export type SchengenDays = z.output<typeof output>

export const checkSchengenDays = defineQuery({
  name: 'checkSchengenDays',
  input: dayCheckInput,
  output,
  answer({ trips, on: date, planned, day_by_day }, { now }): z.input<typeof output> {
    const on = date ?? new Date(now).toISOString().slice(0, 10)
    const day = dayNumber(on)
    const stays = staysOf(trips, day)
    const timeline = timelineOf(stays)
    const begun = stays.filter(({ first }) => first <= day)
    const plannedCheck = planned ? checkPlanned(plannedStay(planned, timeline), stays) : null
    const all = plannedCheck ? [...stays, plannedCheck.stay] : stays
    const overstays = overstaysOf(all, day)
    const ahead = overstays.find(({ first }) => first >= day)
    const changes = [...changesOf(stays, day), ...plannedChange(plannedCheck, day)]
    const nextEntry = timeline.firstEntry(day, 1)!
    const used = timeline.used(day)
    const answer = {
      allowed: ahead === undefined && plannedCheck?.allowed !== false,
      on,
      window_start: dateOf(day - WINDOW_DAYS + 1),
      days_used: used,
      days_after: timeline.count(day + 1, timeline.lastDay),
      open_until: openUntil(stays),
      days_left: Math.max(0, ALLOWED_DAYS - used),
      inside: timeline.has(day),
      leaves_on: exitAfter(day, stays),
      last_allowed_day: lastDayOf(day, timeline.longestStay(day)),
      last_allowed_day_without_later_trips: lastDayOf(day, timelineOf(begun.map(upTo(day))).longestStay(day)),
      overstayed: overstayedBy(day, timeline),
      overstay_days_on_date: Math.max(0, used - ALLOWED_DAYS),
      overstay_days_total: overstays.reduce((sum, run) => sum + spanDays(run), 0),
      first_overstay_day: overstays[0] ? dateOf(overstays[0].first) : null,
      first_overstay_day_ahead: ahead ? dateOf(ahead.first) : null,
      overstays: overstays.slice(0, MAX_LISTED).map((run) => ({
        stay: run.stay,
        first: dateOf(run.first),
        last: dateOf(run.last),
        days: spanDays(run),
      })),
      changes: changes.slice(0, MAX_LISTED).map(listedChange),
      next_entry: { date: dateOf(nextEntry), longest_stay_days: timeline.longestStay(nextEntry) },
      full_stay_from: dateOf(timeline.firstEntry(nextEntry, ALLOWED_DAYS)!),
      longest_stays: longestStays(stays, day),
      planned: plannedCheck && planned ? plannedAnswer(plannedCheck, planned, stays, day) : null,
      window: day_by_day ? windowDays(timeline, day) : [],
      not_counted: notCounted(stays, trips),
      notes: notesOf(all, [...trips, ...(planned ? [planned] : [])], plannedCheck),
      membership: membershipOf([...trips, ...(planned ? [planned] : [])]),
      rule: RULE,
      simulated: false,
    }
    return { advice: adviceFor(answer), ...answer }
  },
})
