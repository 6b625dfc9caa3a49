import { expect, test } from 'vitest'
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
