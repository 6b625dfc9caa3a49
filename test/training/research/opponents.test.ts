import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS } from '../../../config/domain.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { opponentScores } from '../../../training/research/opponents.ts'
import { fakeSeries, START } from '../fake-series.ts'
import { fakeRun } from './fake-run.ts'

const DAYS = 28

test('scores the newest wait and the trend rule on the hours of the forecasts', () => {
  // 10 min, and in the last three hours 10, 12 and 14.
  const series = fakeSeries(DAYS, (_hour, _weekday, row) => 10 + 2 * Math.max(0, row - (DAYS * 24 - 3)), {
    timezone: 'Etc/UTC',
  })
  const forecasts = Array.from({ length: HORIZON_HOURS }, (_, ahead) => ({
    issued_ms: START + DAYS * DAY_MS,
    ahead,
    truth: ahead < 3 || ahead === 30 ? 10 : Number.NaN,
  }))
  const run = fakeRun('JFK', forecasts, { p10: 8, p50: 11, p90: 14 })
  const [near, day, week] = opponentScores([run], [prepareSeries(series)])
  expect(near).toMatchObject({ from_hours: 0, to_hours: 6, airports: 1, samples: 3 })
  // 0.8 × 16 + 0.2 × 10 after 30 min, 0.4 × 18 + 0.6 × 10 after 90, 10 after 150.
  expect(near!.mae_minutes.trend).toBeCloseTo((4.8 + 3.2 + 0) / 3)
  expect(near!.mae_minutes).toMatchObject({ served: 1, rule: 1, baseline: 1, persistence: 4 })
  expect(day).toMatchObject({ from_hours: 6, to_hours: 24, airports: 0, samples: 0 })
  expect(week).toMatchObject({ from_hours: 24, to_hours: 168, airports: 1, samples: 1 })
  expect(week!.mae_minutes).toMatchObject({ persistence: 4, trend: 0 })
})
