import { expect, test } from 'vitest'
import { confidenceAt, learnConfidence } from '../../../forecasting/quantiles/confidence.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'

/** Past forecasts whose waits miss the median by more than 5 minutes with the odds of their width and of their near share. */
function pastForecasts(rows: number, seed: number, odds: (width: number, share: number) => number) {
  const random = seededRandom(seed)
  const width = Float64Array.from({ length: rows }, () => 1 + 20 * random())
  const near_share = Float64Array.from({ length: rows }, () => random())
  const p50 = new Float64Array(rows).fill(30)
  return {
    p10: p50.map((middle, k) => middle - width[k]! / 2),
    p50,
    p90: p50.map((middle, k) => middle + width[k]! / 2),
    near_share,
    truth: p50.map((middle, k) => {
      const isNear = random() < 1 / (1 + Math.exp(-odds(width[k]!, near_share[k]!)))
      return isNear ? middle + 5 : middle + 6
    }),
  }
}

const rowOf = (past: ReturnType<typeof pastForecasts>, row: number) => ({
  p10: past.p10[row]!,
  p90: past.p90[row]!,
  near_share: past.near_share[row]!,
})

const logOdds = (share: number) => Math.log((0.01 + 0.98 * share) / (0.99 - 0.98 * share))

test('the confidence follows the width and the share of recent waits near the rule', () => {
  const past = pastForecasts(20_000, 1, (width, share) => 4 - 1.5 * Math.log(1 + width) + 0.6 * logOdds(share))
  const confidence = learnConfidence([past])
  expect(confidence.intercept).toBeCloseTo(4, 0)
  expect(confidence.log_width).toBeCloseTo(-1.5, 0)
  expect(confidence.near_odds).toBeCloseTo(0.6, 1)
  const wide = { p10: 20, p90: 40, near_share: 0.9 }
  expect(confidenceAt(confidence, wide)).toBeLessThan(confidenceAt(confidence, { p10: 28, p90: 32, near_share: 0.9 }))
  expect(confidenceAt(confidence, wide)).toBeGreaterThan(
    confidenceAt(confidence, { p10: 20, p90: 40, near_share: 0.2 }),
  )
})

test('the confidence says more than the constant rate, and what it says happens', () => {
  const odds = (width: number, share: number) => 3 - Math.log(1 + width) + logOdds(share)
  const confidence = learnConfidence([pastForecasts(5_000, 2, odds)])
  const fresh = pastForecasts(5_000, 3, odds)
  const hits = Array.from(fresh.truth, (wait) => (wait === 35 ? 1 : 0))
  const rate = hits.reduce<number>((sum, hit) => sum + hit, 0) / hits.length
  const confidences = hits.map((_, row) => confidenceAt(confidence, rowOf(fresh, row)))
  const brier = confidences.reduce((sum, p, row) => sum + (p - hits[row]!) ** 2, 0) / hits.length
  expect(brier).toBeLessThan(0.8 * rate * (1 - rate))
  expect(confidences.reduce((sum, p) => sum + p, 0) / confidences.length).toBeCloseTo(rate, 1)
})

test('an input that would work the wrong way is not used', () => {
  const past = pastForecasts(5_000, 4, (width, share) => Math.log(1 + width) - 2 - logOdds(share))
  const confidence = learnConfidence([past])
  expect(confidence).toMatchObject({ log_width: 0, near_odds: 0 })
  const hits = past.truth.filter((wait) => wait === 35).length / past.truth.length
  expect(confidenceAt(confidence, rowOf(past, 0))).toBeCloseTo(hits, 1)
})

test('forecasts that always came true never promise certainty, and nothing is known of none', () => {
  const sure = pastForecasts(2_000, 5, () => 50)
  expect(confidenceAt(learnConfidence([sure]), { p10: 30, p90: 30, near_share: 1 })).toBe(0.99)
  const unknown = { ...sure, truth: sure.truth.fill(Number.NaN) }
  expect(learnConfidence([unknown])).toEqual({ intercept: 0, log_width: 0, near_odds: 0 })
  expect(confidenceAt(learnConfidence([]), { p10: 10, p90: 20, near_share: 0.5 })).toBe(0.5)
})

test('of more rows than are needed every few teach, wherever the series begin', () => {
  const odds = (width: number) => 3 - Math.log(1 + width)
  const many = [1, 2, 3].map((seed) => pastForecasts(50_000, seed, odds))
  const { intercept, log_width } = learnConfidence(many)
  expect(log_width).toBeCloseTo(-1, 1)
  expect(intercept).toBeCloseTo(3, 0)
})
