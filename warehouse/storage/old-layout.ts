import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'

/**
 * Checks that a data folder without a warehouse file holds no Parquet files from before the first release, which nothing reads.
 * @throws HoldshortError OLD_LAYOUT
 */
export async function requireNewLayout(dataDir: string): Promise<void> {
  const paths = dataPaths(dataDir)
  if (existsSync(paths.warehouse_file)) return
  const names = await readdir(join(paths.warehouse, 'readings'), { recursive: true }).catch(() => [])
  if (names.some((name) => name.endsWith('.parquet')))
    throw new HoldshortError(
      'OLD_LAYOUT',
      `${paths.warehouse} holds Parquet folders from before the first release, which this version does not read; move them away, or name a new data folder`,
    )
}
