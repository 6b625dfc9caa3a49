import { expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { levelShifts } from '../../../training/research/level-shifts.ts'
import { fakeSeries, START } from '../fake-series.ts'
import { fakeRun } from './fake-run.ts'

const SHIFT_DAY = 40

/** Hours of a day that were forecast at its start, of which some are inside 4 to 12 min. */
const day = (number: number, inside: number, from = 0, hours = 24) =>
  Array.from({ length: hours }, (_, hour) => ({
    issued_ms: START + number * DAY_MS,
    ahead: from + hour,
    truth: hour < inside ? 10 : 20,
  }))

const RANGE = { p10: 4, p50: 8, p90: 12 }

test('counts the days from a shift of level to the first one that lacks no more than five points', () => {
  const series = fakeSeries(60, (_hour, _weekday, row) => (row < SHIFT_DAY * 24 ? 5 : 10), { timezone: 'Etc/UTC' })
  const run = fakeRun(
    'JFK',
    [
      // Covered, but before the shift.
      ...day(SHIFT_DAY - 1, 24),
      ...day(SHIFT_DAY, 6),
      // 17 of 24 are 71 %; with the eight hours of the day after next 25 of 32 are 78 %.
      ...day(SHIFT_DAY + 1, 17),
      ...day(SHIFT_DAY + 1, 8, 24, 8),
      ...day(SHIFT_DAY + 2, 18),
    ],
    RANGE,
  )
  expect(levelShifts([run], [series])).toEqual({
    shifts: [
      {
        iata: 'JFK',
        day: '2026-04-10',
        before_minutes: 5,
        after_minutes: 10,
        first_day_coverage: 0.25,
        days_until_covered: { day_ahead: 2, issued: 1 },
      },
    ],
    median_days: { day_ahead: 2, issued: 1 },
    worst_days: { day_ahead: 2, issued: 1 },
    // Of the hours issued on the day after, 25 of 32.
    coverage_by_day: {
      day_ahead: [0.25, 17 / 24, 0.75, null, null, null, null],
      issued: [0.25, 25 / 32, 0.75, null, null, null, null],
    },
    covered_days: { day_ahead: 0.5, issued: 0.75 },
    // From each of the four days a covered one is at most two days away.
    soon_covered_days: { day_ahead: 1, issued: 1 },
  })
})

test('shifts are averaged day by day, and days from which nothing is covered any more do not count as late', () => {
  const series = fakeSeries(60, (_hour, _weekday, row) => (row < SHIFT_DAY * 24 ? 5 : 10), { timezone: 'Etc/UTC' })
  const slow = fakeRun(
    'JFK',
    [0, 1, 2, 3].flatMap((days) => day(SHIFT_DAY + days, days === 3 ? 24 : 6)),
    RANGE,
  )
  const lost = fakeRun('LAX', [...day(SHIFT_DAY, 12), ...day(SHIFT_DAY + 1, 12)], RANGE)
  const { coverage_by_day, soon_covered_days } = levelShifts([slow, lost], [series, series])
  expect(coverage_by_day.day_ahead).toEqual([0.375, 0.375, 0.25, 1, null, null, null])
  // Three days from the first of the four days of JFK.
  expect(soon_covered_days.day_ahead).toBe(0.75)
})

test('has no number of days for a shift that the backtest never covers', () => {
  const series = fakeSeries(60, (_hour, _weekday, row) => (row < SHIFT_DAY * 24 ? 10 : 5), { timezone: 'Etc/UTC' })
  const never = fakeRun('JFK', day(SHIFT_DAY, 6), RANGE)
  const atOnce = fakeRun('LAX', day(SHIFT_DAY, 24), RANGE)
  const runs = [atOnce, never, atOnce]
  const { shifts, median_days, worst_days } = levelShifts(
    runs,
    runs.map(() => series),
  )
  expect(shifts.map(({ days_until_covered }) => days_until_covered.day_ahead)).toEqual([0, null, 0])
  expect(median_days).toEqual({ day_ahead: 0, issued: 0 })
  expect(worst_days).toEqual({ day_ahead: null, issued: null })
})

test.each([
  ['by less than a third', 10, 13],
  ['by less than 1.5 min', 2, 3.4],
])('a week that moved %s is no shift', (_, before, after) => {
  const series = fakeSeries(60, (_hour, _weekday, row) => (row < SHIFT_DAY * 24 ? before : after))
  expect(levelShifts([fakeRun('JFK', day(SHIFT_DAY, 6), RANGE)], [series]).shifts).toEqual([])
})
