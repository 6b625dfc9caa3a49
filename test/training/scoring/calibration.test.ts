import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../config/domain.ts'
import { probabilityAt } from '../../../config/probability-by-spread.ts'
import { applyCalibration, calibrate } from '../../../training/scoring/calibration.ts'
import { score } from '../../../training/scoring/metrics.ts'
import { seededRandom } from '../../../training/scoring/statistics.ts'

/** Past forecasts whose intervals are far too narrow, and whose errors grow with the spread. */
function overconfidentForecasts(rows: number, seed: number) {
  const random = seededRandom(seed)
  const width = Float64Array.from({ length: rows }, () => 0.5 + 3 * random())
  const p50 = new Float64Array(rows).fill(30)
  const truth = width.map((half) => 30 + half * 6 * (random() + random() - 1))
  const valid_ms = width.map((_, k) => k * HOUR_MS)
  return { p10: p50.map((m, k) => m - width[k]!), p50, p90: p50.map((m, k) => m + width[k]!), truth, valid_ms }
}

test('calibrated intervals cover 80 % of hours that the calibration has not seen', () => {
  const table = calibrate(overconfidentForecasts(4_000, 1))!
  const fresh = overconfidentForecasts(4_000, 2)
  expect(score(fresh.truth, fresh).coverage_80).toBeLessThan(0.4)
  expect(score(fresh.truth, applyCalibration(fresh, table)).coverage_80).toBeCloseTo(0.8, 1)
})

test('the probability of being within 5 minutes equals the observed frequency and never rises with the spread', () => {
  const table = calibrate(overconfidentForecasts(4_000, 1))!
  const fresh = overconfidentForecasts(4_000, 2)
  const predicted = applyCalibration(fresh, table).p_within_5
  const observed = score(fresh.truth, fresh).within_5
  expect(predicted.reduce((sum, p) => sum + p, 0) / predicted.length).toBeCloseTo(observed, 1)
  const steps = table.within_5.map(({ probability }) => probability)
  expect(steps.length).toBeGreaterThan(2)
  expect(steps).toEqual(steps.toSorted((a, b) => b - a))
})

test('the probability is linear between the spreads of the table and constant beyond its ends', () => {
  const table = [
    { spread: 2, probability: 0.9 },
    { spread: 6, probability: 0.5 },
  ]
  expect([0, 2, 3, 6, 50].map((spread) => probabilityAt(table, spread))).toEqual([0.9, 0.9, 0.8, 0.5, 0.5])
})

test('a short past hardly changes the interval, and an unobserved past gives no calibration', () => {
  const few = calibrate(overconfidentForecasts(3, 1))!
  expect(few.high_factor).toBeLessThan(1.2)
  const past = overconfidentForecasts(3, 1)
  expect(calibrate({ ...past, truth: past.truth.fill(Number.NaN) })).toBeNull()
})

test('calibrated quantiles stay ordered and at or above zero', () => {
  const few = Float64Array.of(0.1, 4)
  const table = { samples: 9, low_factor: 4, high_factor: 0.5, within_5: [{ spread: 1, probability: 0.5 }] }
  const { p10, p50, p90 } = applyCalibration(
    { p10: Float64Array.of(0, 1), p50: few, p90: Float64Array.of(0.1, 5) },
    table,
  )
  expect([...p10]).toEqual([0, 0])
  expect([...p50]).toEqual([...few])
  p90.forEach((minutes, row) => {
    expect(minutes).toBeGreaterThan(p50[row]!)
  })
})
