import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS } from '../../../config/vocabulary.ts'
import { examplesOfAll } from '../../../forecasting/features/examples.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import { typicalQuantiles } from '../../../forecasting/prior/typical.ts'
import { backtest } from '../../../training/backtest/backtest.ts'
import { type PriorOrigin, priorOrigins } from '../../../training/backtest/prior-origins.ts'
import { renderReport } from '../../../training/backtest/report.ts'
import { isAdaptedBetter, scoreOf, servedForecasts } from '../../../training/backtest/results.ts'
import { summariseBacktest } from '../../../training/backtest/summary.ts'
import { CONTENDERS } from '../../../training/forecasters/contenders.ts'
import { fitEnsemble } from '../../../training/models/pooled-fit.ts'
import { adaptedForecasts } from '../../../training/prior/adapted-forecast.ts'
import { trainingSettings } from '../../../training/settings/training-settings.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { fakeSeries, keptHours, peaks, START } from '../fake-series.ts'

/** Everyday runs forecast once a day. */
const EVERY_HOURS = repetitions(24, 12)
const ORIGINS = 4 * (24 / EVERY_HOURS) + 1
const SPAN = {
  from_ms: START + 37 * DAY_MS,
  to_ms: START + 41 * DAY_MS,
  settings: trainingSettings({
    seeds: [1],
    backtest: { every_hours: EVERY_HOURS, burn_in_days: 7 },
    fit: { epochs: 4 },
  }),
}

const airports = [fakeSeries(49, peaks(1)), fakeSeries(49, peaks(2), { iata: 'LGA' })]
const run = (series: HourlySeries[]) => backtest(series.map(prepareSeries), SPAN)
/** The backtest of the airports as they are; training takes seconds, so that the tests share it. */
let shared: ReturnType<typeof run> | null = null
const runOnce = () => {
  shared ??= run(airports)
  return shared
}

test('the model learns a weekly pattern that the same-hour baseline cannot express, with intervals of about 80 % coverage', async () => {
  const runs = await runOnce()
  for (const series of runs) {
    const model = scoreOf(series, 'model')
    const baseline = scoreOf(series, 'baseline')
    expect(model.samples).toBe(baseline.samples)
    expect(model.samples).toBe(ORIGINS * HORIZON_HOURS)
    expect(model.pinball_minutes).toBeLessThan(0.9 * baseline.pinball_minutes)
    expect(model.coverage_80).toBeGreaterThan(0.65)
    expect(model.coverage_80).toBeLessThan(0.95)
  }
  const measure = summariseBacktest(runs)
  expect(measure.overall.model.samples).toBe(2 * ORIGINS * HORIZON_HOURS)
  expect(measure.horizons.reduce((sum, { model }) => sum + model.samples, 0)).toBe(measure.overall.model.samples)
  expect(renderReport(measure)).toContain('| LGA |')
}, 120_000)

test('at an origin at which an airport is new the served forecast is the adapted prior, as the service publishes it', async () => {
  const series = fakeSeries(6, peaks(3))
  const origin = START + 5 * DAY_MS
  const settings = trainingSettings({ seeds: [1], backtest: { every_hours: 24, burn_in_days: 1 }, fit: { epochs: 1 } })
  const [young] = await backtest([prepareSeries(series)], { from_ms: origin, to_ms: origin, settings })
  const served = servedForecasts(young!)
  const first = young!.issued_ms.indexOf(origin)
  const published = adaptedForecasts([series], origin).forecasts
  expect(published).toHaveLength(HORIZON_HOURS)
  expect([...served.p50.subarray(first, first + HORIZON_HOURS)]).toEqual(published.map(({ p50 }) => p50))
  expect([...served.p90.subarray(first, first + HORIZON_HOURS)]).toEqual(published.map(({ p90 }) => p90))

  // The model takes over only when the adapted prior did not lose clearly less.
  const cameTrue = (truth: Float64Array) => isAdaptedBetter({ ...young!, truth })
  expect(cameTrue(young!.adapted!.forecast.p50)).toBe(true)
  expect(cameTrue(young!.calibrated[young!.choice].p90)).toBe(false)
})

test('at an origin after weeks without a reading the prior is served, as the service publishes it, and no origin is missing', async () => {
  const whole = fakeSeries(40, peaks(3))
  const gap = { from: START + 5 * DAY_MS, to: START + 38 * DAY_MS }
  const series = keptHours(whole, (row) => whole.hour_ms[row]! < gap.from || whole.hour_ms[row]! >= gap.to)
  const span = {
    from_ms: START + 31 * DAY_MS,
    to_ms: START + 39 * DAY_MS,
    settings: trainingSettings({ seeds: [1], backtest: { every_hours: 24, burn_in_days: 1 }, fit: { epochs: 1 } }),
  }
  const prepared = prepareSeries(series)
  const [gappy] = await backtest([prepared], span)
  const priors = priorOrigins(prepared, gappy!, span)
  const modelled = new Set(gappy!.issued_ms.filter((_, row) => gappy!.scored[row] === 1))
  const days = (origins: Iterable<number>) => [...origins].map((origin) => (origin - START) / DAY_MS)
  expect(days(priors.map(({ issued_ms }) => issued_ms))).toEqual([33, 34, 35, 36, 37, 38])
  expect(days(modelled)).toEqual([31, 32, 39])
  const { issued_ms, hours } = priors[0]!
  const published = adaptedForecasts([series], issued_ms).forecasts
  expect(hours.map(({ p10, p50, p90 }) => [p10, p50, p90])).toEqual(
    published.map(({ p10, p50, p90 }) => [p10, p50, p90]),
  )

  const muchLater = { from_ms: START + 400 * DAY_MS, to_ms: START + 400 * DAY_MS, settings: span.settings }
  const [silent] = await backtest([prepared], muchLater)
  const [{ hours: typical }] = priorOrigins(prepared, silent!, muchLater) as [PriorOrigin]
  expect(typical).toHaveLength(HORIZON_HOURS)
  const noon = typical.find(({ valid_ms }) => new Date(valid_ms).getUTCHours() === 16)!
  expect(noon.p50).toBe(typicalQuantiles('large', 12, 1).p50)
  // Before the first reading nothing of the airport is known.
  const before = { from_ms: START - 2 * DAY_MS, to_ms: START - DAY_MS, settings: span.settings }
  const [unborn] = await backtest([prepared], before)
  expect(priorOrigins(prepared, unborn!, before)).toEqual([])
})

test.runIf(EXHAUSTIVE)('rows after an origin do not change its forecasts', async () => {
  const change = START + 39 * DAY_MS
  const changed = airports.map((series) => ({
    ...series,
    mean: series.mean.map((minutes, k) => (series.available_ms[k]! > change ? 599 : minutes)),
  }))
  const original = await runOnce()
  const afterChange = await run(changed)
  original.forEach((series, k) => {
    const other = afterChange[k]!
    const before = series.issued_ms.filter((issued) => issued <= change).length
    expect(before).toBe((14 + 5) * HORIZON_HOURS)
    for (const contender of CONTENDERS)
      for (const column of ['p10', 'p50', 'p90', 'p_within_5'] as const) {
        const forecast = series.calibrated[contender][column]
        expect(forecast.slice(0, before)).toEqual(other.calibrated[contender][column].slice(0, before))
      }
    expect(series.served.slice(0, before)).toEqual(other.served.slice(0, before))
    expect(series.calibrated.model.p50.slice(before)).not.toEqual(other.calibrated.model.p50.slice(before))
  })
})

test.runIf(EXHAUSTIVE)('a model that lost clearly more than the rule in the days before is not served', async () => {
  const series = prepareSeries(airports[0]!)
  const from_ms = START + 43 * DAY_MS
  // Many copies, so that the net has steps enough to believe them.
  const examples = examplesOfAll(Array(6).fill({ series, step_hours: 12 }), from_ms)
  const misled = { ...examples, truth: examples.truth.map((minutes) => minutes + 60) }
  const settings = trainingSettings({
    seeds: [1],
    net_share: { from_days: 0, full_days: 20 },
    backtest: { every_hours: 24, burn_in_days: 5, refit_days: 30 },
  })
  const [run] = await backtest([series], {
    from_ms,
    to_ms: from_ms + DAY_MS,
    settings,
    fitAt: async (cutoff_ms) => fitEnsemble(misled, cutoff_ms, settings),
  })
  expect(scoreOf(run!, 'model').mae_minutes).toBeGreaterThan(1.3 * scoreOf(run!, 'rule').mae_minutes)
  expect(run!.choice).toBe('rule')
  expect(scoreOf(run!, 'served')).toEqual(scoreOf(run!, 'rule'))
})
