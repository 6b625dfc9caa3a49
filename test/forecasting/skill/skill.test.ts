import { expect, test } from 'vitest'
import { type DailyLosses, skillsOf } from '../../../forecasting/skill/skill.ts'

/** Losses of airports over days, from the mean losses of an airport on a day; ten forecast hours each. */
function losses(
  airports: number,
  days: number,
  of: (airport: number, day: number) => [forecast: number, baseline: number],
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
      const [forecast, baseline] = of(airport, day)
      daily.forecast[airport * days + day] = 10 * forecast
      daily.baseline[airport * days + day] = 10 * baseline
    }
  return daily
}

test('the skill of all is one less the geometric mean of the ratios, so that long waits weigh no more', () => {
  const { all, airports } = skillsOf(losses(2, 10, (airport) => (airport === 0 ? [1, 2] : [200, 100])))
  expect(airports.map((one) => one?.skill)).toEqual([expect.closeTo(0.5, 1), expect.closeTo(-1, 1)])
  expect(all?.skill).toBeCloseTo(0, 2)
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
