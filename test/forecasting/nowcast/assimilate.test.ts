import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assimilate,
  type ForecastBasis,
  type HourForecast,
  type NewestWait,
} from '../../../forecasting/nowcast/assimilate.ts'

const START = Date.parse('2026-11-22T09:00:00Z')
const hour = (p10: number, p50: number, p90: number): HourForecast => ({ p10, p50, p90, confidence: 0.66 })
/** The forecast that was served at Ibiza while 31 minutes were measured. */
const IBIZA = Array.from({ length: 168 }, () => hour(2, 7, 17))
const waitOf = (wait_minutes: number, minutesAgo = 1, basis: NewestWait['basis'] = 'measured'): NewestWait => ({
  wait_minutes,
  basis,
  observed_ms: START + 2 * 60_000 - minutesAgo * 60_000,
})
const adjust = (issued: HourForecast[], newest: NewestWait, basis: ForecastBasis = 'typical') =>
  assimilate(issued, START, issued[0]!.p50, newest, basis)

test('the next hour follows a fresh wait far above the prior, and its interval contains it', () => {
  const adjusted = adjust(IBIZA, waitOf(31))
  const next = adjusted[1]!
  expect(next.p50).toBeGreaterThan(17)
  expect(next.p10).toBeLessThan(31)
  expect(next.p90).toBeGreaterThan(31)
  // It fades within the day, and the second day on is the issued forecast again.
  expect(adjusted[6]!.p50).toBeLessThan(adjusted[3]!.p50)
  expect(adjusted[3]!.p50).toBeLessThan(next.p50)
  expect(adjusted.slice(48)).toEqual(IBIZA.slice(48))
})

test('an older wait counts less, a reported one half with an interval that keeps both forecasts', () => {
  const fresh = adjust(IBIZA, waitOf(31))[1]!
  const old = adjust(IBIZA, waitOf(31, 180))[1]!
  const reported = adjust(IBIZA, waitOf(31, 1, 'reported'))[1]!
  expect(old.p50).toBeLessThan(fresh.p50)
  expect(reported.p50).toBeCloseTo((7 + fresh.p50) / 2)
  expect([reported.p10, reported.p90]).toEqual([2, fresh.p90])
})

test('a forecast from own history follows a reading less than the prior does', () => {
  expect(adjust(IBIZA, waitOf(31), 'predicted')[1]!.p50).toBeLessThan(adjust(IBIZA, waitOf(31))[1]!.p50)
})

test('a surplus is carried into quiet hours in proportion to how much their waits spread', () => {
  const eveningAndNight = [
    ...Array.from({ length: 3 }, () => hour(5, 15, 30)),
    ...Array.from({ length: 9 }, () => hour(0, 1, 3)),
  ]
  const surplus = adjust(eveningAndNight, waitOf(35)).map(({ p50 }, k) => p50 - eveningAndNight[k]!.p50)
  expect(surplus[3]!).toBeLessThan(surplus[2]! * 0.6)
})

test('quantiles stay in order and above zero for any forecast, wait and age', () => {
  const minutes = fc.double({ min: 0, max: 240, noNaN: true })
  const forecastHour = fc
    .tuple(minutes, minutes, minutes)
    .map((drawn) => drawn.sort((a, b) => a - b))
    .map(([p10, p50, p90]) => hour(p10!, p50!, p90!))
  fc.assert(
    fc.property(
      fc.array(forecastHour, { minLength: 60, maxLength: 60 }),
      minutes,
      minutes,
      fc.integer({ min: -2, max: 360 }),
      fc.constantFrom('measured' as const, 'reported' as const),
      fc.constantFrom('typical' as const, 'predicted' as const),
      (issued, expected, wait, minutesAgo, basis, known) => {
        const adjusted = assimilate(issued, START, expected, waitOf(wait, minutesAgo, basis), known)
        expect(adjusted).toHaveLength(issued.length)
        for (const { p10, p50, p90, confidence } of adjusted) {
          expect(p10).toBeGreaterThanOrEqual(0)
          expect(p50).toBeGreaterThanOrEqual(p10)
          expect(p90).toBeGreaterThanOrEqual(p50)
          expect(p90).toBeLessThan(1_500)
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('an hour continues the one before it: no jump within the day or where the adjustment ends', () => {
  const p50 = adjust(IBIZA, waitOf(31)).map((hour) => hour.p50)
  const steps = p50.slice(2).map((minutes, k) => Math.abs(minutes - p50[k + 1]!))
  expect(Math.max(...steps)).toBeLessThan(5)
  expect(p50[47]! - 7).toBeLessThan(1)
})

test('a confidence that is not known stays unknown', () => {
  const unknown = IBIZA.map((hour) => ({ ...hour, confidence: null }))
  expect(adjust(unknown, waitOf(31))[1]!.confidence).toBeNull()
})
