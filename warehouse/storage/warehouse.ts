import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Row, Table } from '../tables/define.ts'
import { CATALOG, type CatalogHolder, type CatalogOptions, type CatalogPlace, openCatalog } from './catalog.ts'
import { ChangeLog, changeVersion, type DayChange, dayChanges } from './changes.ts'
import { type QueryValues, type ResultColumns, readColumns, readRows, withTransaction } from './duckdb.ts'
import { filePlace, STORAGE_VERSION } from './file-place.ts'
import { asDiskFull, makeFolder } from './files.ts'
import { shareDataFolder } from './folder-use.ts'
import { quoteText } from './sql.ts'
import { type FileColumn, writeParquet } from './table-file.ts'
import { landRows, landSelect, type WriteContext } from './write.ts'

/**
 * The open warehouse: the tables of one attached catalog, which statements find by their names. Many readers; one writer at a time.
 * No request of the api uses it.
 */
export interface Warehouse extends AsyncDisposable {
  readonly data_dir: string
  /** Rows as plain objects: instants as ISO strings with Z, lists as arrays. For small results. */
  query: <R extends object = Record<string, unknown>>(sql: string, values?: QueryValues) => Promise<R[]>
  /** Whole columns: numbers as Float64Array (NULL = NaN), instants as Float64Array of epoch milliseconds, texts as string arrays. */
  columns: (sql: string, values?: QueryValues) => Promise<ResultColumns>
  /**
   * The result of `read` on the rows of some tables, cached under its name until they or the key change. The key must hold
   * everything else that it depends on. With `before` only changes of days before it (YYYY-MM-DD) count.
   */
  remembered: <T>(
    name: string,
    tables: readonly Table[],
    key: string | number,
    read: () => Promise<T>,
    before?: string,
  ) => Promise<T>
  /** The newest that is known of each day of a table, the oldest day first. */
  dayChanges: (table: Table) => Promise<DayChange[]>
  /** Writes columns, some rows at a time, to a Parquet file of somebody's choice; returns how many rows. */
  writeParquet: (parts: Iterable<readonly FileColumn[]>, path: string) => Promise<number>
  /** Writes the rows of a SELECT to a Parquet file, so that nobody waits for what is made of them. */
  spool: (sql: string, path: string) => Promise<void>
  /** Lands rows whose key is new; returns how many were. One transaction; landing twice is landing once. */
  land: <T extends Table>(table: T, rows: Row<T>[]) => Promise<number>
  /** Lands the rows of a SELECT, whose columns are named as the table's. */
  landSelect: (table: Table, select: string) => Promise<number>
  /** Runs work as one transaction of the only writer. */
  write: <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>
  /** Writes what the log holds into the file; in a bucket, merges files and deletes what no version names any more. */
  checkpoint: () => Promise<void>
  /** Copies all tables into a new file of the engine, and runs work on the original before anything else changes it. */
  copyTo: <T>(path: string, work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>
  /** Opens a file that `copyTo` made, under the name that the work gets. */
  readCopy: <T>(path: string, work: (connection: DuckDBConnection, catalog: string) => Promise<T>) => Promise<T>
  /** The holder that has kept work of this process waiting for some seconds; null while nothing waits. */
  waitsFor: () => CatalogHolder | null
  /** Waits for the reads and writes under way, begins no other, and ends. */
  close: () => Promise<void>
}

/** The name of a copy while it is made or read. */
const COPY = 'copied'

export interface WarehouseOptions extends CatalogOptions {
  /** The place of the tables. @default a file in the data folder */
  place?: CatalogPlace
}

/** Opens the warehouse of a data folder. Nothing is held while there is no work. */
export async function openWarehouse(dataDir: string, options: WarehouseOptions = {}): Promise<Warehouse> {
  const use = await shareDataFolder(dataDir)
  try {
    await makeFolder(dataDir, 'warehouse')
  } catch (error) {
    await use.release()
    throw error
  }
  const makeScratch = () => makeFolder(dataDir, 'scratch', String(process.pid))
  const scratchDir = await makeScratch()
  const catalog = openCatalog(options.place ?? filePlace(dataDir), scratchDir, options)
  const write = <T>(work: (context: WriteContext) => Promise<T>) =>
    catalog.write((connection) =>
      withTransaction(connection, async () => {
        // Somebody who needs space may have deleted it.
        await makeScratch()
        const changes = new ChangeLog(connection)
        const done = await work({ connection, scratchDir, changes })
        await changes.record()
        return done
      }),
    )
  const close = async () => {
    try {
      const isLast = await catalog.close()
      if (isLast) await rm(scratchDir, { recursive: true, force: true }).catch(() => undefined)
    } finally {
      await use.release()
    }
  }
  const memory = new Map<string, { version: string; value: Promise<unknown> }>()
  return {
    data_dir: dataDir,
    query: (sql, values) => catalog.read((connection) => readRows(connection, sql, values)),
    columns: (sql, values) => catalog.read((connection) => readColumns(connection, sql, values)),
    remembered: async <T>(
      name: string,
      tables: readonly Table[],
      key: string | number,
      work: () => Promise<T>,
      before?: string,
    ) => {
      const version = `${key}\n${before}\n${await catalog.read((connection) => changeVersion(connection, tables, before))}`
      const known = memory.get(name)
      if (known?.version === version) return known.value as Promise<T>
      const value = work()
      memory.set(name, { version, value })
      value.catch(() => memory.delete(name))
      return value
    },
    dayChanges: (table) => catalog.read((connection) => dayChanges(connection, table)),
    writeParquet: (parts, path) => catalog.without((connection) => writeParquet(connection, parts, path)),
    spool: (sql, path) =>
      catalog.read(async (connection) => {
        await connection.run(`COPY (${sql}) TO ${quoteText(path)} (FORMAT parquet, COMPRESSION zstd)`)
      }),
    land: async (table, rows) => (await write((context) => landRows(context, table, rows as Row<Table>[]))).rows,
    landSelect: async (table, select) => (await write((context) => landSelect(context, table, select))).rows,
    write,
    checkpoint: () => catalog.write(catalog.checkpoint),
    copyTo: (path, work) =>
      catalog.write(async (connection) => {
        await catalog.checkpoint(connection)
        // From here on, only the copy is written, which may lie on another disk.
        try {
          await connection.run(`ATTACH ${quoteText(path)} AS ${COPY} (STORAGE_VERSION '${STORAGE_VERSION}')`)
          try {
            await connection.run(`COPY FROM DATABASE ${CATALOG} TO ${COPY}`)
            return await work(connection)
          } finally {
            await connection.run(`DETACH ${COPY}`)
          }
        } catch (error) {
          throw asDiskFull(error, path)
        }
      }),
    readCopy: (path, work) =>
      catalog.without(async (connection) => {
        await connection.run(`ATTACH ${quoteText(path)} AS ${COPY} (TYPE duckdb, READ_ONLY)`)
        try {
          return await work(connection, COPY)
        } finally {
          await connection.run(`DETACH ${COPY}`)
        }
      }),
    waitsFor: catalog.waitsFor,
    close,
    [Symbol.asyncDispose]: close,
  }
}
