import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { DAY_MS, utcDayOf } from '../../../config/vocabulary.ts'
import { keepHouse } from '../../../warehouse/storage/housekeeping.ts'
import { applyRetention } from '../../../warehouse/storage/retention.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

test('the copy takes the place of an empty folder, and refuses to take that of a folder with files', async () => {
  const folder = await temporaryFolder()
  const { warehouse_copy } = dataPaths(folder)
  const warehouse = await newWarehouse(folder)
  mkdirSync(warehouse_copy)
  expect(await keepHouse(warehouse, Date.now())).toEqual({ copied: true, kept_copy: null })
  expect((await stat(warehouse_copy)).isFile()).toBe(true)
  // A copy that is fresh is not made again.
  expect(await keepHouse(warehouse, Date.now())).toEqual({ copied: false, kept_copy: null })
  const other = await temporaryFolder()
  const place = dataPaths(other).warehouse_copy
  const second = await newWarehouse(other)
  mkdirSync(place)
  writeFileSync(join(place, 'mine.txt'), 'mine')
  await expect(keepHouse(second, Date.now())).rejects.toMatchObject({
    code: 'DATA_FOLDER_UNUSABLE',
    message: expect.stringContaining(place),
  })
  expect(existsSync(join(place, 'mine.txt'))).toBe(true)
})

test('days that retention deleted are missing with a reason, also where older ones were imported since', async () => {
  const data_dir = await temporaryFolder()
  const warehouse = await newWarehouse(data_dir)
  const now = Date.now()
  const landDaysAgo = (days: readonly number[]) =>
    warehouse.land(
      readings,
      days.map((age) => reading({ observed_at: `${utcDayOf(now - age * DAY_MS)}T10:00:00Z` })),
    )
  await landDaysAgo([9, 7, 5, 3, 2, 1])
  await keepHouse(warehouse, now)
  const settings = { ...readSettings({}), data_dir, readings_days: 6 }
  await applyRetention(warehouse, settings, now)
  // A later deletion of fewer days does not hide the earlier one.
  await landDaysAgo([40])
  await applyRetention(warehouse, { ...settings, readings_days: 20 }, now)
  await landDaysAgo([30])
  expect(await keepHouse(warehouse, now + DAY_MS)).toEqual({ copied: true, kept_copy: null })
  // Rows that were lost otherwise are still missed.
  await warehouse.write(({ connection }) =>
    connection.run(`DELETE FROM readings WHERE date = DATE '${utcDayOf(now - DAY_MS)}'`),
  )
  const { kept_copy } = await keepHouse(warehouse, now + 2 * DAY_MS)
  expect(kept_copy?.tables).toEqual([{ name: 'readings', rows: 1, from: utcDayOf(now - DAY_MS) }])
})
