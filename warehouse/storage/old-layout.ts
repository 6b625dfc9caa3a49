import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { allTables } from '../tables/index.ts'

/** Whether a data folder has Parquet files of a table, as earlier versions kept them. */
export async function hasOldLayout(dataDir: string, table: string): Promise<boolean> {
  const names = await readdir(join(dataPaths(dataDir).warehouse, table), { recursive: true }).catch(() => [])
  return names.some((name) => name.endsWith('.parquet'))
}

/**
 * Checks that a data folder without a warehouse file holds no Parquet files of an earlier version, which nothing would read.
 * @throws HoldshortError OLD_LAYOUT
 */
export async function requireNewLayout(dataDir: string): Promise<void> {
  const paths = dataPaths(dataDir)
  if (existsSync(paths.warehouse_file)) return
  for (const { name } of allTables)
    if (await hasOldLayout(dataDir, name))
      throw new HoldshortError(
        'OLD_LAYOUT',
        `${paths.warehouse} holds the Parquet folders of an earlier version; run \`holdshort carry-over\`, which takes them into the warehouse and leaves them as they are`,
      )
}
