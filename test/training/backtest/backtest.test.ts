import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS } from '../../../config/domain.ts'
import { backtest, scoreOf } from '../../../training/backtest/backtest.ts'
import { summarise } from '../../../training/backtest/measure.ts'
import { renderReport } from '../../../training/backtest/report.ts'
import { prepare } from '../../../training/features/profile.ts'
import type { HourlySeries } from '../../../training/history/hourly-series.ts'
import { madeSeries, peaks, START } from '../series.ts'

const SPAN = { from_ms: START + 48 * DAY_MS, to_ms: START + 56 * DAY_MS, every_hours: 12 }

const airports = [madeSeries(64, peaks(1)), madeSeries(64, peaks(2), { iata: 'LGA' })]
const run = (series: HourlySeries[]) => backtest(series.map(prepare), SPAN)

test('a weekly pattern that the same-hour rule cannot see is learnt, with honest intervals', async () => {
  const runs = await run(airports)
  for (const one of runs) {
    const model = scoreOf(one, 'model')
    const baseline = scoreOf(one, 'baseline')
    expect(model.samples).toBe(baseline.samples)
    expect(model.samples).toBe(17 * HORIZON_HOURS)
    expect(model.pinball_minutes).toBeLessThan(0.8 * baseline.pinball_minutes)
    expect(model.coverage_80).toBeGreaterThan(0.65)
    expect(model.coverage_80).toBeLessThan(0.95)
  }
  const measure = summarise(runs)
  expect(measure.overall.model.samples).toBe(2 * 17 * HORIZON_HOURS)
  expect(measure.horizons.reduce((sum, { model }) => sum + model.samples, 0)).toBe(measure.overall.model.samples)
  expect(renderReport(measure)).toContain('| LGA |')
})

test('what happens after an origin changes not a bit of its forecasts', async () => {
  const turn = START + 52 * DAY_MS
  const spoilt = airports.map((series) => ({
    ...series,
    mean: series.mean.map((minutes, k) => (series.available_ms[k]! > turn ? 599 : minutes)),
  }))
  const [told, untold] = [await run(airports), await run(spoilt)]
  told.forEach((one, k) => {
    const other = untold[k]!
    const known = one.issued_ms.filter((issued) => issued <= turn).length
    expect(known).toBeGreaterThan(20 * HORIZON_HOURS)
    for (const contender of ['model', 'baseline'] as const)
      for (const column of ['p10', 'p50', 'p90', 'p_within_5'] as const)
        expect(one.served[contender][column].slice(0, known)).toEqual(other.served[contender][column].slice(0, known))
    expect(one.served.model.p50.slice(known)).not.toEqual(other.served.model.p50.slice(known))
  })
})
