import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HORIZON_HOURS } from '../../../config/domain.ts'
import { originStep } from '../../../training/models/pooled-fit.ts'

/** The hours of the day at which origins lie that are so many hours apart. */
const hoursOfDay = (step: number) => new Set(Array.from({ length: 24 }, (_, k) => (k * step) % 24))

test('with too many examples origins are further apart, and lie at as many hours of the day as before', () => {
  const request = fc.record({
    hours: fc.integer({ min: 0, max: 5_000_000 }),
    most: fc.integer({ min: 1_000, max: 2_000_000 }),
    step_hours: fc.constantFrom(1, 2, 3, 6, 12, 24),
  })
  fc.assert(
    fc.property(request, ({ hours, most, step_hours }) => {
      const step = originStep(hours, most, step_hours)
      expect(step % step_hours).toBe(0)
      expect(hoursOfDay(step)).toEqual(hoursOfDay(step_hours))
      expect((hours * HORIZON_HOURS) / step).toBeLessThanOrEqual(Math.max(most, (hours * HORIZON_HOURS) / step_hours))
      // No further apart than needed: a multiple that keeps the hours of the day is never far.
      const closer = step - 4 * step_hours
      if (closer > 0) expect((hours * HORIZON_HOURS) / closer).toBeGreaterThan(most)
    }),
  )
  expect(originStep(0, 600_000, 6)).toBe(6)
  // Every twelve hours would show two hours of the day, every day one: every 18 hours shows all four.
  expect(originStep(40_000, 600_000, 6)).toBe(18)
  expect(originStep(112_000, 1_000_000, 6)).toBe(30)
})
