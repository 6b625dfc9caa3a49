import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'

let empty: Buffer | null = null

/** The bytes of a warehouse without rows: the tables take a tenth of a second of processor time to make. */
async function emptyWarehouse(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdshort-test-'))
  const warehouse = await openWarehouse(folder)
  await warehouse.query('SELECT 1')
  await warehouse.close()
  const bytes = readFileSync(dataPaths(folder).warehouse_file)
  rmSync(folder, { recursive: true })
  return bytes
}

/** Opens the warehouse of a folder, which is a new one if there is none. */
export async function openOrCopy(dataDir: string): Promise<Warehouse> {
  const paths = dataPaths(dataDir)
  if (!existsSync(paths.warehouse)) {
    empty ??= await emptyWarehouse()
    mkdirSync(paths.warehouse, { recursive: true })
    writeFileSync(paths.warehouse_file, empty)
  }
  return openWarehouse(dataDir)
}
