import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { keepHouse, usedBytes } from '../../warehouse/storage/housekeeping.ts'
import { applyRetention } from '../../warehouse/storage/retention.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import { settingsOf } from './installation.ts'
import type { Outcome } from './outcome.ts'

const QUEUES = 100
const FIRST_DAY = Date.parse('2026-01-01T00:00:00Z')
const READINGS_DAYS = 7
/** From then on as much is deleted in a day as comes. */
const STEADY_FROM_DAY = READINGS_DAYS + 3
/** The file may be so many times as large as it was when the first day was deleted. */
const MAX_GROWTH = 1.6

export interface DaySize {
  day: number
  file_mb: number
  used_mb: number
  rows: number
}

/** Simulates days of landings and rollups with an upkeep each hour: the file must stop growing once retention deletes. */
export async function growthFaults(
  days: number,
  landingsAnHour: number,
  onDay: (size: DaySize) => void,
): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'holdshort-growth-'))
  const settings = Object.assign(settingsOf(folder), {
    readings_days: READINGS_DAYS,
    rollups_days: READINGS_DAYS,
    forecasts_days: READINGS_DAYS,
  })
  const { warehouse_file } = dataPaths(folder)
  const problems: string[] = []
  const sizes: DaySize[] = []
  const started = performance.now()
  const warehouse = await openWarehouse(folder)
  try {
    for (let day = 0; day < days; day += 1) {
      for (let hour = 0; hour < 24; hour += 1) {
        const start = FIRST_DAY + day * DAY_MS + hour * HOUR_MS
        for (let landing = 0; landing < landingsAnHour; landing += 1) {
          const observed_at = isoUtc(start + (landing * HOUR_MS) / landingsAnHour)
          const rows = Array.from({ length: QUEUES }, (_, queue) =>
            reading({
              source: 'growth',
              observed_at,
              fetched_at: observed_at,
              available_at: observed_at,
              checkpoint: `C${queue}`,
              capture_id: `growth-${observed_at}`,
              wait_minutes: (queue * 13 + hour * 7 + landing) % 50,
            }),
          )
          await warehouse.land(readings, rows)
        }
        if (hour % 3 === 2) await rollUp(warehouse, { now: start + HOUR_MS })
        if (hour % 4 === 3) {
          await applyRetention(warehouse, settings, start + HOUR_MS)
          // The copy of the night is compared with the clock of this machine; here it is made at midnight.
          if (hour === 23) await keepHouse(warehouse, Date.now() + (day + 1) * DAY_MS * 2)
        }
      }
      const used = (await usedBytes(warehouse)) ?? 0
      const [count] = await warehouse.query<{ n: number }>('SELECT count(*) AS n FROM readings')
      const size = { day, file_mb: (await stat(warehouse_file)).size / 1e6, used_mb: used / 1e6, rows: count?.n ?? 0 }
      sizes.push(size)
      onDay(size)
    }
    const kept = QUEUES * landingsAnHour * 24 * Math.min(days, READINGS_DAYS + 1)
    if (sizes.at(-1)!.rows < kept * 0.8)
      problems.push(`only ${sizes.at(-1)!.rows} readings are left, ${kept} were expected`)
    const steady = sizes[STEADY_FROM_DAY]
    const most = Math.max(...sizes.map(({ file_mb }) => file_mb))
    if (steady && most > steady.file_mb * MAX_GROWTH)
      problems.push(`the file grew from ${steady.file_mb} MB on day ${STEADY_FROM_DAY} to ${most} MB`)
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await warehouse.close().catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
  const curve = sizes.map(({ file_mb }) => file_mb.toFixed(1)).join(' ')
  return [
    { kind: 'days of growth', what: `MB by day: ${curve}`, lost: 0, problems, healthyMs: performance.now() - started },
  ]
}
