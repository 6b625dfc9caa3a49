import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probabilityOver, waitQuantile } from '../../../forecasting/quantiles/wait-quantile.ts'

/** Tenths of a minute, as snapshots have them. */
const minutes = fc.nat({ max: 1_200 }).map((tenths) => tenths / 10)
const waits = fc.tuple(minutes, minutes, minutes).map((three) => {
  const [p10 = 0, p50 = 0, p90 = 0] = three.toSorted((a, b) => a - b)
  return { p10, p50: p50 + 0.5, p90: p90 + 1 }
})

test('p10, p50 and p90 are themselves, and the longer waits follow the exponential tail', () => {
  const wait = { p10: 5, p50: 10, p90: 20 }
  for (const [fraction, expected] of [
    [0.1, 5],
    [0.5, 10],
    [0.9, 20],
    [0.95, 23.507],
    [0.99, 31.651],
  ] as const)
    expect(waitQuantile(wait, fraction)).toBeCloseTo(expected, 2)
  expect(probabilityOver(wait, 20)).toBeCloseTo(0.1, 10)
  expect(probabilityOver(wait, 30)).toBeCloseTo(0.01386, 4)
  expect(probabilityOver({ p10: 4, p50: 4, p90: 4 }, 4)).toBeCloseTo(0.1, 10)
  expect(probabilityOver({ p10: 0, p50: 0, p90: 0 }, 15)).toBeLessThan(1e-8)
  expect(probabilityOver({ p10: 4, p50: 4, p90: 4 }, 3)).toBe(1)
})

test('the probability over a wait is the inverse of its quantile, and never rises with the minutes', () => {
  fc.assert(
    fc.property(waits, fc.double({ min: 0.11, max: 0.995, noNaN: true }), minutes, minutes, (wait, fraction, a, b) => {
      expect(probabilityOver(wait, waitQuantile(wait, fraction))).toBeCloseTo(1 - fraction, 6)
      const [less, more] = a < b ? [a, b] : [b, a]
      expect(probabilityOver(wait, less)).toBeGreaterThanOrEqual(probabilityOver(wait, more))
    }),
  )
})
