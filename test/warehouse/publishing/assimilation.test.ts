import { afterAll, beforeAll, expect, test } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { publish } from '../../../warehouse/publishing/publish.ts'
import { loadSnapshot } from '../../../warehouse/publishing/snapshot/load.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import type { AdjustmentRow } from '../../../warehouse/tables/adjustments.ts'
import { type Forecast, forecasts } from '../../../warehouse/tables/forecasts.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { makeFolder } from '../../kept-folder.ts'
import { openOrCopy } from '../empty-warehouse.ts'
import { forecast, landedAt, reading } from '../test-rows.ts'

const NOW = Date.parse('2026-11-22T10:03:00Z')
const HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS
const MODEL = 'model:JFK@2026-11-22T04Z'

function vintage(terminal: string, issued_ms: number, p50: number): Forecast[] {
  return Array.from({ length: 168 }, (_, k) =>
    forecast(issued_ms, Math.floor(issued_ms / HOUR_MS) * HOUR_MS + k * HOUR_MS, p50, { terminal, model: MODEL }),
  )
}

const ago = (minutes: number) => isoUtc(NOW - minutes * 60_000)
const readingOf = (iata: string, minutesAgo: number, wait_minutes: number | null, over = {}) =>
  reading({
    iata,
    source: 'import-x',
    ...landedAt(ago(minutesAgo)),
    wait_minutes,
    ...over,
  })

const kept = makeFolder()
let warehouse: Warehouse
let snapshot: Snapshot
beforeAll(async () => {
  const folder = await kept.make()
  warehouse = await openOrCopy(folder)
  await warehouse.land(forecasts, [
    ...vintage('', HOUR - HOUR_MS, 12),
    ...vintage('', HOUR + 60_000, 20),
    ...vintage('Terminal 4', HOUR + 60_000, 20),
    // Issued while the clock was ahead by a day.
    ...vintage('', HOUR + 24 * HOUR_MS, 99),
  ])
  await warehouse.land(readings, [
    readingOf('IBZ', 1, 31, { terminal: '' }),
    readingOf('PMI', 70, 0, { terminal: '' }),
    readingOf('AGP', 1, 40, { terminal: '', source: 'crowd' }),
    readingOf('BCN', 1, null, { terminal: '', status: 'closed' }),
    readingOf('MAD', 400, 60, { terminal: '' }),
    // In the hour before the current one, for which the earlier vintage has the forecast.
    readingOf('JFK', 5, 40, { terminal: 'T4' }),
  ])
  await publish(warehouse, { now: NOW, simulated: false })
  snapshot = (await loadSnapshot(`${folder}/snapshots`))!
})
afterAll(async () => {
  await warehouse.close()
  await kept.remove()
})

const hourOf = (iata: string, ahead: number, terminal = '') => {
  const series = snapshot.forecast(iata, terminal)!
  const valueIn = (column: Int16Array) => column[(HOUR - series.start_ms) / HOUR_MS + ahead]! / 10
  return { p10: valueIn(series.p10), p50: valueIn(series.p50), p90: valueIn(series.p90) }
}

test('the next hour of an airport without a model follows its measurement, inside the interval', () => {
  const next = hourOf('IBZ', 1)
  expect(next.p10).toBeLessThanOrEqual(31)
  expect(next.p90).toBeGreaterThanOrEqual(31)
  expect(snapshot.forecast('IBZ')!.adjusted_to).toMatchObject({
    wait_minutes: 31,
    basis: 'measured',
    source: 'import-x',
  })
  expect(hourOf('PMI', 1).p10).toBeLessThan(0.5)
})

test('a closed queue, an expired wait and an airport without readings keep the forecast as issued', () => {
  for (const iata of ['BCN', 'MAD', 'SVQ']) expect(snapshot.forecast(iata)!.adjusted_to, iata).toBeNull()
  // BCN and SVQ are of one size and time zone.
  const sizes = ['BCN', 'SVQ'].map((iata) => airportDirectory().byIata.get(iata)!.size)
  if (sizes[0] === sizes[1]) expect(hourOf('BCN', 1)).toEqual(hourOf('SVQ', 1))
})

test('travellers’ reports widen the interval and move the median half as far', () => {
  const next = hourOf('AGP', 1)
  const measured = hourOf('IBZ', 1)
  expect(next.p50).toBeLessThan(measured.p50 + 9)
  expect(next.p10).toBeLessThan(measured.p10)
  expect(snapshot.forecast('AGP')!.adjusted_to!.basis).toBe('reported')
})

test('a wait of the hour before is compared with the forecast of that hour, and terminals match by their name', () => {
  expect(snapshot.forecast('JFK')!.adjusted_to).toMatchObject({ wait_minutes: 40, expected_minutes: 12 })
  expect(snapshot.forecast('JFK', 'Terminal 4')!.adjusted_to).toMatchObject({ wait_minutes: 40, expected_minutes: 20 })
  expect(hourOf('JFK', 1).p50).toBeGreaterThan(hourOf('JFK', 1, 'Terminal 4').p50)
})

test('each adjusted series is recorded', async () => {
  const recorded = await warehouse.query<AdjustmentRow>(
    'SELECT * EXCLUDE (date) FROM adjustments ORDER BY iata, terminal',
  )
  expect(recorded.map(({ iata, terminal }) => `${iata}/${terminal}`)).toEqual([
    'AGP/',
    'IBZ/',
    'JFK/',
    'JFK/Terminal 4',
    'PMI/',
  ])
})
