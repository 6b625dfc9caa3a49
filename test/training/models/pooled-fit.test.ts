import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../../config/vocabulary.ts'
import { examplesOfAll } from '../../../forecasting/features/examples.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { samplingParts } from '../../../training/models/pooled-fit.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const FIT = { origin_step_hours: 6, near_hours: 24 }

test('of too many examples the hours far ahead go first, then origins, and about as many are left as are wanted', () => {
  const request = fc.record({
    hours: fc.integer({ min: 0, max: 5_000_000 }),
    most: fc.integer({ min: 1_000, max: 2_000_000 }),
  })
  fc.assert(
    fc.property(request, ({ hours, most }) => {
      const { origin_part, far_part } = samplingParts(hours, most, FIT)
      const near = (hours * origin_part * FIT.near_hours) / FIT.origin_step_hours
      const far = (hours * origin_part * far_part * (HORIZON_HOURS - FIT.near_hours)) / FIT.origin_step_hours
      const all = (hours * HORIZON_HOURS) / FIT.origin_step_hours
      expect(near + far).toBeCloseTo(Math.min(most, all), 3)
      expect(far_part).toBeGreaterThan(0)
      if (origin_part < 1) expect(near).toBeCloseTo(most / 3, 3)
      expect([origin_part <= 1, far_part <= 1]).toEqual([true, true])
    }),
  )
  expect(samplingParts(15_000, 600_000, FIT)).toMatchObject({ origin_part: 1, far_part: 1 })
  expect(samplingParts(40_000, 600_000, FIT).origin_part).toBe(1)
})

test('origins and hours are thinned evenly over the hours of the day, and a part of them is always the same', () => {
  const series = prepareSeries(fakeSeries(34, peaks(1, 0)))
  const cutoff = START + 34 * DAY_MS
  const whole = { series, step_hours: 6 }
  const all = examplesOfAll([whole], cutoff)
  const thinned = examplesOfAll([{ ...whole, origin_part: 0.3, far_part: 0.2, near_hours: 24 }], cutoff)
  const origins = [...new Set(thinned.issued_ms)]
  const hours = origins.map((issued) => (issued / HOUR_MS) % 24)
  const count = new Set(all.issued_ms).size
  expect(Math.abs(origins.length - 0.3 * count)).toBeLessThan(4)
  for (const hour of [0, 6, 12, 18]) {
    const share = hours.filter((other) => other === hour).length / hours.length
    expect(share, `origins at ${hour}`).toBeGreaterThan(0.15)
  }
  const ofOrigins = new Set(origins)
  const countOf = ({ issued_ms, inputs }: typeof all, isCounted: (horizon: number) => boolean) =>
    issued_ms.reduce((sum, issued, row) => sum + (ofOrigins.has(issued) && isCounted(inputs.horizon[row]!) ? 1 : 0), 0)
  const isNear = (horizon: number) => horizon < 24
  const isFar = (horizon: number) => horizon >= 24
  expect(countOf(thinned, isNear)).toBe(countOf(all, isNear))
  expect(countOf(thinned, isFar) / countOf(all, isFar)).toBeCloseTo(0.2, 1)
  // No hour of the day is missing among the hours far ahead.
  const farHours = new Set(
    [...thinned.valid_ms]
      .filter((_, row) => isFar(thinned.inputs.horizon[row]!))
      .map((valid) => (valid / HOUR_MS) % 24),
  )
  expect(farHours.size).toBe(new Set([...all.valid_ms].map((valid) => (valid / HOUR_MS) % 24)).size)
  expect(examplesOfAll([{ ...whole, origin_part: 0.3, far_part: 0.2, near_hours: 24 }], cutoff).valid_ms).toEqual(
    thinned.valid_ms,
  )
})
