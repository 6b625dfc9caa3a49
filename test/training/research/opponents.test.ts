import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { opponentScores } from '../../../training/research/opponents.ts'
import { START } from '../fake-series.ts'
import { fakeRun } from './fake-run.ts'

test('scores the rules from elsewhere on the hours of the forecasts that have both', () => {
  const forecasts = [0, 1, 30, 31].map((ahead) => ({ issued_ms: START, ahead, truth: 10 }))
  const run = fakeRun('JFK', forecasts, { p10: 8, p50: 11, p90: 14 })
  run.opponents.persistence.set([14, 12, 14, Number.NaN])
  run.opponents.trend.set([13, 12, 10, Number.NaN])
  const [near, day, week] = opponentScores([run])
  expect(near).toMatchObject({ from_hours: 0, to_hours: 6, airports: 1, samples: 2 })
  expect(near!.mae_minutes).toEqual({ served: 1, rule: 1, baseline: 1, persistence: 3, trend: 2.5 })
  expect(day).toMatchObject({ from_hours: 6, to_hours: 24, airports: 0, samples: 0 })
  expect(week).toMatchObject({ from_hours: 24, to_hours: 168, airports: 1, samples: 1 })
  expect(week!.mae_minutes).toMatchObject({ persistence: 4, trend: 0 })
})

test('scores another program beside them, on the hours that all have', () => {
  const forecasts = [0, 1, 2].map((ahead) => ({ issued_ms: START, ahead, truth: 10 }))
  const run = fakeRun('JFK', forecasts, { p10: 8, p50: 11, p90: 14 })
  run.opponents.persistence.fill(14)
  run.opponents.trend.fill(12)
  const other = (ahead: number, p50: number) => {
    const valid_ms = START + ahead * HOUR_MS
    return { airport: 'JFK', issued_ms: START, valid_ms, ahead, p10: 0, p50, p90: 99 }
  }
  const [near] = opponentScores([run], [{ name: 'trees', forecasts: [other(0, 15), other(2, 12)] }])
  expect(near).toMatchObject({ samples: 2, mae_minutes: { served: 1, persistence: 4, trend: 2, trees: 3.5 } })
})
