import { describe, expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { type PreparedSeries, prepareSeries } from '../../../forecasting/features/profile.ts'
import { backtestBorder, borderRows, sameHourForecast } from '../../../training/border/border-forecast.ts'
import { type BorderSeries, readBorderHistory } from '../../../training/border/border-history.ts'
import { predictAll } from '../../../training/predict.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { landedAt, reading } from '../../warehouse/test-rows.ts'

/** Saturday 21 November 2026, 14:00 UTC, 15:00 in Zurich; winter time began there on 25 October. */
const START = Date.parse('2026-11-21T14:00:00Z')
const NOW = START + 20 * 60_000

interface ObservedHour {
  start_ms: number
  available_ms: number
  minutes: number
}

function seriesOf(observed: ObservedHour[]): BorderSeries & PreparedSeries {
  const ascending = observed.toSorted((a, b) => a.start_ms - b.start_ms)
  const series: BorderSeries = {
    iata: 'ZRH',
    terminal: '',
    direction: 'entry',
    timezone: 'Europe/Zurich',
    country: 'CH',
    hour_ms: Float64Array.from(ascending, ({ start_ms }) => start_ms),
    available_ms: Float64Array.from(ascending, ({ available_ms }) => available_ms),
    mean: Float64Array.from(ascending, ({ minutes }) => minutes),
    samples: new Float64Array(observed.length).fill(1),
  }
  return { ...series, ...prepareSeries(series) }
}

/** One observed hour a day at 15:00 in Zurich, the newest the day before `START`, going backwards. */
const daily = (waits: number[]): ObservedHour[] =>
  waits.map((minutes, back) => {
    const start_ms = START - (back + 1) * DAY_MS
    return { start_ms, available_ms: start_ms + HOUR_MS, minutes }
  })
const atThree = (observed: ObservedHour[], days = 0) =>
  sameHourForecast(seriesOf(observed), START + days * DAY_MS, 1)[0]

describe('the forecast from the same local hour of the last 28 days', () => {
  test('is the median with the 10 % and 90 % quantiles, interpolated', () => {
    // Back from Friday: five working days, no weekend (unobserved), then five more.
    const observed = daily([10, 12, 14, 16, 18, 0, 0, 20, 22, 24, 26, 28]).filter(({ minutes }) => minutes > 0)
    // 10, 12, … 28: ten values; place 0.9 → 11.8, 4.5 → 19, 8.1 → 26.2.
    const unwidened = sameHourForecast(seriesOf(observed), START, 1, 1)[0]
    expect(unwidened).toEqual({ p10: 11.8, p50: 19, p90: 26.2, samples: 10 })
    // Published: p10 and p90 half as far again from the median.
    const widened = sameHourForecast(seriesOf(observed), START, 1, 1.5)[0]
    expect(widened).toEqual({ p10: 8.2, p50: 19, p90: 29.8, samples: 10 })
  })

  test('separates weekends from working days when each was observed on four days', () => {
    // Weeks of five working days of 10 minutes and weekends of 40; Friday is the newest.
    const weeks = Array.from({ length: 14 }, (_, back) => ([5, 6].includes(back % 7) ? 40 : 10))
    expect(atThree(daily(weeks))).toMatchObject({ p50: 40, samples: 4 })
    expect(atThree(daily(weeks), 2)).toMatchObject({ p50: 10, samples: 10 })
    // With three weekend days all days form one pool.
    expect(atThree(daily(weeks.slice(0, 13)))).toMatchObject({ p50: 10, samples: 13 })
  })

  test('is null for an hour that was observed on fewer than seven days', () => {
    expect(atThree(daily([5, 5, 5, 5, 5, 5]))).toBeNull()
    expect(atThree(daily([5, 5, 5, 5, 5, 5, 5]))).toMatchObject({ p50: 5, samples: 7 })
    expect(sameHourForecast(seriesOf(daily(new Array(28).fill(5))), START, 2)[1]).toBeNull()
  })

  test('ignores hours older than 28 days and hours that were not yet known', () => {
    expect(atThree(daily(new Array(60).fill(5)))!.samples).toBeLessThanOrEqual(20)
    const late = daily(new Array(10).fill(5)).map((hour) => ({ ...hour, available_ms: hour.start_ms + 4 * DAY_MS }))
    // The newest three of ten days became known after the start; the fourth exactly at the start, so it counts.
    expect(atThree(late)).toMatchObject({ samples: 7 })
    expect(atThree(late.slice(0, 9))).toBeNull()
  })

  test("follows the airport's wall clock across the end of summer time", () => {
    // 15:00 in Zurich was 13:00 UTC until 25 October; afterwards 14:00 UTC is the same local hour.
    const start = Date.parse('2026-10-29T14:00:00Z')
    const before = seriesOf(
      Array.from({ length: 8 }, (_, back) => {
        const start_ms = Date.parse('2026-10-23T13:00:00Z') - back * DAY_MS
        return { start_ms, available_ms: start_ms + HOUR_MS, minutes: 9 }
      }),
    )
    expect(sameHourForecast(before, start, 1)[0]).toMatchObject({ p50: 9, samples: 8 })
    expect(sameHourForecast(before, start - HOUR_MS, 1)[0]).toBeNull()
  })
})

describe('the backtest', () => {
  test('scores the last seven days, each forecast from what was known before the day', () => {
    // 27 days of 10 minutes and 24 minutes on the newest.
    const observed = daily([24, ...new Array(27).fill(10)])
    const { samples, mae_minutes, coverage_80, within_5 } = backtestBorder(seriesOf(observed), START)
    // Six hours are exact; the newest is off by 14 and outside the interval.
    expect(samples).toBe(7)
    expect(mae_minutes).toBeCloseTo(14 / 7)
    expect([coverage_80, within_5]).toEqual([6 / 7, 6 / 7])
  })

  test('does not use later days to forecast an earlier day', () => {
    const observed = daily([...new Array(7).fill(30), ...new Array(14).fill(10)])
    // From its own past alone each of the first few days is off by 20.
    expect(backtestBorder(seriesOf(observed), START).mae_minutes).toBeGreaterThan(10)
  })

  test('has no samples and adds no row when no forecast hour was observed', () => {
    const series = seriesOf(daily([5, 5, 5, 5, 5, 5, 5]))
    expect(backtestBorder(series, START).samples).toBe(0)
    const { forecasts, backtest } = borderRows(series, NOW)
    expect(backtest).toBeNull()
    expect(forecasts[0]).toMatchObject({ p50: 5, p_within_5: null })
  })
})

test('rows name their version, begin with the current hour, and are absent where nothing can be forecast', () => {
  const series = seriesOf(daily(new Array(28).fill(12)))
  const { forecasts, backtest } = borderRows(series, NOW)
  const version = 'baseline:ZRH/entry@2026-11-21T14Z'
  expect(forecasts.map(({ valid_at, p50, model }) => [valid_at, p50, model])).toEqual([
    ['2026-11-21T14:00:00Z', 12, version],
    ['2026-11-22T14:00:00Z', 12, version],
  ])
  expect(forecasts[0]).toMatchObject({ issued_at: '2026-11-21T14:00:00Z', direction: 'entry', p_within_5: 1 })
  expect(backtest).toMatchObject({ model: version, served: 'baseline', samples: 7, baseline_mae_minutes: 0 })
  expect(borderRows(seriesOf(daily([5])), NOW)).toEqual({ forecasts: [], backtest: null })
})

test('forecasts open unflagged lanes of Schengen airports by direction, once an hour', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  const rows = Array.from({ length: 10 }, (_, back) => START - (back + 1) * DAY_MS).flatMap((start) => {
    const observed_at = isoUtc(start + 10 * 60_000)
    const borderReading = (checkpoint: string, wait_minutes: number, over = {}) =>
      reading({
        kind: 'immigration',
        source: 'zrh-passport',
        iata: 'ZRH',
        lane: 'all',
        checkpoint,
        wait_minutes,
        ...landedAt(observed_at),
        ...over,
      })
    return [
      borderReading('Arrival D', 10),
      borderReading('Arrival E', 20),
      borderReading('Departure E', 4),
      borderReading('Hall', 7),
      borderReading('Arrival F', 90, { flags: ['implausible_spike'] }),
      borderReading('Arrival G', 90, { status: 'closed' }),
      borderReading('Arrivals', 30, { iata: 'LHR', source: 'lhr-immigration' }),
    ]
  })
  await warehouse.land(readings, rows)
  await rollUp(warehouse)
  const history = await readBorderHistory(warehouse, airportDirectory().all, {
    from_ms: START - 28 * DAY_MS,
    cutoff_ms: NOW,
  })
  const firstHours = history.map((series) => borderRows(series, NOW).forecasts[0])
  expect(firstHours.map((row) => [row?.iata, row?.direction, row?.p50])).toEqual([
    ['ZRH', 'entry', 15],
    ['ZRH', 'exit', 4],
    ['ZRH', 'unknown', 7],
  ])
  // Each direction has the current hour and the same hour of the next day; so has Heathrow, which is one queue.
  const options = { now: NOW, modelsDir: `${folder}/models` }
  expect(await predictAll(warehouse, options)).toBe(4 * 2)
  expect(await predictAll(warehouse, options)).toBe(0)
  expect(await warehouse.query('SELECT model, samples FROM backtests ORDER BY model')).toEqual(
    ['LHR', 'ZRH/entry', 'ZRH/exit', 'ZRH/unknown'].map((subject) => ({
      model: `baseline:${subject}@2026-11-21T14Z`,
      samples: 3,
    })),
  )
})
