import { expect, test } from 'vitest'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { processAt } from '../../../forecasting/features/series-expectation.ts'
import { fakeSeries, keptHours, peaks, START } from '../../training/fake-series.ts'

/** What is expected of the hours after an instant. */
function expectedAfter(
  series: HourlySeries,
  issued_ms: number,
  hours = 168,
  prepared = prepareSeries(series),
): number[] {
  const forecast = processAt(prepared, issued_ms)
  const instants = Array.from({ length: hours }, (_, k) => issued_ms + k * HOUR_MS)
  const { hour, weekday } = localClock(series.timezone, instants)
  return instants.map((instant, k) => forecast.expected(instant / HOUR_MS, (weekday[k]! - 1) * 24 + hour[k]!))
}

const ISSUED = START + 20 * DAY_MS

test.each([2, 5, 20])('hours after an instant change nothing of what was expected at it, after %i days', (days) => {
  const series = fakeSeries(40, peaks(3))
  const issued_ms = START + days * DAY_MS
  const before = expectedAfter(
    keptHours(series, (row) => series.available_ms[row]! <= issued_ms),
    issued_ms,
  )
  expect(expectedAfter(series, issued_ms)).toEqual(before)
  const other = { ...series, mean: series.mean.map((wait, row) => (series.hour_ms[row]! >= issued_ms ? 500 : wait)) }
  expect(expectedAfter(other, issued_ms)).toEqual(before)
})

test('instants one after the other expect what each alone does, also after an earlier one', () => {
  const series = fakeSeries(14, peaks(4))
  const prepared = prepareSeries(series)
  for (const days of [1, 4.25, 12, 6])
    expect(expectedAfter(series, START + days * DAY_MS, 168, prepared)).toEqual(
      expectedAfter(series, START + days * DAY_MS),
    )
})

test('an hour is learned from when it is available, and a row that comes after a later one is left out', () => {
  const series = fakeSeries(30, peaks(5))
  const late = { ...series, available_ms: series.hour_ms.map((hour) => hour + 3 * DAY_MS) }
  const cut = keptHours(late, (row) => late.available_ms[row]! <= ISSUED)
  expect(expectedAfter(late, ISSUED)).toEqual(expectedAfter(cut, ISSUED))
  const delayed = {
    ...series,
    available_ms: series.available_ms.map((instant, row) => (row === 100 ? instant + DAY_MS : instant)),
  }
  const without = keptHours(series, (row) => row !== 100)
  expect(expectedAfter(delayed, ISSUED)).toEqual(expectedAfter(without, ISSUED))
  expect(expectedAfter(delayed, START + 101 * HOUR_MS)).toEqual(expectedAfter(without, START + 101 * HOUR_MS))
})

test('constant waits are expected to stay', () => {
  for (const minutes of [0, 7])
    for (const expected of expectedAfter(
      fakeSeries(20, () => minutes),
      ISSUED,
    ))
      expect(expected).toBeCloseTo(minutes, 6)
})

test('one reading is expected again, and nothing is expected of no reading', () => {
  const series = fakeSeries(20, () => 12)
  const single = keptHours(series, (row) => row === 5)
  for (const expected of expectedAfter(single, ISSUED)) expect(expected).toBeCloseTo(12, 6)
  expect(
    expectedAfter(
      keptHours(series, () => false),
      ISSUED,
    ).every(Number.isFinite),
  ).toBe(true)
})

test('a gap of weeks leads back to the usual shape of the day', () => {
  const usual = peaks(1, 0)
  const series = fakeSeries(60, (hour) => usual(hour, 2))
  const gap = keptHours(series, (row) => row < 20 * 24 || row >= 59 * 24)
  const expected = expectedAfter(gap, START + 60 * DAY_MS, 24)
  // The instant is 20:00 in New York: 7:00 is eleven hours later.
  expect(expected[11]).toBeGreaterThan(14)
  expect(expected[7]).toBeLessThan(4)
})

test('the shape of the day follows the wall clock over a clock change', () => {
  // New York changes its clocks on 2026-03-08, seven days after the start.
  const series = fakeSeries(14, (hour) => (hour === 8 ? 25 : 5))
  const peakAt = (days: number) => {
    const expected = expectedAfter(series, START + days * DAY_MS, 24)
    return expected.indexOf(Math.max(...expected))
  }
  expect([peakAt(6), peakAt(12)]).toEqual([13, 12])
})

test('a spike is not expected again', () => {
  const steady = (_: number, __: number, row: number) => (row === 20 * 24 - 1 ? 170 : 6 + (row % 3))
  const [next] = expectedAfter(fakeSeries(30, steady), ISSUED)
  expect(next).toBeLessThan(9)
})

test('innovations are those of the last hours, and fade with their age', () => {
  const raised = fakeSeries(20, (_, __, row) => 6 + (row % 3) + (row >= 20 * 24 - 6 ? 5 : 0))
  const forecast = processAt(prepareSeries(raised), ISSUED)
  const [short, , long] = forecast.innovations(ISSUED / HOUR_MS)
  expect(short).toBeGreaterThan(long!)
  const [later] = forecast.innovations(ISSUED / HOUR_MS + 48)
  expect(later).toBeLessThan(short! / 4)
})
