import { expect, test } from 'vitest'
import { pinball, poolScores, score, skill } from '../../../forecasting/skill/metrics.ts'

const numbers = (...values: number[]) => Float64Array.from(values)

test('pinball loss equals values computed by hand', () => {
  expect(pinball(0.9, 10, 4)).toBeCloseTo(5.4)
  expect(pinball(0.9, 4, 10)).toBeCloseTo(0.6)
  expect(pinball(0.5, 3, 8)).toBeCloseTo(2.5)
})

test('a score equals values computed by hand and skips unobserved hours', () => {
  const predicted = { p10: numbers(2, 1, 0), p50: numbers(5, 4, 9), p90: numbers(9, 6, 20) }
  const result = score(numbers(6, 12, Number.NaN), predicted)
  // Row 1: 0.4, 0.5, 0.3; row 2: 1.1, 4, 5.4; thirds of the sums, then the mean of both.
  expect(result).toEqual({
    samples: 2,
    mae_minutes: (1 + 8) / 2,
    pinball_minutes: expect.closeTo((1.2 + 10.5) / 3 / 2, 10),
    coverage_80: 0.5,
    within_5: 0.5,
  })
  expect(score(numbers(Number.NaN), { p10: numbers(1), p50: numbers(1), p90: numbers(1) }).samples).toBe(0)
})

test('pooled scores count each airport alike and ignore empty scores', () => {
  const larger = { samples: 3, mae_minutes: 1, pinball_minutes: 1, coverage_80: 1, within_5: 1 }
  const smaller = { samples: 1, mae_minutes: 5, pinball_minutes: 3, coverage_80: 0, within_5: 0 }
  const empty = {
    samples: 0,
    mae_minutes: Number.NaN,
    pinball_minutes: Number.NaN,
    coverage_80: Number.NaN,
    within_5: Number.NaN,
  }
  expect(poolScores([larger, smaller, empty])).toEqual({
    samples: 4,
    mae_minutes: 3,
    pinball_minutes: 2,
    coverage_80: 0.5,
    within_5: 0.5,
  })
  expect(skill(1.5, 2)).toBe(0.25)
})
