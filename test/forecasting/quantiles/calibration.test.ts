import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import {
  applyCalibration,
  type Calibration,
  calibrateAll,
  DEFAULT_CALIBRATION,
  hitRates,
} from '../../../forecasting/quantiles/calibration.ts'
import { probabilityAt } from '../../../forecasting/quantiles/probability-by-spread.ts'
import { score } from '../../../forecasting/skill/metrics.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../../../training/settings/training-settings.ts'

/** Past forecasts whose intervals are far too narrow, and whose errors grow with the spread. */
function overconfidentForecasts(rows: number, seed: number, level = 30) {
  const random = seededRandom(seed)
  const width = Float64Array.from({ length: rows }, () => 0.5 + 3 * random())
  const p50 = new Float64Array(rows).fill(30)
  return {
    p10: p50.map((middle, k) => middle - width[k]!),
    p50,
    p90: p50.map((middle, k) => middle + width[k]!),
    truth: width.map((half) => level + half * 6 * (random() + random() - 1)),
    near_share: new Float64Array(rows).fill(0.9),
    valid_ms: width.map((_, k) => k * HOUR_MS),
    horizon: new Uint8Array(rows).fill(8),
  }
}

const calibrateOne = (past: ReturnType<typeof overconfidentForecasts>) => calibrateAll([past])[0]!

/** Whatever the width, a half. */
const EVEN = { intercept: 0, log_width: 0, near_odds: 0 }

test('calibrated intervals in whole minutes cover 80 % of hours that the calibration has not seen', () => {
  const table = calibrateOne(overconfidentForecasts(4_000, 1))
  const fresh = overconfidentForecasts(4_000, 2)
  expect(score(fresh.truth, fresh).coverage_80).toBeLessThan(0.4)
  const calibrated = applyCalibration(fresh, fresh, table)
  expect(score(fresh.truth, calibrated).coverage_80).toBeCloseTo(0.8, 1)
  expect([...calibrated.p10, ...calibrated.p90].every(Number.isInteger)).toBe(true)
})

test('coarse waits are covered after rounding too', () => {
  const coarse = (seed: number) => {
    const past = overconfidentForecasts(4_000, seed)
    return { ...past, truth: past.truth.map((minutes) => Math.round(minutes)) }
  }
  const fresh = coarse(4)
  const { coverage_80 } = score(fresh.truth, applyCalibration(fresh, fresh, calibrateOne(coarse(3))))
  expect(coverage_80).toBeGreaterThan(0.77)
  expect(coverage_80).toBeLessThan(0.85)
})

test('the probability of being within 5 minutes equals the observed frequency', () => {
  const table = calibrateOne(overconfidentForecasts(4_000, 1))
  const fresh = overconfidentForecasts(4_000, 2)
  const predicted = applyCalibration(fresh, fresh, table).p_within_5
  const observed = score(fresh.truth, fresh).within_5
  expect(predicted.reduce((sum, p) => sum + p, 0) / predicted.length).toBeCloseTo(observed, 1)
})

test('the probability is linear between the spreads of the table and constant beyond its ends', () => {
  const table = [
    { spread: 2, probability: 0.9 },
    { spread: 6, probability: 0.5 },
  ]
  expect([0, 2, 3, 6, 50].map((spread) => probabilityAt(table, spread))).toEqual([0.9, 0.9, 0.8, 0.5, 0.5])
})

test('an airport with few hours of its own is calibrated like the others', () => {
  const others = [1, 2, 3].map((seed) => overconfidentForecasts(500, seed))
  const few = overconfidentForecasts(3, 9)
  const factors = calibrateAll([...others, few]).map(({ buckets }) => buckets[2]!.high_factor)
  expect(factors[3]! / factors[0]!).toBeGreaterThan(0.8)
  expect(factors[3]! / factors[0]!).toBeLessThan(1.25)
})

test('without a known truth nothing is stretched', () => {
  const past = overconfidentForecasts(3, 1)
  const [table] = calibrateAll([{ ...past, truth: past.truth.fill(Number.NaN) }])
  expect(table).toMatchObject({ samples: 0 })
  expect(table!.buckets.map(({ low_factor, high_factor }) => [low_factor, high_factor])).toEqual(Array(4).fill([1, 1]))
})

test('misses of the last day widen the side on which they happened', () => {
  const past = overconfidentForecasts(600, 1)
  const [before] = calibrateAll([past])
  const above = overconfidentForecasts(24, 5, 60)
  const [after] = calibrateAll([past], [before!], [above])
  expect(after!.buckets[2]!.high_factor).toBeGreaterThan(before!.buckets[2]!.high_factor)
  expect(after!.buckets[2]!.low_factor).toBeLessThanOrEqual(before!.buckets[2]!.low_factor)
})

test('the share of misses aimed at follows the misses of the last hours by their number, and forgets them', () => {
  const narrow = { from_hours: 0, low_factor: 1, high_factor: 1, low_miss: 0.1, high_miss: 0.1 }
  const before: Calibration = { samples: 9, buckets: [0, 1, 2, 3].map(() => narrow), confidence: EVEN }
  /** Hours of 9 to 11 min, 12 hours ahead, of which the first ones were longer. */
  const hours = (count: number, longer: number) => ({
    p10: new Float64Array(count).fill(9),
    p50: new Float64Array(count).fill(10),
    p90: new Float64Array(count).fill(11),
    truth: Float64Array.from({ length: count }, (_, k) => (k < longer ? 20 : 10)),
    near_share: new Float64Array(count).fill(0.9),
    valid_ms: Float64Array.from({ length: count }, (_, k) => k * HOUR_MS),
    horizon: new Uint8Array(count).fill(12),
  })
  const settings = { ...DEFAULT_CALIBRATION, feedback_hours: 30 }
  const past = hours(40, 4)
  const aimsAfter = (earlier: Calibration, recent: ReturnType<typeof hours>) => {
    const { low_miss, high_miss } = calibrateAll([past], [earlier], [recent], settings)[0]!.buckets[2]!
    return [low_miss, high_miss]
  }
  // Ten of 40 hours: a quarter of the way to 20 % less what was missed, which was nothing below and 20 % above.
  expect(aimsAfter(before, hours(10, 2))).toEqual([expect.closeTo(0.125, 9), expect.closeTo(0.075, 9)])
  // Two forecasts of one hour are one hour.
  const twice = hours(2, 2)
  twice.valid_ms.fill(0)
  expect(aimsAfter(before, twice)).toEqual([expect.closeTo(0.1 + 0.1 / 31, 9), expect.closeTo(0.1 - 0.9 / 31, 9)])
  expect(aimsAfter(before, hours(10, 10))).toEqual([expect.closeTo(0.125, 9), 0.04])
  // What was missed fades: after a day as wanted a quarter of it is forgotten.
  const missed = { ...before, buckets: before.buckets.map((bucket) => ({ ...bucket, high_miss: 0.06 })) }
  expect(aimsAfter(missed, hours(10, 1))).toEqual([expect.closeTo(0.125, 9), expect.closeTo(0.07, 9)])
  // Without a known hour nothing changes.
  expect(aimsAfter(missed, hours(0, 0))).toEqual([0.1, 0.06])
})

test('calibrated quantiles stay ordered and at or above zero', () => {
  const p50 = Float64Array.of(0.1, 4.6)
  const bucket = { from_hours: 0, low_factor: 4, high_factor: 0.5, low_miss: 0.1, high_miss: 0.1 }
  const table: Calibration = {
    samples: 9,
    buckets: [0, 1, 2, 3].map(() => bucket),
    confidence: EVEN,
  }
  const raw = { p10: Float64Array.of(0, 1), p50, p90: Float64Array.of(0.1, 4.7) }
  const calibrated = applyCalibration(
    raw,
    { horizon: Uint8Array.of(0, 30), near_share: Float64Array.of(0.9, 0.9) },
    table,
  )
  expect([...calibrated.p10]).toEqual([0, 0])
  expect([...calibrated.p50]).toEqual([...p50])
  expect([...calibrated.p90]).toEqual([1, 5])
})

test('hit rates are those of equal counts in order of spread', () => {
  const random = seededRandom(5)
  const hits = Array.from({ length: 1_000 }, () => {
    const spread = random() * 9
    return { spread, hit: random() > (spread + 1) / 10 }
  })
  const sorted = hits.toSorted((a, b) => a.spread - b.spread)
  const first = sorted.slice(0, Math.floor(1_000 / 12))
  const rates = hitRates(hits)
  expect(rates[0]!.spread).toBeCloseTo(first.reduce((sum, { spread }) => sum + spread, 0) / first.length, 9)
  expect(rates[0]!.probability).toBeCloseTo((first.filter(({ hit }) => hit).length + 0.5) / (first.length + 1), 9)
  expect(rates.at(-1)!.spread).toBeGreaterThan(7)
})

test('forecasts of one spread have one hit rate, in whatever order they come', () => {
  const hits = Array.from({ length: 1_200 }, (_, k) => ({ spread: 10, hit: k < 600 ? k % 10 > 0 : k % 2 > 0 }))
  const rates = [{ spread: 10, probability: expect.closeTo(840.5 / 1_201, 9) }]
  expect(hitRates(hits)).toEqual(rates)
  expect(hitRates(hits.toReversed())).toEqual(rates)
})

test('a factor is the smallest with at most a tenth of misses on its side, own and pooled hours mixed', () => {
  const series = [overconfidentForecasts(300, 1), overconfidentForecasts(500, 2)]
  const { pool_hours } = DEFAULT_TRAINING_SETTINGS.calibration
  const missedAbove = ({ p50, p90, truth }: (typeof series)[number], factor: number) =>
    truth.filter((wait, k) => wait > Math.round(p50[k]! + factor * (p90[k]! - p50[k]! + 0.25))).length / truth.length
  const tables = calibrateAll(series)
  for (const [k, own] of series.entries()) {
    const share = own.truth.length / (own.truth.length + pool_hours)
    const pooled = (factor: number) =>
      (300 * missedAbove(series[0]!, factor) + 500 * missedAbove(series[1]!, factor)) / 800
    const missed = (factor: number) => share * missedAbove(own, factor) + (1 - share) * pooled(factor)
    const { high_factor } = tables[k]!.buckets[2]!
    expect(missed(high_factor)).toBeLessThanOrEqual(0.1)
    expect(missed(high_factor - 0.03)).toBeGreaterThan(0.1)
  }
})
