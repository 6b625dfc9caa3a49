import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS } from '../../../config/vocabulary.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { newAirports } from '../../../training/research/new-airports.ts'
import { fakeSeries, START } from '../fake-series.ts'
import { fakeRun } from './fake-run.ts'

const ISSUED_DAY = 30

/** A forecast of 12 min of every hour of the horizon; the first two were observed. */
const runOf = (iata: string, minutes: number) =>
  fakeRun(
    iata,
    Array.from({ length: HORIZON_HOURS }, (_, ahead) => ({
      issued_ms: START + ISSUED_DAY * DAY_MS,
      ahead,
      truth: ahead < 2 ? minutes : Number.NaN,
    })),
    { p10: 10, p50: 12, p90: 14 },
  )

test('forecasts an airport as if its readings had begun days before each origin', () => {
  // What was before the last week, and what comes after the origin, would be seen at once.
  const own = fakeSeries(40, (_hour, _weekday, row) =>
    row >= (ISSUED_DAY - 7) * 24 && row < ISSUED_DAY * 24 ? 10 : 90,
  )
  const other = fakeSeries(40, (_hour, _weekday, row) => (row < ISSUED_DAY * 24 ? 20 : 90), { iata: 'LAX' })
  const notScored = runOf('LAX', 20)
  notScored.scored.fill(0)
  const scores = newAirports([runOf('JFK', 10), notScored], [own, other].map(prepareSeries))
  expect(scores.map(({ own_days, own_hours }) => [own_days, own_hours])).toEqual([
    [1, 24],
    [3, 72],
    [7, 168],
  ])
  for (const { airports, samples, mae_minutes } of scores) {
    expect({ airports, samples }).toEqual({ airports: 1, samples: 2 })
    // The other airport has 20 min, the own readings have 10 and the run 12.
    expect(mae_minutes.prior).toBeCloseTo(10)
    expect(mae_minutes.rule).toBeCloseTo(0)
    expect(mae_minutes.baseline).toBeCloseTo(0)
    expect(mae_minutes.trained).toBeCloseTo(2)
  }
  const [first, third, seventh] = scores.map(({ mae_minutes }) => mae_minutes.served)
  expect(first).toBeLessThan(10)
  expect(third).toBeLessThan(first!)
  expect(seventh).toBeLessThan(third!)
})

test('leaves out an airport without a reading in its days, and one without any other airport', () => {
  const own = prepareSeries(fakeSeries(10, () => 10))
  const other = prepareSeries(fakeSeries(40, () => 20, { iata: 'LAX' }))
  expect(newAirports([runOf('JFK', 10), runOf('LAX', 20)], [own, other]).map(({ airports }) => airports)).toEqual([
    1, 1, 1,
  ])
  expect(newAirports([runOf('JFK', 10)], [own]).map(({ airports }) => airports)).toEqual([0, 0, 0])
})
