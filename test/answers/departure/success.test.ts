import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  factorsOf,
  fixedMinutes,
  type Minutes,
  quantileMinutes,
  waitMinutes,
} from '../../../answers/departure/durations.ts'
import { latestMinute, successOf, type TimedStep } from '../../../answers/departure/success.ts'
import { waitQuantile } from '../../../forecasting/quantiles/wait-quantile.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { repetitions } from '../../exhaustive.ts'

const sum = ({ probabilities }: Minutes) => probabilities.reduce((total, probability) => total + probability, 0)
const step = (taken: Minutes, more: Partial<TimedStep> = {}): TimedStep => ({
  name: 'step',
  takes: () => taken,
  ...more,
})

/** A distribution of up to 20 minutes with any weights. */
const anyMinutes = fc
  .tuple(fc.nat(5), fc.array(fc.nat(9), { minLength: 1, maxLength: 15 }))
  .filter(([, weights]) => weights.some((weight) => weight > 0))
  .map(([first, weights]): Minutes => {
    const total = weights.reduce((all, weight) => all + weight, 0)
    return { first, probabilities: Float64Array.from(weights, (weight) => weight / total) }
  })

describe('the distribution of a step', () => {
  it('has the quantiles of the forecast, and an exponential tail', () => {
    const wait = { p10: 10, p50: 20, p90: 40 }
    expect([0.1, 0.5, 0.9].map((fraction) => waitQuantile(wait, fraction))).toEqual([10, 20, expect.closeTo(40, 9)])
    expect(waitQuantile(wait, 0.99)).toBeCloseTo(40 + 1.6 * Math.sqrt(20) * Math.log(10), 9)
    const taken = waitMinutes(wait)
    expect(sum(taken)).toBeCloseTo(1, 9)
    for (const [fraction, minutes] of [
      [0.1, 10],
      [0.5, 20],
      [0.9, 40],
    ] as const)
      expect(Math.abs(quantileMinutes(taken, fraction) - minutes)).toBeLessThanOrEqual(1)
  })

  it('adds up to one and ascends with its fraction, for any forecast', () => {
    const forecast = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(120))
    fc.assert(
      fc.property(forecast, fc.double({ min: 0.2, max: 3, noNaN: true }), ([p10, more, most], factor) => {
        const taken = waitMinutes(
          { p10, p50: p10 + more, p90: p10 + more + most },
          factorsOf(() => factor),
        )
        expect(sum(taken)).toBeCloseTo(1, 9)
        const quantiles = [0.05, 0.1, 0.5, 0.9, 0.99].map((fraction) => quantileMinutes(taken, fraction))
        expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b))
        expect(quantiles[0]).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: repetitions(50, 500) },
    )
  })
})

describe('the chance of being in time', () => {
  it('is that of hand-computed cases', () => {
    const coin: Minutes = { first: 1, probabilities: Float64Array.of(0.5, 0.5) }
    const steps = [step(coin), step(coin, { done_by: 10 })]
    const success = successOf(steps, 12)
    // Two steps take 2, 3 or 4 minutes in 1, 2 and 1 of four cases.
    expect([5, 6, 7, 8, 9, 10].map((minute) => success.probabilityAt(minute))).toEqual([1, 1, 0.75, 0.25, 0, 0])
  })

  it('counts a missed closing time as a failure, even with time left for the rest', () => {
    const bags = step(waitMinutes({ p10: 5, p50: 10, p90: 20 }), { done_by: 30 })
    const success = successOf([bags, step(fixedMinutes(5), { done_by: 100 })], 120)
    expect(success.probabilityAt(0)).toBeGreaterThan(0.9)
    expect(success.probabilityAt(31)).toBe(0)
  })

  it('who comes before the opening waits for it, so that coming earlier does not help', () => {
    const open = { probability: (minute: number) => (minute < 60 ? 0 : 1), next: () => 60 }
    const success = successOf([step(waitMinutes({ p10: 2, p50: 5, p90: 12 }), { open, done_by: 70 })], 80)
    expect(success.probabilityAt(0)).toBe(success.probabilityAt(60))
    expect(success.probabilityAt(0)).toBeGreaterThan(0.5)
    expect(success.probabilityAt(0)).toBeLessThan(0.95)
    expect(latestMinute(success, 0.95, 0, 80)).toBeNull()
  })

  it('equals the forward sum over every way that the steps can go', () => {
    const trip = fc.array(fc.tuple(anyMinutes, fc.option(fc.integer({ min: 20, max: 60 }))), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(trip, fc.nat(50), (parts, leave) => {
        const steps = parts.map(([taken, done_by]) => step(taken, done_by === null ? {} : { done_by }))
        let reached = new Map([[leave, 1]])
        for (const { takes, done_by = 60 } of steps) {
          const after = new Map<number, number>()
          for (const [minute, chance] of reached) {
            const { first, probabilities } = takes(minute)
            probabilities.forEach((probability, index) => {
              const end = minute + first + index
              if (end <= done_by) after.set(end, (after.get(end) ?? 0) + chance * probability)
            })
          }
          reached = after
        }
        const forward = [...reached.values()].reduce((total, chance) => total + chance, 0)
        expect(successOf(steps, 60).probabilityAt(leave)).toBeCloseTo(forward, 9)
      }),
      { numRuns: repetitions(100, 2_000) },
    )
  })

  it('is that of many drawn journeys', () => {
    const draw = seededRandom(12_345)
    const drawMinutes = ({ first, probabilities }: Minutes) => {
      let left = draw()
      const index = probabilities.findIndex((probability) => {
        left -= probability
        return left < 0
      })
      return first + (index === -1 ? probabilities.length - 1 : index)
    }
    const steps = [
      step(waitMinutes({ p10: 40, p50: 45, p90: 70 })),
      step(waitMinutes({ p10: 2, p50: 10, p90: 30 }), { done_by: 120 }),
      step(waitMinutes({ p10: 3, p50: 9, p90: 24 })),
      step(waitMinutes({ p10: 2, p50: 11, p90: 20 }), { done_by: 150 }),
    ]
    const success = successOf(steps, 165)
    for (const leave of [20, 40, 55, 70]) {
      const journeys = 20_000
      let made = 0
      for (let journey = 0; journey < journeys; journey += 1) {
        let minute = leave
        const isOnTime = ({ takes, done_by = 165 }: TimedStep) => {
          minute += drawMinutes(takes(minute))
          return minute <= done_by
        }
        if (steps.every(isOnTime)) made += 1
      }
      expect(Math.abs(made / journeys - success.probabilityAt(leave)), `leaving at ${leave}`).toBeLessThan(0.012)
    }
  })

  it('lies between 0 and 1 and never rises with leaving later, whatever the waits and hours', () => {
    const anyStep = fc.record({
      hours: fc.array(fc.tuple(fc.nat(20), fc.nat(40), fc.nat(60)), { minLength: 4, maxLength: 4 }),
      closed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      done_by: fc.option(fc.integer({ min: 30, max: 230 })),
    })
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 3 }), (parts) => {
        const steps = parts.map(({ hours, closed, done_by }) => {
          const taken = hours.map(([p10, more, most]) => waitMinutes({ p10, p50: p10 + more, p90: p10 + more + most }))
          const hour = (minute: number) => Math.min(3, Math.floor(minute / 60))
          return step(fixedMinutes(0), {
            takes: (minute) => taken[hour(minute)]!,
            open: {
              probability: (minute) => (closed[hour(minute)] ? 0 : 1),
              next: (minute) => 60 * (hour(minute) + 1),
            },
            ...(done_by !== null && { done_by }),
          })
        })
        const success = successOf(steps, 239)
        for (let minute = 0; minute < 240; minute += 1) {
          const chance = success.probabilityAt(minute)
          expect(chance).toBeGreaterThanOrEqual(0)
          expect(chance).toBeLessThanOrEqual(1 + 1e-9)
          expect(chance).toBeGreaterThanOrEqual(success.probabilityAt(minute + 1))
        }
      }),
      { numRuns: repetitions(12, 150) },
    )
  })
})

test('a way has the minutes that were stated of a usual and of a bad day', () => {
  const ways = [20, 45, 90, 240].flatMap((p50) => [5, 25, 60].map((more) => ({ p50, p90: p50 + more })))
  const shown = ways.map(({ p50, p90 }) => {
    const taken = waitMinutes({ p10: p50 - (p90 - p50) / 4, p50, p90 })
    return { p50: quantileMinutes(taken, 0.5), p90: quantileMinutes(taken, 0.9) }
  })
  expect(shown).toEqual(ways)
})
