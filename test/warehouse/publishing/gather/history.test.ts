import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { gatherSnapshot } from '../../../../warehouse/publishing/publish.ts'
import { rollUp } from '../../../../warehouse/storage/rollup.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { newWarehouse } from '../../new-warehouse.ts'
import { landedAt, reading } from '../../test-rows.ts'

const NOW = Date.parse('2026-11-20T10:30:00Z')

const readingAt = (observed_ms: number, iata: string, source: string, wait_minutes: number) => {
  const instant = isoUtc(observed_ms)
  const observed = { ...landedAt(instant) }
  return reading({ ...observed, iata, source, terminal: 'A', wait_minutes, capture_id: `${source} ${instant}` })
}

const gathered = async (warehouse: Warehouse, now = NOW) => {
  const { content } = await gatherSnapshot(warehouse, { now, simulated: false })
  return { history: content.history, opening_hours: content.opening_hours }
}

test('days that were read for an earlier snapshot, and those that have changed since, are those that a fresh process reads', async () => {
  const folder = await temporaryFolder()
  const kept = await newWarehouse(folder)
  const land = async (rows: ReturnType<typeof reading>[]) => {
    await kept.land(readings, rows)
    await rollUp(kept)
  }
  const days = Array.from({ length: 92 }, (_, day) => NOW - day * DAY_MS)
  await land(days.map((instant, day) => readingAt(instant, day % 2 ? 'SEA' : 'BOS', 'sea-cwt', day % 30)))
  const first = await gathered(kept)
  expect(first.history.map(({ iata, terminal }) => `${iata} ${terminal}`)).toEqual(['BOS ', 'BOS A', 'SEA ', 'SEA A'])
  expect(first.history[0]!.hour[0]).toBeGreaterThanOrEqual((NOW - 90 * DAY_MS) / HOUR_MS)

  // Of today, of a day long ago, by another source, and of an airport that had none.
  await land([
    readingAt(NOW - HOUR_MS, 'BOS', 'zensors-bos', 12),
    readingAt(NOW - 40 * DAY_MS - HOUR_MS, 'BOS', 'zensors-bos', 13),
    readingAt(NOW - HOUR_MS, 'ATL', 'delta-newshub', 4),
  ])
  const later = { same: await gathered(kept), nextDay: await gathered(kept, NOW + DAY_MS) }
  await kept.close()
  const fresh = await openWarehouse(folder)
  expect(later.same).toEqual(await gathered(fresh))
  expect(later.nextDay).toEqual(await gathered(fresh, NOW + DAY_MS))
  await fresh.close()
})
