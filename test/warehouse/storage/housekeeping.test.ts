import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import { keepHouse } from '../../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('the copy takes the place of an empty folder, and refuses to take that of a folder with files', async () => {
  const folder = await temporaryFolder()
  const { warehouse_copy } = dataPaths(folder)
  const warehouse = await openWarehouse(folder)
  try {
    mkdirSync(warehouse_copy)
    expect(await keepHouse(warehouse, Date.now())).toEqual({ copied: true, kept_copy: null })
    expect((await stat(warehouse_copy)).isFile()).toBe(true)
    // A copy that is fresh is not made again.
    expect(await keepHouse(warehouse, Date.now())).toEqual({ copied: false, kept_copy: null })
  } finally {
    await warehouse.close()
  }
  const other = await temporaryFolder()
  const place = dataPaths(other).warehouse_copy
  const second = await openWarehouse(other)
  try {
    mkdirSync(place)
    writeFileSync(join(place, 'mine.txt'), 'mine')
    await expect(keepHouse(second, Date.now())).rejects.toMatchObject({
      code: 'DATA_FOLDER_UNUSABLE',
      message: expect.stringContaining(place),
    })
    expect(existsSync(join(place, 'mine.txt'))).toBe(true)
  } finally {
    await second.close()
  }
})
