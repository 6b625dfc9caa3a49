import { rename, rm, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { DuckDBConnection } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { asCatalogError, asUnreadable, CATALOG, openCatalog } from './catalog.ts'
import { trimChanges } from './changes.ts'
import { draftPath } from './draft-names.ts'
import { readRows } from './duckdb.ts'
import { filePlace } from './file-place.ts'
import { keepOwner } from './files.ts'
import { type KeptCopy, keepCopy, type Loss, unexplainedLoss } from './kept-copies.ts'
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

/** SQL of the sums of some tables of an attached file. */
export const sumsSelect = (catalog: string, names: readonly string[] = TABLE_NAMES): string =>
  names
    .map(
      (name) =>
        `SELECT ${quoteText(name)} AS name, count(*) AS rows, coalesce(bit_xor(hash(t)), 0)::VARCHAR AS sum FROM ${catalog}.${quoteName(name)} t`,
    )
    .join(' UNION ALL ')

/**
 * Reads every row of the warehouse file of a data folder and counts those of each table. It makes no file.
 * @throws HoldshortError WAREHOUSE_CORRUPT; WAREHOUSE_LOCKED when another process holds it for longer than `waitMs`
 */
export async function readInFull(dataDir: string, waitMs: number): Promise<TableSum[]> {
  const catalog = openCatalog(filePlace(dataDir), tmpdir(), { waitMs })
  try {
    return await catalog.read((connection) => readSums(connection, CATALOG))
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    await catalog.close()
  }
}

const readSums = (connection: DuckDBConnection, catalog: string) => readRows<TableSum>(connection, sumsSelect(catalog))

export const rowsIn = (tables: readonly TableSum[]) => tables.reduce((sum, { rows }) => sum + rows, 0)

/**
 * Copies the warehouse, reads the copy in full, compares it with the original and puts it in the place of the last copy. Besides being
 * the backup it finds a file that cannot be read while the last copy is still good. `beforeReplaced` gets the new copy before that.
 * @throws HoldshortError WAREHOUSE_CORRUPT; the last copy stays.
 */
export async function copyWarehouse(
  warehouse: Warehouse,
  path: string,
  beforeReplaced: (draft: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const draft = draftPath(path)
  const removeDraft = () => Promise.all([draft, `${draft}.wal`].map((file) => rm(file, { force: true })))
  await removeDraft()
  try {
    const original = await warehouse.copyTo(draft, (connection) => readSums(connection, CATALOG))
    const copied = await warehouse.readCopy(draft, readSums)
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
    await beforeReplaced(draft)
    await rename(draft, path)
  } finally {
    await removeDraft()
  }
}

/** The rows of an earlier copy that a new one lacks without a reason; null without such rows or a readable copy. */
export async function lossSince(warehouse: Warehouse, last: string, draft: string): Promise<Loss | null> {
  if (!(await stat(last).catch(() => null))?.isFile()) return null
  return warehouse.readCopy(draft, async (connection, later) => {
    try {
      await connection.run(`ATTACH ${quoteText(last)} AS ${LAST_COPY} (TYPE duckdb, READ_ONLY)`)
      return await unexplainedLoss(connection, LAST_COPY, later)
    } catch (error) {
      const named = asCatalogError(error)
      if (named instanceof HoldshortError && named.code === 'DATA_FOLDER_UNUSABLE') throw named
      // A copy that cannot be read restores nothing.
      if (named instanceof HoldshortError || isDamage(error)) return null
      if (/^(Binder|Catalog) Error/.test((error as Error).message))
        return { reason: 'its tables are not those of a warehouse', tables: [] }
      throw error
    } finally {
      await connection.run(`DETACH DATABASE IF EXISTS ${LAST_COPY}`)
    }
  })
}

const isDamage = (error: unknown) => /^(INTERNAL|Serialization|FATAL) Error/.test((error as Error).message)
const LAST_COPY = 'last_copy'

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

/**
 * Keeps the file of the warehouse small and its copy fresh; returns whether a copy was made. A copy that has rows which the new one lacks
 * without a reason stays under another name.
 */
export async function keepHouse(
  warehouse: Warehouse,
  now: number,
): Promise<{ copied: boolean; kept_copy: KeptCopy | null }> {
  await warehouse.write(({ connection }) => trimChanges(connection))
  await warehouse.checkpoint()
  // DuckLake is backed up with its database and its bucket.
  if ((await usedBytes(warehouse)) === null) return { copied: false, kept_copy: null }
  const { warehouse_copy } = dataPaths(warehouse.data_dir)
  if (!(await isCopyDue(warehouse_copy, now))) return { copied: false, kept_copy: null }
  let kept_copy: KeptCopy | null = null
  await copyWarehouse(warehouse, warehouse_copy, async (draft) => {
    const loss = await lossSince(warehouse, warehouse_copy, draft)
    if (loss !== null) kept_copy = await keepCopy(warehouse_copy, loss)
  })
  return { copied: true, kept_copy }
}
