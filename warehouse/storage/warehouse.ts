import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import type { Row, Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import {
  connect,
  openDuckdb,
  type QueryValues,
  type ResultColumns,
  readColumns,
  readRows,
  withConnection,
} from './duckdb.ts'
import { listPartitions, livePaths } from './layout.ts'
import { withWriteLock } from './lock.ts'
import { quoteName } from './sql.ts'
import { landRows, landSelect, selectFiles, type WriteContext } from './write.ts'

/**
 * The open warehouse: a view of each table over its Parquet files. Many readers; one writer at a time, by a lock. No
 * request of the api uses it.
 */
export interface Warehouse {
  readonly data_dir: string
  /** Rows as plain objects: instants as ISO strings with Z, lists as arrays. For small results. */
  query: <R extends object = Record<string, unknown>>(sql: string, values?: QueryValues) => Promise<R[]>
  /** Whole columns: numbers as Float64Array (NULL = NaN), instants as Float64Array of epoch milliseconds, texts as string arrays. */
  columns: (sql: string, values?: QueryValues) => Promise<ResultColumns>
  /** Lands rows whose key is new; returns how many were. Atomic per partition, idempotent. */
  land: <T extends Table>(table: T, rows: Row<T>[]) => Promise<number>
  /** Lands the rows of a SELECT, whose columns are named as the table's. */
  landSelect: (table: Table, select: string, values?: QueryValues) => Promise<number>
  /** Makes the views include files written since opening. */
  refresh: () => Promise<void>
  close: () => Promise<void>
}

/** The open warehouse with access for maintenance: rollup, compaction, replay. */
export interface OpenWarehouse extends Warehouse {
  readonly context: WriteContext
  /** Runs maintenance as the only writer, then refreshes the views. */
  maintain: <T>(work: (context: WriteContext) => Promise<T>) => Promise<T>
}

/** Opens the warehouse of a data folder: views over all tables, many readers, one writer at a time. */
export async function openWarehouse(dataDir: string): Promise<OpenWarehouse> {
  const paths = dataPaths(dataDir)
  const scratchDir = join(paths.scratch, String(process.pid))
  await mkdir(scratchDir, { recursive: true })
  const duckdb = await openDuckdb(scratchDir)
  const connection = await connect(duckdb)
  const context: WriteContext = { connection, warehouseDir: paths.warehouse, scratchDir }

  const createView = async (table: Table) => {
    const files = (await listPartitions(paths.warehouse, table)).flatMap(livePaths)
    const statement = `CREATE OR REPLACE VIEW ${quoteName(table.name)} AS ${selectFiles(table, files)}`
    await withConnection(duckdb, (viewConnection) => viewConnection.run(statement))
  }
  let refreshing = Promise.resolve()
  const refresh = (tables: readonly Table[] = allTables) => {
    const result = refreshing.then(async () => {
      for (const table of tables) await createView(table)
    })
    refreshing = result.catch(() => undefined)
    return result
  }
  const landAndRefresh = async (table: Table, work: () => Promise<number>) => {
    const landed = await withWriteLock(paths.locks, work)
    if (landed > 0) await refresh([table])
    return landed
  }
  await refresh()
  return {
    data_dir: dataDir,
    context,
    query: <R extends object>(sql: string, values?: QueryValues) =>
      withConnection(duckdb, (queryConnection) => readRows<R>(queryConnection, sql, values)),
    columns: (sql, values) => withConnection(duckdb, (queryConnection) => readColumns(queryConnection, sql, values)),
    land: (table, rows) => landAndRefresh(table, () => landRows(context, table, rows as Row<Table>[])),
    landSelect: (table, select, values) => landAndRefresh(table, () => landSelect(context, table, select, values)),
    refresh: () => refresh(),
    maintain: async (work) => {
      const result = await withWriteLock(paths.locks, () => work(context))
      await refresh()
      return result
    },
    close: async () => {
      await refreshing
      connection.closeSync()
      duckdb.closeSync()
      await rm(scratchDir, { recursive: true, force: true })
    },
  }
}
