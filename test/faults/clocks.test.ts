import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { collectAt, copyOf, makeInstallation, NOW, refreshAt, rowCounts, upkeepAt } from './installation.ts'

let installation = ''
beforeAll(async () => {
  installation = await makeInstallation()
}, 120_000)
afterAll(() => rm(installation, { recursive: true, force: true }))

/** How far the clock is set to, and for how long the pipeline then works. */
test.each([
  ['three years ahead', 3 * 365 * DAY_MS],
  ['a day ahead', DAY_MS],
  ['an hour ahead', HOUR_MS],
  ['a day back', -DAY_MS],
  ['three years back', -3 * 365 * DAY_MS],
])(
  'a clock that was set %s and is right again has deleted nothing and shows nothing of the future',
  async (_, step) => {
    const folder = await copyOf(installation)
    const before = await rowCounts(folder)
    await collectAt(folder, [NOW + step, NOW + step + 60_000])
    const wrong = await openWarehouse(folder)
    await upkeepAt(wrong, NOW + step + 61_000)
    await wrong.close()
    // The clock is right again.
    await collectAt(folder, [NOW + 300_000])
    const right = await openWarehouse(folder)
    await upkeepAt(right, NOW + 301_000)
    await refreshAt(right, NOW + 360_000)
    await right.close()
    const after = await rowCounts(folder)
    for (const table of ['readings', 'delays', 'metars', 'tafs'])
      expect(after.get(table), table).toBeGreaterThanOrEqual(before.get(table) ?? 0)
    const snapshot = await loadSnapshot(dataPaths(folder).snapshots)
    expect(snapshot?.generated_ms).toBe(NOW + 360_000)
    const times = JSON.stringify(snapshot?.queue('JFK', 'security')).match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g) ?? []
    const ages = times.map((time) => NOW - Date.parse(time))
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(-400_000)
    expect(Math.min(...ages)).toBeLessThan(HOUR_MS)
  },
  120_000,
)
