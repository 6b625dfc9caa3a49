import { expect, test, vi } from 'vitest'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { landOutside } from '../../../training/outside/land-outside.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'

const NOW = Date.parse('2026-11-20T00:00:00Z')
const forecast = (airport: string, p50: number) => ({
  airport,
  issued_ms: NOW,
  valid_ms: NOW + 7_200_000,
  ahead: 2,
  p10: 3.5,
  p50,
  p90: 20,
})

test('forecasts with other quantiles than the stored ones are counted, and the stored ones stay', async () => {
  const warehouse = await newWarehouse()
  const first = [forecast('JFK', 8.1), forecast('LAX', 9)]
  expect(await landOutside(warehouse, 'seasonal', first, NOW)).toEqual({ new_rows: 2, differing_rows: 0 })
  expect(await landOutside(warehouse, 'seasonal', first, NOW)).toEqual({ new_rows: 0, differing_rows: 0 })
  const second = [forecast('JFK', 12), forecast('LAX', 9), forecast('BOI', 7)]
  expect(await landOutside(warehouse, 'seasonal', second, NOW)).toEqual({ new_rows: 1, differing_rows: 1 })
  expect(await warehouse.query('SELECT iata, p50 FROM outside_forecasts ORDER BY iata')).toEqual([
    { iata: 'BOI', p50: 7 },
    { iata: 'JFK', p50: 8.1 },
    { iata: 'LAX', p50: 9 },
  ])
  expect(await landOutside(warehouse, 'seasonal', [], NOW)).toEqual({ new_rows: 0, differing_rows: 0 })
})

test('a large file lands and is compared in parts, so that its rows are never in memory at once', async () => {
  const warehouse = await newWarehouse()
  const hours = Array.from({ length: 24_000 }, (_, hour) => ({
    ...forecast('JFK', 9),
    valid_ms: NOW + hour * HOUR_MS,
  }))
  const land = vi.spyOn(warehouse, 'land')
  expect(await landOutside(warehouse, 'seasonal', hours, NOW)).toEqual({ new_rows: 24_000, differing_rows: 0 })
  expect(land.mock.calls.map(([, rows]) => rows.length)).toEqual([20_000, 4_000])
  const changed = hours.map((row, hour) => (hour === 0 || hour === 23_999 ? { ...row, p90: 21 } : row))
  expect(await landOutside(warehouse, 'seasonal', changed, NOW)).toEqual({ new_rows: 0, differing_rows: 2 })
})
