import { expect, test } from 'vitest'
import { DAY_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { gatherScreened } from '../../../../warehouse/publishing/gather/screened.ts'
import { dailyThroughput } from '../../../../warehouse/tables/daily-throughput.ts'
import { newWarehouse } from '../../new-warehouse.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

const row = (area: string, days_ago: number, passengers: number, known_ms = NOW - DAY_MS) => ({
  source: 'import',
  area,
  day: `${isoUtc(NOW - days_ago * DAY_MS).slice(0, 10)}T00:00:00Z`,
  passengers,
  available_at: isoUtc(known_ms),
  capture_id: 'c',
})

test('publishes the counts of whole countries that are known, of the last months', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(dailyThroughput, [
    row('US-ALL', 364, 2_100_000),
    row('US-ALL', 500, 1),
    row('US-ALL', 1, 2, NOW + DAY_MS),
    row('JFK', 364, 90_000),
  ])
  const { screened } = await gatherScreened.gather({ warehouse, now: NOW } as never, {})
  expect(screened).toEqual({ US: { '2025-11-22': 2_100_000 } })
})
