import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { contests, withOutside } from '../../../training/outside/contest.ts'
import { readAccuracy } from '../../../warehouse/publishing/gather/accuracy.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { type Forecast, forecasts } from '../../../warehouse/tables/forecasts.ts'
import { outsideForecasts } from '../../../warehouse/tables/outside-forecasts.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { forecast, rollup } from '../../warehouse/test-rows.ts'

const NOW = Date.parse('2026-11-20T00:00:00Z')
const DAYS = 5
const START = NOW - DAYS * DAY_MS
const OBSERVED = 15

const ownHour = (issued_ms: number, valid_ms: number): Forecast =>
  forecast(issued_ms + 300_000, valid_ms, 20, {
    p10: 12,
    p90: 28,
    p_within_5: 0.5,
    baseline_p10: 10,
    baseline_p50: 21,
    baseline_p90: 30,
    model_p50: 20,
    rule_p50: 19,
    model: 'model:JFK@2026-11-10T00Z-3fa9c1d2',
  })

const outsideHour = (forecaster: string, p50: number, issued_ms: number, valid_ms: number, available_ms: number) => ({
  forecaster,
  iata: 'JFK',
  issued_at: isoUtc(issued_ms),
  valid_at: isoUtc(valid_ms),
  p10: p50 - 3,
  p50,
  p90: p50 + 3,
  available_at: isoUtc(available_ms),
})

/** Five days of hours of 15 minutes; our model said 20 for each, an hour before. */
async function observedDays(): Promise<Warehouse> {
  const warehouse = await newWarehouse()
  const hours = Array.from({ length: DAYS * 24 }, (_, k) => START + k * HOUR_MS)
  await warehouse.land(
    rollups,
    hours.map((hour) => rollup(hour, OBSERVED)),
  )
  await warehouse.land(
    forecasts,
    hours.map((hour) => ownHour(hour - HOUR_MS, hour)),
  )
  return warehouse
}

const pastOf = (forecaster: string, p50: number, hours: number, delay_ms = 0) =>
  Array.from({ length: hours }, (_, k) => {
    const valid_ms = START + k * HOUR_MS
    return outsideHour(forecaster, p50, valid_ms - HOUR_MS, valid_ms, valid_ms - HOUR_MS + delay_ms)
  })

const nextHours = Array.from({ length: 24 }, (_, k) => ownHour(NOW, NOW + k * HOUR_MS))
const issuedNow = (forecaster: string, hours = 12) =>
  Array.from({ length: hours }, (_, k) => outsideHour(forecaster, 14, NOW - HOUR_MS, NOW + k * HOUR_MS, NOW - 60_000))

test('a forecaster that is clearly better serves the hours that it has, and its record says so', async () => {
  const warehouse = await observedDays()
  await warehouse.land(outsideForecasts, [...pastOf('seasonal', 16, 100), ...issuedNow('seasonal')])
  expect(await contests(warehouse, NOW)).toEqual([
    {
      forecaster: 'seasonal',
      iata: 'JFK',
      samples: 100,
      hours: 100,
      error_minutes: 100,
      model_error_minutes: 500,
      within_5: 100,
      serves: true,
    },
  ])
  const served = await withOutside(warehouse, nextHours, NOW)
  expect(served[0]).toMatchObject({ p10: 11, p50: 14, p90: 17, p_within_5: 1, model_p50: 20 })
  expect(served[0]!.model).toBe('outside:seasonal/JFK@2026-11-19T23:00:00Z')
  expect(served.slice(12)).toEqual(nextHours.slice(12))
  await warehouse.land(forecasts, served)
  // What serves is compared with the model all the same.
  expect((await contests(warehouse, NOW))[0]).toMatchObject({ serves: true, model_error_minutes: 500 })
  expect((await readAccuracy(warehouse, NOW)).outside).toEqual([
    {
      forecaster: 'seasonal',
      iata: 'JFK',
      hours: 100,
      mae_minutes: 1,
      model_mae_minutes: 5,
      serves: true,
      open_forecasts: 11,
    },
  ])
})

test('a forecaster is on the record from its first import on, before any of its hours is observed', async () => {
  const warehouse = await observedDays()
  await warehouse.land(outsideForecasts, issuedNow('new'))
  expect((await readAccuracy(warehouse, NOW)).outside).toEqual([
    {
      forecaster: 'new',
      iata: 'JFK',
      hours: 0,
      mae_minutes: null,
      model_mae_minutes: null,
      serves: false,
      open_forecasts: 11,
    },
  ])
})

test.each([
  ['has too few hours', pastOf('other', 16, 71)],
  ['is hardly better', pastOf('other', 19.9, 100)],
  ['was imported after the hours', pastOf('other', 15, 100, 2 * HOUR_MS)],
])('a forecaster that %s does not serve', async (_, past) => {
  const warehouse = await observedDays()
  await warehouse.land(outsideForecasts, [...past, ...issuedNow('other')])
  expect((await contests(warehouse, NOW)).some(({ serves }) => serves)).toBe(false)
  expect(await withOutside(warehouse, nextHours, NOW)).toEqual(nextHours)
})

test('of several the best serves, and none with an old issue', async () => {
  const warehouse = await observedDays()
  await warehouse.land(outsideForecasts, [
    ...pastOf('good', 17, 100),
    ...issuedNow('good'),
    ...pastOf('best', 15, 100),
    ...issuedNow('best'),
  ])
  const served = await withOutside(warehouse, nextHours, NOW)
  expect(served[0]!.model).toContain('outside:best/')
  expect(await withOutside(warehouse, nextHours, NOW + 2 * DAY_MS)).toEqual(nextHours)
})
