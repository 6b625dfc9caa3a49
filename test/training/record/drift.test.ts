import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { featureRows, horizonHours } from '../../../forecasting/features/features.ts'
import { prepareSeries, profileAt } from '../../../forecasting/features/profile.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import {
  airportsOnFallback,
  type DaySums,
  type DriftState,
  judgeDrift,
  watchDrift,
} from '../../../training/record/drift.ts'
import { readHistoryFolder } from '../../../training/research/history-files.ts'
import { readAccuracy } from '../../../warehouse/publishing/gather/accuracy.ts'
import { backtests } from '../../../warehouse/tables/forecasts.ts'
import { backtestScores, scores } from '../../../warehouse/tables/scores.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { backtest } from '../../warehouse/test-rows.ts'

const HISTORY = '../shared/history/security-us-2026'
const BACKTEST_DAYS = 28
const LIVE_DAYS = 7

/** Days whose mean error and share above the median vary about a level; days resemble the day before. */
function noisyDays(count: number, seed: number, { error = 2, share = 0.5, memory: kept = 0.4 } = {}): DaySums[] {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  let memory = normal()
  return Array.from({ length: count }, () => {
    memory = kept * memory + Math.sqrt(1 - kept ** 2) * normal()
    const forecasts = 2_000
    const model_error = forecasts * error * Math.exp(0.35 * memory)
    const above_median = forecasts * Math.min(1, Math.max(0, share + 0.12 * memory))
    return { forecasts, model_error, rule_error: 0.98 * model_error, above_median }
  })
}

/** The state after each day when the last seven days are judged by the 28 days before them. */
function watched(days: readonly DaySums[]): DriftState[] {
  const states: DriftState[] = []
  for (let end = BACKTEST_DAYS + LIVE_DAYS; end <= days.length; end++) {
    const live = days.slice(end - LIVE_DAYS, end)
    const backtest = days.slice(end - LIVE_DAYS - BACKTEST_DAYS, end - LIVE_DAYS)
    states.push(judgeDrift(states.at(-1) ?? 'steady', live, backtest).state)
  }
  return states
}

test('noise alone does not trigger the drift watch; where days resemble their neighbours, on at most one day in fifty', () => {
  const drifting = (memory: number) => {
    const states = Array.from({ length: 60 }, (_, seed) => watched(noisyDays(63, seed + 1, { memory }))).flat()
    expect(states).toHaveLength(60 * 29)
    return states.filter((state) => state !== 'steady').length / states.length
  }
  expect(drifting(0)).toBeLessThan(0.001)
  expect(drifting(0.4)).toBeLessThan(0.02)
})

test('a level that shifts is found within a week, upwards by its error and in both directions by its bias', () => {
  for (const shifted of [{ error: 5 }, { share: 0.95 }, { share: 0.05 }]) {
    const days = [...noisyDays(40, 3), ...noisyDays(7, 4, shifted)]
    expect(watched(days).at(-1), JSON.stringify(shifted)).toBe('on_rule')
  }
})

test('a drift ends only when the difference is nearly gone, and the rule serves only while it is no worse', () => {
  const backtest = noisyDays(28, 5)
  const days = (error: number, rule = 1): DaySums[] =>
    Array.from({ length: 7 }, () => ({
      forecasts: 1_000,
      model_error: 1_000 * error,
      rule_error: 1_000 * error * rule,
      above_median: 500,
    }))
  const typical = Math.exp(
    backtest.reduce((sum, day) => sum + Math.log(day.model_error / day.forecasts), 0) / backtest.length,
  )
  const after = (before: DriftState, factor: number, rule = 1) =>
    judgeDrift(before, days(factor * typical, rule), backtest).state
  expect(after('steady', 1.2)).toBe('steady')
  expect(after('steady', 3)).toBe('on_rule')
  expect(after('on_rule', 1.2)).toBe('on_rule')
  expect(after('on_rule', 1.05)).toBe('steady')
  expect(after('steady', 3, 1.1)).toBe('drifting')
  expect(after('on_rule', 3, 1.03)).toBe('on_rule')
  expect(after('on_rule', 3, 1.1)).toBe('drifting')
})

test('with too few days, live or of the backtest, an airport keeps its state', () => {
  const backtest = noisyDays(28, 5)
  const bad = noisyDays(7, 6, { error: 20 })
  expect(judgeDrift('steady', bad.slice(0, 3), backtest).state).toBe('steady')
  expect(judgeDrift('on_rule', [], backtest).state).toBe('on_rule')
  expect(judgeDrift('steady', bad, backtest.slice(0, 6)).state).toBe('steady')
})

/** A day of JFK in one bucket, as the tables `scores` and `backtest_scores` have it. */
const dayRow = (day_ms: number, error: number) => ({
  day: isoUtc(day_ms),
  kind: 'security' as const,
  iata: 'JFK',
  terminal: '',
  direction: null,
  from_hours: 24,
  confidence_tenth: 7,
  samples: 100,
  error_minutes: 100 * error,
  pinball_minutes: 40 * error,
  below: 0,
  above: 0,
  width_minutes: 900,
  within_5: 80,
  claimed: 100,
  confidence: 80,
  brier: 16,
  claimed_within_5: 80,
  compared: 100,
  compared_error_minutes: 100 * error,
  compared_pinball_minutes: 40 * error,
  baseline_error_minutes: 110 * error,
  baseline_pinball_minutes: 44 * error,
  contended: 100,
  model_error_minutes: 100 * error,
  model_above_median: 50,
  rule_error_minutes: 90 * error,
  opposed: 0,
  opposed_error_minutes: 0,
  persistence_error_minutes: 0,
  trend_error_minutes: 0,
})

test('a drift is recorded once, with a notice; the rule serves until the model is back', async () => {
  const warehouse = await newWarehouse()
  const today = Date.parse('2026-11-20T00:00:00Z')
  const model = 'model:JFK@2026-11-12T04Z'
  const cutoff = '2026-11-12T04:00:00Z'
  await warehouse.land(backtests, [
    backtest({
      model,
      trained_at: cutoff,
      cutoff,
      evaluated_from: '2026-10-15T04:00:00Z',
      evaluated_to: '2026-11-11T22:00:00Z',
    }),
  ])
  const past = Array.from({ length: 28 }, (_, k) => ({
    ...dayRow(today - (k + 9) * DAY_MS, 2 + (k % 3) / 10),
    model,
    trained_at: cutoff,
  }))
  await warehouse.land(backtestScores, past)
  const live = (start: number, error: number) =>
    Array.from({ length: 7 }, (_, k) => ({
      ...dayRow(start - (k + 1) * DAY_MS, error),
      basis: 'predicted' as const,
      served: 'model',
    }))
  await warehouse.land(scores, live(today, 6))
  const now = today + HOUR_MS
  expect(await airportsOnFallback(warehouse, now)).toEqual(new Set())
  expect(await watchDrift(warehouse, now)).toMatchObject([{ iata: 'JFK', before: 'steady', state: 'on_rule' }])
  expect(await watchDrift(warehouse, now + HOUR_MS)).toEqual([])
  expect(await airportsOnFallback(warehouse, now)).toEqual(new Set(['JFK']))
  await warehouse.land(scores, live(today + 7 * DAY_MS, 2.1))
  const later = now + 7 * DAY_MS
  expect(await watchDrift(warehouse, later)).toMatchObject([{ iata: 'JFK', before: 'on_rule', state: 'steady' }])
  expect(await airportsOnFallback(warehouse, later)).toEqual(new Set())
  const landed = await warehouse.query('SELECT code, iata, message FROM notices ORDER BY noticed_at')
  expect(landed).toMatchObject([
    { code: 'forecast_drift', iata: 'JFK', message: expect.stringContaining('the simple rule is used') },
    { code: 'forecast_drift_over', iata: 'JFK' },
  ])
  const content = await readAccuracy(warehouse, later)
  expect(content.drifting).toEqual([])
  const week = content.overall.find(({ days, from_hours }) => days === 7 && from_hours === 24)
  expect(week?.skill_mae?.skill).toBeCloseTo(1 - 1 / 1.1, 2)
  expect(content.backtests).toMatchObject([{ iata: 'JFK', model, buckets: [{ from_hours: 24, samples: 2_800 }] }])
  expect(content.records.map(({ days, buckets }) => [days, buckets[0]?.samples])).toEqual([
    [7, 700],
    [30, 1_400],
    [90, 1_400],
  ])
})

test.runIf(EXHAUSTIVE && existsSync(HISTORY))(
  'the level shift of Jacksonville in July 2026 is found within a week',
  () => {
    const series = readHistoryFolder(HISTORY).filter(({ iata, terminal }) => iata === 'JAX' && terminal === '')
    const prepared = prepareSeries(series[0]!)
    const truth = new Map(Array.from(prepared.hour_ms, (hour, row) => [hour, prepared.mean[row]!]))
    const sums = new Map<number, DaySums>()
    const end = Date.parse('2026-07-20T18:00:00Z')
    for (let origin = end - 50 * DAY_MS; origin <= end; origin += 12 * HOUR_MS) {
      const profile = profileAt(prepared, origin)
      if (!profile) continue
      const hours = horizonHours(origin)
      // The forecaster that is watched is the baseline, because a test cannot train a net for each week.
      const { same_hour_p50: median, p50: rule } = featureRows(prepared, profile, hours)
      for (const [row, hour] of hours.entries()) {
        const wait = truth.get(hour)
        if (wait === undefined) continue
        const day = Math.floor(hour / DAY_MS)
        const sum = sums.get(day) ?? { forecasts: 0, model_error: 0, rule_error: 0, above_median: 0 }
        sums.set(day, sum)
        sum.forecasts += 1
        sum.model_error += Math.abs(wait - median[row]!)
        sum.rule_error += Math.abs(wait - rule[row]!)
        if (Math.abs(wait - median[row]!) <= 0.5) sum.above_median += 0.5
        else if (wait > median[row]!) sum.above_median += 1
      }
    }
    const days = [...sums.keys()].sort((a, b) => a - b)
    const states = watched(days.map((day) => sums.get(day)!))
    const shift = days.indexOf(Date.parse('2026-07-16T00:00:00Z') / DAY_MS) - (BACKTEST_DAYS + LIVE_DAYS - 1)
    expect(states[shift - 1]).toBe('steady')
    expect(states.slice(shift).some((state) => state !== 'steady')).toBe(true)
  },
)
