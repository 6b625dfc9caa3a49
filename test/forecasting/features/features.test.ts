import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { examplesOfAll, knownBy } from '../../../forecasting/features/examples.ts'
import { featureRows, horizonHours } from '../../../forecasting/features/features.ts'
import { dayKind } from '../../../forecasting/features/holidays.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { FEATURES } from '../../../forecasting/features/inputs.ts'
import { prepareSeries, profileAt } from '../../../forecasting/features/profile.ts'
import { fakeSeries, keptHours, peaks, START } from '../../training/fake-series.ts'
import { readCases } from '../../values.ts'

const ISSUED = START + 40 * DAY_MS + 12.5 * HOUR_MS

function rowsAt(series: HourlySeries, issued_ms: number) {
  const prepared = prepareSeries(series)
  return featureRows(prepared, profileAt(prepared, issued_ms)!, horizonHours(issued_ms))
}

function feature(rows: ReturnType<typeof rowsAt>, name: string, row: number): number {
  return rows.x[row * FEATURES.length + FEATURES.indexOf(name)]!
}

test('rows that were not available at the cutoff do not change the features', () => {
  const series = fakeSeries(60, peaks(1))
  const before = rowsAt(series, ISSUED)
  const changed = {
    ...series,
    mean: series.mean.map((minutes, k) => (series.available_ms[k]! > ISSUED ? 599 : minutes)),
  }
  expect(rowsAt(changed, ISSUED)).toEqual(before)
  const cut = series.hour_ms.findIndex((_, k) => series.available_ms[k]! > ISSUED)
  const shorter = { ...series, hour_ms: series.hour_ms.slice(0, cut), mean: series.mean.slice(0, cut) }
  expect(rowsAt(shorter, ISSUED)).toEqual(before)
})

test('an hour that became available late is not used earlier', () => {
  const series = fakeSeries(60, peaks(1))
  const late = { ...series, available_ms: series.hour_ms.map((hour) => hour + 3 * DAY_MS) }
  const profile = profileAt(prepareSeries(late), ISSUED)!
  expect(profile.deviations.slice(0, 71).every(Number.isNaN)).toBe(true)
  expect(profile.deviations.slice(71).some(Number.isNaN)).toBe(false)
})

test('the baseline is the median of the same local hour in the trailing 28 days', () => {
  const series = fakeSeries(60, (hour) => hour)
  const rows = rowsAt(series, ISSUED)
  // 12:30Z is 08:30 in New York (EDT): the first forecast hour is 8.
  expect([...rows.same_hour_p50.slice(0, 3)]).toEqual([8, 9, 10])
  const stepped = fakeSeries(60, (_, __, k) => (k < 30 * 24 ? 50 : 4))
  expect(rowsAt(stepped, START + 58.5 * DAY_MS).same_hour_p50[0]).toBe(4)
})

test('calendar features follow the wall clock, and horizons count from the hour of issue', () => {
  const rows = rowsAt(fakeSeries(60, peaks(1)), ISSUED)
  expect(feature(rows, 'horizon', 0)).toBe(0)
  expect(feature(rows, 'horizon', 84)).toBeCloseTo(0.5)
  // 2026-04-10 is a Friday.
  expect([feature(rows, 'friday', 0), feature(rows, 'saturday', 0), feature(rows, 'saturday', 16)]).toEqual([1, 0, 1])
})

test('every input has the value that it had before it was a row of the table', () => {
  const known = readCases<Record<string, number[]>>('forecasting/features/fixtures/inputs.json')
  const rows = rowsAt(fakeSeries(60, peaks(1)), START + 46 * DAY_MS + 12.5 * HOUR_MS)
  expect(Object.keys(known).filter((name) => !FEATURES.includes(name))).toEqual([])
  for (const [name, values] of Object.entries(known))
    for (const [k, row] of [0, 5, 30, 167].entries())
      expect(feature(rows, name, row), `${name} ${row} hours ahead`).toBeCloseTo(values[k]!, 6)
})

test('near_yesterday is the deviation around the same hour one day before', () => {
  const series = fakeSeries(60, (_, __, k) => (k === 40 * 24 + 8 ? 3.25 : 3))
  const rows = rowsAt(series, ISSUED)
  const deviations = Array.from({ length: 48 }, (_, row) => feature(rows, 'near_yesterday', row))
  // The hour that differs began at 08:00 UTC: the feature shows it around 20 and 44 hours after the hour of issue, 08:00 UTC of the next days.
  expect(deviations.flatMap((value, row) => (value === 0 ? [] : [row]))).toEqual([19, 20, 21, 43, 44, 45])
})

test('the rule follows another level within a week, with the spread of the usual climatology', () => {
  const random = peaks(1)
  const series = fakeSeries(60, (hour, weekday, row) => random(hour, weekday) + (row >= 33.5 * 24 ? 6 : 0))
  const rows = rowsAt(series, ISSUED)
  const profile = profileAt(prepareSeries(series), ISSUED)!
  expect(rows.p50[30]! - profile.same_hour.p50[(8 + 30) % 24]!).toBeGreaterThan(1)
  const cell = 4 * 24 + 8
  expect(rows.p90[0]! - rows.p50[0]!).toBeCloseTo(profile.usual_p90[cell]! - profile.medians.usual[cell]!, 9)
})

test('the near share is high where recent waits are near the rule, and low where the hour is unsteady or hardly known', () => {
  const steady = rowsAt(
    fakeSeries(60, () => 10),
    ISSUED,
  )
  expect(Math.min(...steady.near_share)).toBeGreaterThan(0.95)
  const unsteady = rowsAt(
    fakeSeries(60, (_, __, k) => (k % 2 === 0 ? 2 : 30)),
    ISSUED,
  )
  expect(Math.max(...unsteady.near_share)).toBeLessThan(0.6)
  // With no hour nearby the share is that of an imaginary wait. 12:00Z is 8:00 in New York.
  const morning = keptHours(
    fakeSeries(60, () => 10),
    (row) => row % 24 === 12,
  )
  const { near_share } = rowsAt(morning, ISSUED)
  expect(near_share[12]).toBe(0.9)
  expect(near_share[0]).toBeGreaterThan(0.95)
})

test('there is no profile when no hour of the last 28 days is known', () => {
  expect(profileAt(prepareSeries(fakeSeries(5, peaks(1))), START + 40 * DAY_MS)).toBeNull()
})

test('days are public holidays, the day before or the day after one, by country', () => {
  const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS
  expect(['2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30'].map((date) => dayKind('US', day(date)))).toEqual([
    2, 1, 3, 0,
  ])
  expect(dayKind('GB', day('2026-11-26'))).toBe(0)
  expect(dayKind(null, day('2026-11-26'))).toBe(0)
})

test('examples of several series are the inputs and observed hours of their origins, those known at a cutoff apart', () => {
  const series = [
    keptHours(fakeSeries(24, peaks(1)), (row) => row % 5 !== 0),
    fakeSeries(24, peaks(2), { iata: 'LAX', timezone: 'America/Los_Angeles' }),
  ].map(prepareSeries)
  const cutoff = START + 22 * DAY_MS
  const examples = examplesOfAll(
    [
      { series: series[0]!, step_hours: 48 },
      { series: series[1]!, step_hours: 96 },
    ],
    cutoff,
  )
  let row = 0
  for (const [k, step] of [48 * HOUR_MS, 96 * HOUR_MS].entries())
    for (let issued = Math.ceil((START + 10 * DAY_MS) / step) * step; issued < cutoff; issued += step) {
      const { hour_ms, available_ms, mean } = series[k]!
      const rows = featureRows(series[k]!, profileAt(series[k]!, issued)!, horizonHours(issued))
      for (const [ahead, hour] of horizonHours(issued).entries()) {
        const position = hour_ms.indexOf(hour)
        if (position < 0 || available_ms[position]! > cutoff) continue
        const width = FEATURES.length
        expect(examples.inputs.x.slice(row * width, (row + 1) * width)).toEqual(
          rows.x.slice(ahead * width, (ahead + 1) * width),
        )
        expect([examples.truth[row], examples.issued_ms[row], examples.inputs.p50[row]]).toEqual([
          mean[position],
          issued,
          rows.p50[ahead],
        ])
        row++
      }
    }
  expect(examples.truth).toHaveLength(row)
  const earlier = cutoff - 5 * DAY_MS
  const known = knownBy(examples, earlier)
  expect(known.length).toBeGreaterThan(0)
  expect(known.length).toBe(
    examples.issued_ms.filter((issued, k) => issued < earlier && examples.truth_available_ms[k]! <= earlier).length,
  )
})
