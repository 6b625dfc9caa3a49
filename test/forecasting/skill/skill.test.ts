import { expect, test } from 'vitest'
import { type DailyLosses, skillsOf } from '../../../forecasting/skill/skill.ts'

/** Losses of airports over days, from the mean losses of an airport on a day; ten forecast hours each. */
function losses(
  airports: number,
  days: number,
  lossesOf: (airport: number, day: number) => [forecast: number, baseline: number],
): DailyLosses {
  const daily: DailyLosses = {
    airports,
    days,
    forecast: new Float64Array(airports * days),
    baseline: new Float64Array(airports * days),
    samples: new Float64Array(airports * days).fill(10),
  }
  for (let airport = 0; airport < airports; airport++)
    for (let day = 0; day < days; day++) {
      const [forecast, baseline] = lossesOf(airport, day)
      daily.forecast[airport * days + day] = 10 * forecast
      daily.baseline[airport * days + day] = 10 * baseline
    }
  return daily
}

test('the skill of all is that of all hours together, which an airport whose waits are nearly zero does not turn over', () => {
  // 0.60 against 0.86 minutes, and 0.02 against 0.00: together 0.31 against 0.43.
  const { all, airports } = skillsOf(losses(2, 10, (airport) => (airport === 0 ? [0.6, 0.86] : [0.02, 0])))
  expect(airports.map((airport) => airport?.skill)).toEqual([expect.closeTo(0.3, 2), expect.closeTo(-2, 2)])
  expect(all?.skill).toBeCloseTo(1 - (0.31 + 0.01) / (0.43 + 0.01), 3)
})

test('the interval is the same each time, spans the skill, and needs days that tell how days differ', () => {
  const noisy = losses(3, 30, (airport, day) => [2 + ((day * 7 + airport) % 5) / 5, 3])
  const found = skillsOf(noisy)
  expect(skillsOf(noisy)).toEqual(found)
  expect(found.all!.low!).toBeLessThan(found.all!.skill)
  expect(found.all!.high!).toBeGreaterThan(found.all!.skill)
  expect(found.all!.low!).toBeGreaterThan(0)
  expect(skillsOf(losses(1, 4, () => [1, 2])).all).toEqual({ skill: expect.closeTo(0.5, 1), low: null, high: null })
})

test('an airport whose waits never change is a draw, and nothing is nothing', () => {
  expect(skillsOf(losses(1, 10, () => [0, 0])).all?.skill).toBe(0)
  expect(skillsOf(losses(0, 10, () => [1, 1])).all).toBeNull()
  const unseen = losses(1, 10, () => [1, 1])
  unseen.samples.fill(0)
  expect(skillsOf(unseen)).toEqual({ all: null, airports: [null] })
})
