import { expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { calibrationsAt, emptyRecord, type SeriesRun } from '../../../training/backtest/past-forecasts.ts'
import { byContender } from '../../../training/forecasters/contenders.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../../../training/settings/training-settings.ts'
import { fakeSeries, START } from '../fake-series.ts'

const DAYS = 20

/** A run that forecast 8 to 12 min for the first hour ahead of every hour; `waitOf` is the wait of a day. */
function runOf(waitOf: (day: number) => number): SeriesRun {
  const series = prepareSeries(fakeSeries(DAYS, (_hour, _weekday, row) => waitOf(Math.floor(row / 24))))
  const rows = DAYS * 24
  const record = emptyRecord(rows)
  record.rows = rows
  record.issued_ms.set(series.hour_ms)
  record.valid_ms.set(series.hour_ms)
  record.truth_row.set(series.hour_ms.map((_, row) => row))
  byContender((contender) => {
    record.raw[contender].p10.fill(8)
    record.raw[contender].p50.fill(10)
    record.raw[contender].p90.fill(12)
  })
  const days = Array.from({ length: DAYS }, (_, day) => {
    return { start_ms: START + day * DAY_MS, from: day * 24, to: (day + 1) * 24, losses: null }
  })
  return { series, record, days }
}

test('an interval follows the errors of the last week and forgets those of the week before', () => {
  const at_ms = START + DAYS * DAY_MS
  const highFactor = (waitOf: (day: number) => number) =>
    calibrationsAt([runOf(waitOf)], at_ms, DEFAULT_TRAINING_SETTINGS)[0]!.calibrations.model.buckets[0]!.high_factor
  const calm = highFactor(() => 10)
  expect(highFactor((day) => (day < DAYS - 7 ? 20 : 10))).toBe(calm)
  expect(highFactor((day) => (day >= DAYS - 3 ? 20 : 10))).toBeGreaterThan(calm)
})
