import { describe, expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import {
  backtest,
  borderForecast,
  type ObservedHour,
  sameHourForecast,
} from '../../../warehouse/serving/border-forecast.ts'
import { borderForecasts } from '../../../warehouse/serving/border-forecasts.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { tempFolder } from '../../temp.ts'
import { reading } from '../rows.ts'

const ZONE = 'Europe/Zurich'
/** Saturday 21 November 2026, 14:00 UTC, 15:00 in Zurich; its winter time began on 25 October. */
const START = Date.parse('2026-11-21T14:00:00Z')
const NOW = START + 20 * 60_000

/** One observed hour a day at 15:00 in Zurich, the newest the day before `START`, going backwards. */
const daily = (waits: number[]): ObservedHour[] =>
  waits.map((minutes, back) => {
    const start_ms = START - (back + 1) * DAY_MS
    return { start_ms, available_ms: start_ms + HOUR_MS, minutes }
  })
const atThree = (observed: ObservedHour[], days = 0) => sameHourForecast(observed, ZONE, START + days * DAY_MS, 1)[0]

describe('the same local hour of the last 28 days', () => {
  test('is its median and 10 % and 90 % quantiles, interpolated', () => {
    // Back from Friday: five working days, no weekend (unobserved), then five more.
    const observed = daily([10, 12, 14, 16, 18, 0, 0, 20, 22, 24, 26, 28]).filter(({ minutes }) => minutes > 0)
    // 10, 12, … 28: ten values; place 0.9 → 11.8, 4.5 → 19, 8.1 → 26.2.
    expect(atThree(observed)).toEqual({ p10: 11.8, p50: 19, p90: 26.2, samples: 10 })
  })

  test('tells weekends from working days once each was observed on four', () => {
    // Weeks of five working days of 10 minutes and weekends of 40; Friday is the newest.
    const weeks = Array.from({ length: 14 }, (_, back) => ([5, 6].includes(back % 7) ? 40 : 10))
    expect(atThree(daily(weeks))).toMatchObject({ p50: 40, samples: 4 })
    expect(atThree(daily(weeks), 2)).toMatchObject({ p50: 10, samples: 10 })
    // With three weekend days they are one pool.
    expect(atThree(daily(weeks.slice(0, 13)))).toMatchObject({ p50: 10, samples: 13 })
  })

  test('nothing is told of an hour that was observed on fewer than seven days', () => {
    expect(atThree(daily([5, 5, 5, 5, 5, 5]))).toBeNull()
    expect(atThree(daily([5, 5, 5, 5, 5, 5, 5]))).toMatchObject({ p50: 5, samples: 7 })
    expect(sameHourForecast(daily(new Array(28).fill(5)), ZONE, START, 2)[1]).toBeNull()
  })

  test('what is older than 28 days, or was not known yet, takes no part', () => {
    expect(atThree(daily(new Array(60).fill(5)))!.samples).toBeLessThanOrEqual(20)
    const late = daily(new Array(10).fill(5)).map((hour) => ({ ...hour, available_ms: hour.start_ms + 4 * DAY_MS }))
    // Of ten days the newest four became known at or after the start (the fourth exactly at it, four days on).
    expect(atThree(late)).toMatchObject({ samples: 7 })
    expect(atThree(late.slice(0, 9))).toBeNull()
  })

  test('follows the clock of the airport over the end of summer time', () => {
    // 15:00 in Zurich was 13:00 UTC until 25 October: seen a month later it is the same hour.
    const start = Date.parse('2026-10-29T14:00:00Z')
    const before = Array.from({ length: 8 }, (_, back) => {
      const start_ms = Date.parse('2026-10-23T13:00:00Z') - back * DAY_MS
      return { start_ms, available_ms: start_ms + HOUR_MS, minutes: 9 }
    })
    expect(sameHourForecast(before, ZONE, start, 1)[0]).toMatchObject({ p50: 9, samples: 8 })
    expect(sameHourForecast(before, ZONE, start - HOUR_MS, 1)[0]).toBeNull()
  })
})

describe('its own error', () => {
  test('is measured on the last seven days, each forecast by what was known before it', () => {
    // 21 days of 10 minutes, then seven of 10, 10, 10, 10, 10, 10 and 24 on the newest.
    const observed = daily([24, ...new Array(27).fill(10)])
    const { samples, mae_minutes, coverage_80, within_5 } = backtest(observed, ZONE, START)
    // Six hours are exact; the newest is off by 14 and outside.
    expect(samples).toBe(7)
    expect(mae_minutes).toBeCloseTo(14 / 7)
    expect([coverage_80, within_5]).toEqual([6 / 7, 6 / 7])
  })

  test('an early day does not know the later ones', () => {
    const observed = daily([...new Array(7).fill(30), ...new Array(14).fill(10)])
    // By its own days alone each of the first few is off by 20.
    expect(backtest(observed, ZONE, START).mae_minutes).toBeGreaterThan(10)
  })

  test('without a compared hour there is none', () => {
    expect(backtest(daily([5, 5, 5, 5, 5, 5, 5]), ZONE, START)).toEqual({
      mae_minutes: null,
      coverage_80: null,
      within_5: null,
      samples: 0,
    })
  })
})

test('a forecast has a version, begins with the current hour, and is none where no hour can be told', () => {
  const of = (observed: ObservedHour[]) => borderForecast({ iata: 'ZRH', direction: 'entry', observed }, ZONE, NOW)
  const forecast = of(daily(new Array(28).fill(12)))!
  expect(forecast).toMatchObject({ version: 'baseline:ZRH/entry@2026-11-21T14Z', start_ms: START })
  expect(forecast.hours[0]).toMatchObject({ p50: 12 })
  expect(forecast.hours[24]).toMatchObject({ p50: 12 })
  expect(forecast.hours[1]).toBeNull()
  expect(of(daily([5]))).toBeNull()
})

test('from readings: by direction, open unflagged lanes only, Schengen airports only', async () => {
  const warehouse = await openWarehouse(await tempFolder())
  try {
    const rows = Array.from({ length: 10 }, (_, back) => START - (back + 1) * DAY_MS).flatMap((start) => {
      const observed_at = isoUtc(start + 10 * 60_000)
      const said = (checkpoint: string, wait_minutes: number, over = {}) =>
        reading({
          kind: 'immigration',
          source: 'zrh-passport',
          iata: 'ZRH',
          lane: 'all',
          checkpoint,
          wait_minutes,
          observed_at,
          fetched_at: observed_at,
          available_at: observed_at,
          ...over,
        })
      return [
        said('Arrival D', 10),
        said('Arrival E', 20),
        said('Departure E', 4),
        said('Hall', 7),
        said('Arrival F', 90, { flags: ['implausible_spike'] }),
        said('Arrival G', 90, { status: 'closed' }),
        said('Arrivals', 30, { iata: 'LHR', source: 'lhr-immigration' }),
      ]
    })
    await warehouse.land(readings, rows)
    await warehouse.maintain((context) => rollUp(context))
    const found = await borderForecasts(warehouse, airportDirectory().all, NOW)
    expect(found.map(({ iata, direction, hours }) => [iata, direction, hours[0]?.p50])).toEqual([
      ['ZRH', 'entry', 15],
      ['ZRH', 'exit', 4],
      ['ZRH', 'unknown', 7],
    ])
  } finally {
    await warehouse.close()
  }
})
