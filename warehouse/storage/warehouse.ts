import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { dataPaths } from '../../config/settings.ts'
import type { Row, Table } from '../tables/define.ts'
import { createAsOf, createCatalogues } from './analyst-views.ts'
import type { DamagedFile } from './damage.ts'
import { moveDayFolders } from './day-folders.ts'
import {
  connect,
  openDuckdb,
  type QueryValues,
  type ResultColumns,
  readColumns,
  readRows,
  requireStatements,
  restrictToFolders,
  withConnection,
} from './duckdb.ts'
import { keepLinks } from './file-links.ts'
import { makeFolder } from './files.ts'
import { shareDataFolder } from './folder-use.ts'
import type { Partition } from './layout.ts'
import { withWriteLock } from './lock.ts'
import { openSoundFiles } from './sound-files.ts'
import { type FileColumn, writeParquet } from './table-file.ts'
import { streamAsText, type TextResult } from './text-result.ts'
import { createViews } from './views.ts'
import { isMissingFile, type LandedRows, landRows, landSelect, noLandedRows, type WriteContext } from './write.ts'

/**
 * The open warehouse: a view of each table over its Parquet files. Many readers; one writer at a time, by a lock. No
 * request of the api uses it.
 */
export interface Warehouse {
  readonly data_dir: string
  /** Rows as plain objects: instants as ISO strings with Z, lists as arrays. For small results. */
  query: <R extends object = Record<string, unknown>>(sql: string, values?: QueryValues) => Promise<R[]>
  /**
   * Rows of a query on some partitions of one table, such as its newest days: much cheaper than on its view, whose every
   * file DuckDB considers. `sql` gets the name of those rows for its FROM.
   */
  queryPartitions: <R extends object>(
    table: Table,
    isIncluded: (values: Partition['values']) => boolean,
    sql: (from: string) => string,
    values?: QueryValues,
  ) => Promise<R[]>
  /** Whole columns: numbers as Float64Array (NULL = NaN), instants as Float64Array of epoch milliseconds, texts as string arrays. */
  columns: (sql: string, values?: QueryValues) => Promise<ResultColumns>
  /**
   * What `read` makes of the rows of some tables, kept under its name until their files or the key change. What is not in
   * these tables must be in the key.
   */
  remembered: <T>(name: string, tables: readonly Table[], key: string | number, read: () => Promise<T>) => Promise<T>
  /**
   * Prepares for SQL that a person typed: airports and sources are tables to join with, and rows have their local time.
   * Unless `unsafe`, queries can from now on read the files of the warehouse and no other file, and can change neither files
   * nor settings.
   * @throws HoldshortError USAGE from `query` and `stream` for a statement that is no SELECT.
   */
  openToAnalysts: (options?: { unsafe?: boolean }) => Promise<void>
  /** Runs SQL and gives the result of its last statement as text, a few rows at a time; the caller reads it to its end or ends it. */
  stream: (sql: string, shape?: 'cells' | 'lines') => Promise<TextResult>
  /** Writes columns, some rows at a time, to a Parquet file of somebody's choice; returns how many rows. */
  writeParquet: (parts: Iterable<readonly FileColumn[]>, path: string) => Promise<number>
  /** Lands rows whose key is new; returns how many were. Atomic per partition, idempotent. */
  land: <T extends Table>(table: T, rows: Row<T>[]) => Promise<number>
  /** Lands rows as `land` does; returns how many of each capture were new, by `captureKey`. */
  landByCapture: <T extends Table>(table: T, rows: Row<T>[]) => Promise<ReadonlyMap<string, number>>
  /** Lands the rows of a SELECT, whose columns are named as the table's. */
  landSelect: (table: Table, select: string, values?: QueryValues) => Promise<number>
  /** Makes the views include files written since opening. */
  refresh: () => Promise<void>
  /** Waits for the reads and writes under way, begins no other, and ends. */
  close: () => Promise<void>
}

/**
 * Keeps a second copy of the files of a warehouse, as in a bucket. What a writer commits is only acknowledged once the copy
 * has it. Folders are absolute, paths relative to the data folder.
 */
export interface WarehouseKeeper {
  /** Says that a write has changed these partitions, or that it failed somewhere. */
  touched: (folders: Iterable<string>) => void
  touchedAll: () => void
  /** Copies what was changed in these partitions, or anywhere, and in those that were touched. @throws HoldshortError */
  committed: (folders: readonly string[] | null) => Promise<void>
  /** Says that a folder, relative to the data folder, was deleted on purpose. */
  dropped: (folder: string) => void
  /** Puts files back that are damaged or missing here; returns those that it could. */
  heal: (paths: readonly string[]) => Promise<ReadonlySet<string>>
  /** Says whom to tell that files of a folder, relative to the data folder, are being deleted. */
  bind: (onDropped: (folder: string) => void) => void
}

/** The open warehouse with access for maintenance: rollup, compaction, replay. */
export interface OpenWarehouse extends Warehouse {
  readonly context: WriteContext
  /** Runs maintenance as the only writer, then refreshes the views. When a damaged file made it fail, it runs again without. */
  maintain: <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>
  /** Says that the files of a folder, relative to the data folder, were deleted on purpose. */
  forgetFiles: (folder: string) => void
  /**
   * Reads up to `maxBytes` of files again, going round through all tables over several calls, and puts the damaged ones
   * into quarantine; returns how many files it read.
   */
  scrub: (maxBytes: number) => Promise<number>
}

/** Chunks whose connection is closed once they are read, or the reader ends. */
async function* thenClosed<T>(chunks: AsyncIterable<T>, connection: DuckDBConnection): AsyncGenerator<T> {
  try {
    yield* chunks
  } finally {
    connection.closeSync()
  }
}

/**
 * Opens the warehouse of a data folder: views over all tables, many readers, one writer at a time. Damaged files are moved
 * to quarantine when they are found, and the rest is served; `onDamage` is called with them.
 */
export async function openWarehouse(
  dataDir: string,
  onDamage: (damaged: readonly DamagedFile[]) => void = () => undefined,
  keeper?: WarehouseKeeper,
): Promise<OpenWarehouse> {
  const paths = dataPaths(dataDir)
  const use = await shareDataFolder(dataDir)
  await makeFolder(dataDir, 'warehouse')
  const scratchDir = await makeFolder(dataDir, 'scratch', String(process.pid))
  const duckdb = await openDuckdb(scratchDir)
  const connection = await connect(duckdb)
  const context: WriteContext = { connection, warehouseDir: paths.warehouse, scratchDir }

  await moveDayFolders(dataDir, (folder) => keeper?.dropped(folder))
  const files = await openSoundFiles(dataDir, keeper?.heal, onDamage)
  keeper?.bind(files.forget)
  // A process can have the warehouse open twice.
  const linkDir = join(scratchDir, `links-${randomUUID()}`)
  const views = createViews(duckdb, files, keepLinks(paths.warehouse, linkDir))
  let isRestricted = false
  let isClosed = false
  /** Reads and writes under way. A statement under way when the engine is closed never ends, and a writer would hold its lock for ever. */
  const underWay = new Set<Promise<unknown>>()
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new Error('the warehouse is closed'))
    const running = work()
    underWay.add(running)
    const ended = () => void underWay.delete(running)
    running.then(ended, ended)
    return running
  }
  const unlessClosed = (work: () => Promise<void>) => (isClosed ? Promise.resolve() : whileOpen(work))
  const asOnlyWriter = <T>(work: () => Promise<T>) => withWriteLock(paths.locks, () => whileOpen(work))
  /** Runs work again if it failed and files of the warehouse were found to be damaged since they were last read. */
  const withoutDamage = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isClosed || (await files.verifyAll()) === 0) throw error
      await views.refresh()
      return work()
    }
  }
  /** Reads on a connection of its own. */
  const read = <T>(sql: string, work: (connection: DuckDBConnection, statement: string) => Promise<T>) =>
    whileOpen(() =>
      withoutDamage(() => views.read(sql, (statement) => withConnection(duckdb, (reader) => work(reader, statement)))),
    )
  /** Rows that are here but not in the second copy are not acknowledged; the next write copies them. */
  const keepLanded = async (landed: LandedRows, work: () => Promise<number>) => {
    try {
      await work()
    } finally {
      keeper?.touched(landed.folders.keys())
    }
    await keeper?.committed([])
  }
  const landAndRefresh = async (table: Table, work: (landed: LandedRows) => Promise<number>) => {
    const landed = noLandedRows()
    await withoutDamage(() => asOnlyWriter(() => keepLanded(landed, () => work(landed))))
    if (landed.rows > 0) await unlessClosed(() => views.refreshTable(table, landed.folders))
    return landed
  }
  const refresh = async () => {
    await views.refresh()
    await files.save()
  }
  const memory = new Map<string, { version: string; value: Promise<unknown> }>()
  await refresh()
  return {
    data_dir: dataDir,
    context,
    remembered: <T>(name: string, tables: readonly Table[], key: string | number, work: () => Promise<T>) => {
      const version = `${key}\n${views.filesOf(tables)}`
      const known = memory.get(name)
      if (known?.version === version) return known.value as Promise<T>
      const value = work()
      memory.set(name, { version, value })
      value.catch(() => memory.delete(name))
      return value
    },
    openToAnalysts: async ({ unsafe = false } = {}) => {
      await withConnection(duckdb, (setting) => createCatalogues(setting, scratchDir))
      await views.openToAnalysts()
      await withConnection(duckdb, createAsOf)
      if (unsafe) return
      await withConnection(duckdb, (setting) => restrictToFolders(setting, [paths.warehouse, linkDir]))
      isRestricted = true
    },
    stream: (sql, shape) =>
      withoutDamage(async () => {
        const streaming = await connect(duckdb)
        try {
          await requireStatements(streaming, sql, isRestricted)
          const { columns, isLines, chunks } = await streamAsText(streaming, sql, shape)
          return { columns, isLines, chunks: thenClosed(chunks, streaming) }
        } catch (error) {
          streaming.closeSync()
          throw error
        }
      }),
    query: <R extends object>(sql: string, values?: QueryValues) =>
      read(sql, async (connection, statement) => {
        if (isRestricted) await requireStatements(connection, sql, true)
        return readRows<R>(connection, statement, values)
      }),
    queryPartitions: <R extends object>(
      table: Table,
      isIncluded: (values: Partition['values']) => boolean,
      sql: (from: string) => string,
      values?: QueryValues,
    ) =>
      read('', async (connection) => {
        const rows = await views.selectPartitions(table, isIncluded)
        return readRows<R>(connection, sql(`(${rows})`), values)
      }),
    columns: (sql, values) => read(sql, (connection, statement) => readColumns(connection, statement, values)),
    writeParquet: (parts, path) => writeParquet(duckdb, parts, path),
    land: async (table, rows) =>
      (await landAndRefresh(table, (landed) => landRows(context, table, rows as Row<Table>[], landed))).rows,
    landByCapture: async (table, rows) =>
      (await landAndRefresh(table, (landed) => landRows(context, table, rows as Row<Table>[], landed))).byCapture,
    landSelect: async (table, select, values) =>
      (await landAndRefresh(table, (landed) => landSelect(context, table, select, values, landed))).rows,
    refresh,
    forgetFiles: (folder) => {
      files.forget(folder)
      keeper?.dropped(folder)
    },
    maintain: async (work) => {
      const maintainOnce = () =>
        asOnlyWriter(async () => {
          keeper?.touchedAll()
          const done = await work(context)
          await keeper?.committed(null)
          return done
        })
      // Repeating maintenance is safe; another process may have taken over while this one was stopped.
      const attempt = () =>
        maintainOnce().catch((error) => (isMissingFile(error) ? maintainOnce() : Promise.reject(error)))
      const result = await withoutDamage(attempt)
      await unlessClosed(views.refresh)
      return result
    },
    scrub: async (maxBytes) => {
      const scrubbed = await files.scrub(maxBytes)
      if (scrubbed.damaged > 0) await views.refresh()
      return scrubbed.files
    },
    close: async () => {
      isClosed = true
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await views.settle()
      await files.save()
      connection.closeSync()
      duckdb.closeSync()
      await rm(scratchDir, { recursive: true, force: true })
      await use.release()
    },
  }
}
