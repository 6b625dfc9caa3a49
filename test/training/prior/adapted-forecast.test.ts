import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import type { HourlySeries } from '../../../forecasting/features/hourly-series.ts'
import { typicalQuantiles } from '../../../forecasting/prior/typical.ts'
import { adaptedForecasts, handedOver, modelShare } from '../../../training/prior/adapted-forecast.ts'
import { fakeSeries, keptHours, START } from '../fake-series.ts'

/** Forecasts after some days by local hour of New York, Monday to Friday. */
function byHour(series: readonly HourlySeries[], days: number, terminal = '') {
  const { forecasts } = adaptedForecasts(series, START + days * DAY_MS)
  const hours = new Map<number, (typeof forecasts)[number]>()
  for (const row of forecasts.filter((candidate) => candidate.terminal === terminal)) {
    const local = new Date(Date.parse(row.valid_at) - 5 * HOUR_MS)
    if (local.getUTCDay() > 0 && local.getUTCDay() < 6) hours.set(local.getUTCHours(), row)
  }
  return hours
}

const prior = (hour: number) => typicalQuantiles('large', hour, 3)
const clockOf = (row: number) => new Date(START + row * HOUR_MS - 5 * HOUR_MS).getUTCHours()

describe('an airport that has just begun', () => {
  test('one reading moves the forecast towards it, at its time of day more than at others, and is still called typical', () => {
    const reading = keptHours(
      fakeSeries(1, () => 20),
      (row) => clockOf(row) === 10,
    )
    const hours = byHour([reading], 1)
    const moved = (hour: number) => hours.get(hour)!.p50 - prior(hour).p50
    expect(moved(10)).toBeGreaterThan(2)
    expect(moved(10)).toBeLessThan(20 - prior(10).p50)
    expect(moved(10)).toBeGreaterThan(moved(16))
    expect(moved(22)).toBeLessThan(1)
    expect(
      [...hours.values()].every(
        ({ basis, samples, p_within_5 }) => basis === 'typical' && samples === 1 && p_within_5! < 0.95,
      ),
    ).toBe(true)
  })

  test('a reading of zero is a reading: the forecast falls', () => {
    const hours = byHour([fakeSeries(1, () => 0)], 1)
    expect(hours.get(10)!.p50).toBeLessThan(1)
  })

  test('without any reading there is no forecast of its own', () => {
    expect(adaptedForecasts([fakeSeries(0, () => 5)], START + DAY_MS)).toEqual({ forecasts: [], backtest: null })
  })

  test('nothing that became available later changes a forecast', () => {
    const whole = fakeSeries(10, (hour, _, row) => (row < 72 ? 6 + hour / 4 : 500))
    const known = keptHours(whole, (row) => row < 72)
    expect(adaptedForecasts([whole], START + 3 * DAY_MS)).toEqual(adaptedForecasts([known], START + 3 * DAY_MS))
  })
})

describe('other histories', () => {
  test('an airport that was only read at night keeps the prior by day', () => {
    const nights = keptHours(
      fakeSeries(10, () => 0),
      (row) => clockOf(row) < 4,
    )
    const hours = byHour([nights], 10)
    expect(hours.get(2)!.p50).toBeLessThan(0.5)
    expect(hours.get(14)!.p50).toBeGreaterThan(0.6 * prior(14).p50)
    expect(hours.get(14)!.p90 - hours.get(14)!.p10).toBeGreaterThan(6)
  })

  test('a constant airport is forecast as constant, with a narrow interval', () => {
    const row = byHour([fakeSeries(10, () => 12)], 10).get(14)!
    expect(row.p50).toBeCloseTo(12, 0)
    expect(row.p90 - row.p10).toBeLessThanOrEqual(6)
    expect(row.p10).toBeLessThanOrEqual(12)
    expect(row.p90).toBeGreaterThanOrEqual(12)
  })

  test('a gap of eight weeks leads towards the prior, but the airport stays what it was', () => {
    const old = byHour([fakeSeries(4, () => 40)], 5).get(14)!
    const later = byHour([fakeSeries(4, () => 40)], 60).get(14)!
    expect(Math.abs(old.p50 - 40)).toBeLessThan(6)
    expect(later.p50).toBeLessThan(old.p50 - 2)
    expect(later.p50).toBeGreaterThan(prior(14).p50 + 10)
  })

  test('follows most of a shift of level within a week', () => {
    const shifted = fakeSeries(18, (_, __, row) => (row < 24 * 11 ? 5 : 20))
    expect(byHour([shifted], 18).get(14)!.p50).toBeGreaterThan(13)
  })

  test('forecasts are ordered, finite and not negative after any history', () => {
    for (const days of [1, 2, 5, 20])
      for (const { p10, p50, p90, p_within_5 } of adaptedForecasts(
        [fakeSeries(days, (hour, _, row) => (row * 7919 + hour) % 97)],
        START + days * DAY_MS,
      ).forecasts) {
        expect(p10).toBeGreaterThanOrEqual(0)
        expect(p10).toBeLessThanOrEqual(p50)
        expect(p50).toBeLessThanOrEqual(p90)
        expect(p_within_5).toBeGreaterThan(0)
        expect(p_within_5).toBeLessThan(1)
      }
  })
})

describe('terminals', () => {
  const airport = fakeSeries(6, () => 10)

  test('a terminal with one reading is drawn from its airport and not from the prior', () => {
    const terminal = keptHours(
      fakeSeries(6, () => 14, { terminal: 'B' }),
      (row) => row === 140,
    )
    const row = byHour([airport, terminal], 6, 'B').get(14)!
    expect(row.p50).toBeGreaterThanOrEqual(9.5)
    expect(row.p50).toBeLessThan(14)
  })

  test('a terminal that was not observed for over a week has no forecast', () => {
    const gone = keptHours(
      fakeSeries(20, () => 14, { terminal: 'B' }),
      (row) => row < 24,
    )
    expect(byHour([fakeSeries(20, () => 10), gone], 20, 'B').size).toBe(0)
  })
})

describe('the step up', () => {
  test('is called predicted when its record is clearly better than that of the prior, and shows that record', () => {
    const { forecasts, backtest } = adaptedForecasts([fakeSeries(10, () => 25)], START + 10 * DAY_MS)
    expect(forecasts.every(({ basis }) => basis === 'predicted')).toBe(true)
    expect(backtest).toMatchObject({ served: 'prior', model: forecasts[0]!.model })
    expect(backtest!.served_mae_minutes!).toBeLessThan(0.5 * backtest!.baseline_mae_minutes)
  })

  test('stays typical where the prior is as good', () => {
    const likePrior = fakeSeries(10, (hour, weekday) => typicalQuantiles('large', hour, weekday).p50)
    const { forecasts, backtest } = adaptedForecasts([likePrior], START + 10 * DAY_MS)
    expect(backtest).toBeNull()
    expect(forecasts.every(({ basis }) => basis === 'typical')).toBe(true)
  })

  test('goes over to the trained model within a week, without a jump', () => {
    expect(
      [20, 21, 24.5, 28, 60].map((days) =>
        modelShare(
          fakeSeries(1, () => 1),
          START + days * DAY_MS,
        ),
      ),
    ).toEqual([0, 0, 0.5, 1, 1])
    const { forecasts } = adaptedForecasts([fakeSeries(3, () => 10)], START + 3 * DAY_MS)
    const model = forecasts.map((row) => ({ ...row, p50: row.p50 + 8, model: 'model:JFK@x' }))
    const mixed = handedOver(model, forecasts, 0.25)
    expect(mixed[5]!.p50).toBeCloseTo(forecasts[5]!.p50 + 2, 9)
    expect(mixed[5]!.model).toBe('model:JFK@x')
  })
})
