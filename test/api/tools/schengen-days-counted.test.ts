import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DayCheck } from '../../../answers/schengen/day-check.ts'
import { dateOf, dayNumber, Timeline } from '../../../answers/schengen/days.ts'
import { checkSchengenDaysTool } from '../../../api/tools/check-schengen-days.ts'
import { repetitions } from '../../exhaustive.ts'
import { runTool } from './run-tool.ts'

interface Trip {
  entry: string
  exit?: string | null
}
const check = (input: object) => runTool<DayCheck>(checkSchengenDaysTool, input)

/** Day numbers of all trips; an open one lasts to `on`. */
function daysOf(trips: Trip[], on: string): Set<number> {
  const present = new Set<number>()
  for (const { entry, exit } of trips)
    for (let day = dayNumber(entry); day <= Math.max(dayNumber(entry), dayNumber(exit ?? on)); day++) present.add(day)
  return present
}

/** Counts every day of every window: slow, but simple enough to be right. */
function bruteForce(present: ReadonlySet<number>) {
  // One byte a day, because thousands of itineraries are counted.
  const first = Math.min(...present) - 180
  const days = new Uint8Array(present.size === 0 ? 0 : Math.max(...present) - first + 1)
  for (const day of present) days[day - first] = 1
  const usedOn = (day: number) => {
    let used = 0
    for (let back = 0; back < 180; back++) used += days[day - back - first] ?? 0
    return used
  }
  const over = [...present].filter((day) => usedOn(day) > 90).sort((a, b) => a - b)
  return { usedOn, over }
}

/** The days over 90 that a stay adds to those of the trips. */
function overDaysAddedBy(first: number, length: number, trips: ReadonlySet<number>): number[] {
  const stay = Array.from({ length }, (_, k) => first + k)
  const { over } = bruteForce(new Set([...trips, ...stay]))
  const before = new Set(bruteForce(trips).over)
  return over.filter((day) => stay.includes(day) || !before.has(day))
}

const START = dayNumber('2024-01-20')
const itinerary = fc
  .array(fc.record({ gap: fc.integer({ min: -8, max: 70 }), stay: fc.integer({ min: 1, max: 100 }) }), { maxLength: 6 })
  .map((legs) => {
    let day = START
    return legs.map(({ gap, stay }): Trip & { exit: string } => {
      const entry = Math.max(START, day + gap)
      day = entry + stay
      return { entry: dateOf(entry), exit: dateOf(day - 1) }
    })
  })
const offset = fc.integer({ min: 0, max: 500 })

test('finds every day over 90 of past, booked and planned stays, on random itineraries', () => {
  const length = fc.integer({ min: 1, max: 120 })
  fc.assert(
    fc.property(itinerary, offset, fc.option(fc.record({ offset, length })), (trips, start, planned) => {
      const on = dateOf(START + start)
      const entry = START + (planned?.offset ?? 0)
      const input = planned ? { planned: { entry: dateOf(entry), days: planned.length } } : {}
      const answer = check({ trips, on, day_by_day: false, ...input })
      const present = daysOf(trips, on)
      const { usedOn } = bruteForce(present)
      const plannedDays = Array.from({ length: planned?.length ?? 0 }, (_, k) => entry + k)
      const { over } = bruteForce(new Set([...present, ...plannedDays]))
      const used = usedOn(START + start)
      expect([answer.days_used, answer.days_left, answer.overstay_days_total, answer.first_overstay_day]).toEqual([
        used,
        Math.max(0, 90 - used),
        over.length,
        over[0] === undefined ? null : dateOf(over[0]),
      ])
      const ahead = over.find((day) => day >= START + start)
      expect(answer.first_overstay_day_ahead).toBe(ahead === undefined ? null : dateOf(ahead))
      if (!planned) expect(answer.allowed).toBe(ahead === undefined)
      if (answer.overstays.length < 10)
        expect(
          answer.overstays.flatMap(({ first, days }) => Array.from({ length: days }, (_, k) => dayNumber(first) + k)),
        ).toEqual(over)
      if (planned) {
        const added = overDaysAddedBy(entry, planned.length, present)
        expect([answer.planned!.allowed, answer.planned!.overstay_days]).toEqual([added.length === 0, added.length])
        expect(answer.planned!.first_overstay_day).toBe(added[0] === undefined ? null : dateOf(added[0]))
      }
    }),
    { numRuns: repetitions(60, 10_000), seed: 180 },
  )
}, 240_000)

test('the longest stay adds no day over 90, and one more day does; the first entry is the first that allows the stay', () => {
  fc.assert(
    fc.property(itinerary, offset, fc.integer({ min: 1, max: 95 }), (trips, start, length) => {
      const entry = START + start
      const present = daysOf(trips, dateOf(entry))
      const timeline = new Timeline(trips.map((trip) => ({ first: dayNumber(trip.entry), last: dayNumber(trip.exit) })))
      const longest = timeline.longestStay(entry)
      expect(overDaysAddedBy(entry, longest, present)).toEqual([])
      expect(overDaysAddedBy(entry, longest + 1, present).length).toBeGreaterThan(0)
      const first = timeline.firstEntry(entry, length)
      if (length > 90) {
        expect(first).toBeNull()
        return
      }
      const isFree = (day: number) =>
        Array.from({ length }, (_, k) => day + k).every((free) => !present.has(free)) &&
        overDaysAddedBy(day, length, present).length === 0
      expect(isFree(first!), dateOf(first!)).toBe(true)
      for (let day = entry; day < first!; day += 1 + (day % 5)) expect(isFree(day), dateOf(day)).toBe(false)
    }),
    { numRuns: repetitions(8, 500), seed: 90 },
  )
}, 240_000)

test('with all changes made, no day ahead is over 90', () => {
  const planned = fc.record({ offset, length: fc.integer({ min: 1, max: 120 }) })
  fc.assert(
    fc.property(itinerary, offset, fc.option(planned), (trips, start, planned) => {
      const on = dateOf(START + start)
      const entry = dateOf(START + (planned?.offset ?? 0))
      // A planned stay of the past is not planned.
      const plan = planned && entry > on ? { planned: { entry, days: planned.length } } : {}
      const { changes, overstays } = check({ trips, on, ...plan })
      const lastOf: Record<string, string | null> = Object.fromEntries(
        changes.map(({ stay, leave_by }) => [stay, leave_by]),
      )
      const changed = trips.flatMap((trip, index) => {
        const exit = lastOf[`trips[${index}]`]
        if (exit === null) return []
        return [{ entry: trip.entry, exit: exit ?? trip.exit }]
      })
      const plannedExit =
        lastOf.planned === undefined && plan.planned ? dateOf(dayNumber(entry) + plan.planned.days - 1) : lastOf.planned
      if (plan.planned && plannedExit) changed.push({ entry, exit: plannedExit })
      const { over } = bruteForce(daysOf(changed, on))
      expect(over.filter((day) => day > START + start).map(dateOf)).toEqual([])
      expect(changes.length > 0).toBe(overstays.some(({ last }) => last > on))
    }),
    { numRuns: repetitions(50, 5_000), seed: 7 },
  )
}, 240_000)
