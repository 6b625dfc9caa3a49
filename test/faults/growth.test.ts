import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { keepHouse } from '../../warehouse/storage/housekeeping.ts'
import { applyRetention } from '../../warehouse/storage/retention.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { landedAt, reading } from '../warehouse/test-rows.ts'
import { ROUNDS } from './harms.ts'
import { settingsOf } from './installation.ts'

const DAYS = 16 * ROUNDS
const QUEUES = 100
const LANDINGS_AN_HOUR = 2
const FIRST_DAY = Date.parse('2026-01-01T00:00:00Z')
const KEPT_DAYS = 7
/** From then on as much is deleted in a day as comes. */
const STEADY_FROM_DAY = KEPT_DAYS + 3
/** The file may be so many times as large as it was then. */
const MAX_GROWTH = 1.6

test(
  'the file of the warehouse stops growing once retention deletes',
  async () => {
    const folder = await temporaryFolder()
    const settings = Object.assign(settingsOf(folder), {
      readings_days: KEPT_DAYS,
      rollups_days: KEPT_DAYS,
      forecasts_days: KEPT_DAYS,
    })
    const sizes: number[] = []
    const warehouse = await openWarehouse(folder)
    for (let day = 0; day < DAYS; day += 1) {
      for (let hour = 0; hour < 24; hour += 1) {
        const start = FIRST_DAY + day * DAY_MS + hour * HOUR_MS
        for (let landing = 0; landing < LANDINGS_AN_HOUR; landing += 1) {
          const instant = isoUtc(start + (landing * HOUR_MS) / LANDINGS_AN_HOUR)
          const times = {
            ...landedAt(instant),
            capture_id: `growth-${instant}`,
          }
          const rows = Array.from({ length: QUEUES }, (_, queue) =>
            reading({ ...times, checkpoint: `C${queue}`, wait_minutes: (queue * 13 + hour * 7 + landing) % 50 }),
          )
          await warehouse.land(readings, rows)
        }
        if (hour % 3 === 2) await rollUp(warehouse, { now: start + HOUR_MS })
        if (hour % 4 === 3) await applyRetention(warehouse, settings, start + HOUR_MS)
        // The copy of the night is compared with the clock of this machine; here it is made at midnight.
        if (hour === 23) await keepHouse(warehouse, Date.now() + (day + 1) * DAY_MS * 2)
      }
      sizes.push((await stat(dataPaths(folder).warehouse_file)).size)
    }
    const [count] = await warehouse.query<{ n: number }>('SELECT count(*) AS n FROM readings')
    await warehouse.close()
    expect(count!.n).toBeGreaterThanOrEqual(QUEUES * LANDINGS_AN_HOUR * 24 * (KEPT_DAYS + 1) * 0.8)
    expect(count!.n).toBeLessThanOrEqual(QUEUES * LANDINGS_AN_HOUR * 24 * (KEPT_DAYS + 2))
    expect(Math.max(...sizes), sizes.join(' ')).toBeLessThanOrEqual(sizes[STEADY_FROM_DAY]! * MAX_GROWTH)
  },
  600_000 * ROUNDS,
)
