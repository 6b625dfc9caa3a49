import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import type { SeriesBacktest } from '../../../training/backtest/results.ts'
import { longWaits } from '../../../training/research/long-waits.ts'
import { fakeSeries, START } from '../fake-series.ts'

const columnsOf = (p10: number, p50: number, p90: number) => ({
  p10: Float64Array.of(p10, p10, p10),
  p50: Float64Array.of(p50, p50, p50),
  p90: Float64Array.of(p90, p90, p90),
  p_within_5: Float64Array.of(0.5, 0.5, 0.5),
})

test('a probability of a long wait is scored against what was usual at this hour of 28 days', () => {
  // 20 min in six hours of each day, otherwise 5.
  const series = fakeSeries(30, (hour) => (hour >= 8 && hour < 14 ? 20 : 5), { timezone: 'Etc/UTC' })
  const issued = START + 29 * DAY_MS
  const run = {
    iata: 'JFK',
    terminal: '',
    issued_ms: Float64Array.of(issued, issued, issued),
    valid_ms: Float64Array.of(issued + 8 * HOUR_MS, issued + 20 * HOUR_MS, issued + 21 * HOUR_MS),
    // Within six hours all of them.
    horizon: Uint8Array.of(0, 5, 5),
    truth: Float64Array.of(20, 5, Number.NaN),
    calibrated: { model: columnsOf(10, 20, 30), rule: columnsOf(10, 15, 15), baseline: columnsOf(0, 5, 15) },
    served: Uint8Array.of(0, 0, 0),
    scored: Uint8Array.of(1, 1, 1),
    adapted: null,
  } as unknown as SeriesBacktest
  const [fifteen, later, , thirty] = longWaits([run], [series])
  expect(fifteen).toMatchObject({ minutes: 15, from_hours: 0, to_hours: 6, airports: 1, samples: 2, share: 0.5 })
  expect(later).toMatchObject({ minutes: 15, from_hours: 6, airports: 0 })
  const { served, rule, baseline, climatology } = fifteen!.brier
  // 0.7 for 10, 20 and 30 min; 0.1 at the p90 of 15.
  expect(served).toBeCloseTo((0.3 ** 2 + 0.7 ** 2) / 2)
  expect(rule).toBeCloseTo((0.9 ** 2 + 0.1 ** 2) / 2)
  expect(baseline).toBeCloseTo((0.9 ** 2 + 0.1 ** 2) / 2)
  // Of 28 hours all, or none; four hours of a quarter stand beside them.
  expect(climatology).toBeCloseTo(((1 - 29 / 32) ** 2 + (1 / 32) ** 2) / 2)
  // Both hours have 0.7, of which one came true: one tenth, which tells nothing apart.
  expect(fifteen!.parts.served).toEqual({
    reliability: expect.closeTo(0.2 ** 2),
    resolution: expect.closeTo(0),
    uncertainty: expect.closeTo(0.25),
  })
  // The hour at 29/32 came true, the one at 1/32 did not.
  expect(fifteen!.parts.climatology).toEqual({
    reliability: expect.closeTo(((3 / 32) ** 2 + (1 / 32) ** 2) / 2),
    resolution: expect.closeTo(0.25),
    uncertainty: expect.closeTo(0.25),
  })
  // No hour was longer than 30 min: nothing can be told apart.
  expect(thirty).toMatchObject({ minutes: 30, airports: 0, samples: 0 })
})
