import { rename, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { CATALOG, damaged, openCatalog } from './catalog.ts'
import { trimChanges } from './changes.ts'
import { readRows } from './duckdb.ts'
import { filePlace } from './file-place.ts'
import { keepOwner } from './files.ts'
import { TABLE_NAMES } from './schema.ts'
import { quoteName, quoteText } from './sql.ts'
import type { Warehouse } from './warehouse.ts'

/** Bytes of the file that hold something; what was deleted is used again and does not count. Null for DuckLake. */
export async function usedBytes(warehouse: Warehouse): Promise<number | null> {
  const [size] = await warehouse.query<{ used: number }>(
    `SELECT used_blocks * nullif(block_size, 0) AS used FROM pragma_database_size() WHERE database_name = '${CATALOG}'`,
  )
  return size?.used ?? null
}

/** A table as the engine read it from the first row to the last. */
export interface TableSum {
  name: string
  rows: number
  /** Changes with every value of every row, whatever their order. */
  sum: string
}

const sumsSelect = (catalog: string) =>
  TABLE_NAMES.map(
    (name) =>
      `SELECT ${quoteText(name)} AS name, count(*) AS rows, coalesce(bit_xor(hash(t)), 0)::VARCHAR AS sum FROM ${catalog}.${quoteName(name)} t`,
  ).join(' UNION ALL ')

/**
 * Reads every row of the warehouse file of a data folder and tells of each table how many there are. It makes no file.
 * @throws HoldshortError WAREHOUSE_CORRUPT; WAREHOUSE_LOCKED when another process holds it for longer than `waitMs`
 */
export async function readInFull(dataDir: string, waitMs: number): Promise<TableSum[]> {
  const { warehouse_file, warehouse_copy } = dataPaths(dataDir)
  const catalog = openCatalog(filePlace(warehouse_file, warehouse_copy), tmpdir(), { waitMs })
  try {
    return await catalog.read((connection) => readRows<TableSum>(connection, sumsSelect(CATALOG)))
  } catch (error) {
    const { message } = error as Error
    // The system may have no file or memory to give; all else that the engine says of rows that it cannot read is damage.
    if (error instanceof HoldshortError || /^(IO|Out of Memory) Error/.test(message)) throw error
    throw damaged(message.split('\n')[0] ?? '', error)
  } finally {
    await catalog.close()
  }
}

export const rowsIn = (tables: readonly TableSum[]) => tables.reduce((sum, { rows }) => sum + rows, 0)

/**
 * Copies the warehouse, reads the copy in full, compares it with the original and puts it in the place of the last copy. Besides being
 * the backup it finds a file that cannot be read while the last copy is still good.
 * @throws HoldshortError WAREHOUSE_CORRUPT; the last copy stays.
 */
export async function copyWarehouse(warehouse: Warehouse, path: string): Promise<TableSum[]> {
  const draft = `${path}.${process.pid}.tmp`
  const removeDraft = () => Promise.all([draft, `${draft}.wal`].map((file) => rm(file, { force: true })))
  await removeDraft()
  try {
    const original = await warehouse.copyTo(draft, async (connection) =>
      readRows<TableSum>(connection, sumsSelect(CATALOG)),
    )
    const copied = await warehouse.readCopy(draft, async (connection, catalog) =>
      readRows<TableSum>(connection, sumsSelect(catalog)),
    )
    const different = original.find(
      ({ rows, sum }, index) => rows !== copied[index]?.rows || sum !== copied[index]?.sum,
    )
    if (different)
      throw new HoldshortError(
        'WAREHOUSE_CORRUPT',
        `the copy of the warehouse differs from it in the table ${different.name}`,
      )
    keepOwner(draft)
    await removeEmptyFolder(path)
    await rename(draft, path)
    return copied
  } finally {
    await removeDraft()
  }
}

/**
 * Clears the place of a file of an empty folder, which nobody misses.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE when it holds something.
 */
async function removeEmptyFolder(path: string): Promise<void> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return
  await rmdir(path).catch((cause) => {
    const message = `${path} is a folder that holds files; move it away: the copy of the warehouse belongs there`
    throw new HoldshortError('DATA_FOLDER_UNUSABLE', message, { cause })
  })
}

/** A copy is made when the last one is older. */
const COPY_AGE_MS = DAY_MS - 2 * HOUR_MS

async function isCopyDue(path: string, now: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return true
  const { mtimeMs } = found
  // A copy from the future was made by a clock that was ahead.
  return now - mtimeMs > COPY_AGE_MS || mtimeMs > now + HOUR_MS
}

/** Keeps the file of the warehouse small and its copy fresh; returns whether a copy was made. */
export async function keepHouse(warehouse: Warehouse, now: number): Promise<{ copied: boolean }> {
  await warehouse.write(({ connection }) => trimChanges(connection))
  await warehouse.maintain('CHECKPOINT')
  // DuckLake is backed up with its database and its bucket.
  if ((await usedBytes(warehouse)) === null) return { copied: false }
  const { warehouse_copy } = dataPaths(warehouse.data_dir)
  if (!(await isCopyDue(warehouse_copy, now))) return { copied: false }
  await copyWarehouse(warehouse, warehouse_copy)
  return { copied: true }
}
