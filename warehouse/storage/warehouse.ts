import { randomUUID } from 'node:crypto'
import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { dataPaths } from '../../config/settings.ts'
import type { Row, Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { createAsOf, createCatalogues, withLocalTime } from './analyst-views.ts'
import { type DamagedFile, openVerifier, quarantineFiles } from './damage.ts'
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
import { makeFolder } from './files.ts'
import { shareDataFolder } from './folder-use.ts'
import { hideReplaced, listPartitions, livePaths, type Partition, readPartition, replacedPath } from './layout.ts'
import { withWriteLock } from './lock.ts'
import { ownBytes } from './own-files.ts'
import { quoteName } from './sql.ts'
import { type FileColumn, writeParquet } from './table-file.ts'
import { streamAsText, type TextResult } from './text-result.ts'
import {
  isMissingFile,
  type LandedRows,
  landRows,
  landSelect,
  noLandedRows,
  selectFiles,
  type WriteContext,
} from './write.ts'

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

const MAX_READ_ATTEMPTS = 5
/** A path of a part file in a statement. */
const QUOTED_PATH = /\/[^']+\/[pc]-\d{8}(?:-[0-9a-f]{16})?\.parquet(?=')/g

/** Links a file, unless there is a link already; returns the code of the failure, or null. */
const linkFile = (file: string, linked: string): Promise<string | null> =>
  link(file, linked).then(
    () => null,
    ({ code = '' }: NodeJS.ErrnoException) => (code === 'EEXIST' ? null : code),
  )

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

  const verifier = await openVerifier(paths.warehouse)
  keeper?.bind(verifier.forget)
  /** Damaged files that could not be moved, as on a read-only disk: the views leave them out. */
  const excluded = new Set<string>()
  const quarantine = async (damaged: DamagedFile[]) => {
    if (damaged.length === 0) return
    onDamage(damaged)
    const inner = (path: string) => relative(dataDir, path).split(sep).join('/')
    const healed = await keeper?.heal(damaged.map(({ path }) => inner(path))).catch(() => null)
    const lost = damaged.filter(({ path }) => !healed?.has(inner(path)))
    await quarantineFiles(dataDir, lost).catch(() => {
      for (const { path } of lost) excluded.add(path)
    })
  }
  const soundPartitions = async (table: Table) => {
    const partitions = await listPartitions(paths.warehouse, table)
    for (const partition of partitions) hideReplaced(partition)
    const damaged = await verifier.damagedFiles(table, partitions)
    await quarantine(damaged)
    return damaged.length === 0 ? partitions : listPartitions(paths.warehouse, table)
  }
  const filesOf = (partitions: readonly Partition[]) =>
    partitions.flatMap(livePaths).filter((path) => !excluded.has(path))
  // A process can have the warehouse open twice.
  const pinnedDir = join(scratchDir, `pinned-${randomUUID()}`)
  let isForAnalysts = false
  /** Statements that are being read, and those of them that need links because files were renamed under them. */
  let reading = 0
  let pinning = 0
  let hasLinks = false
  let isRestricted = false
  /** The partitions of each table when its view was last created. */
  const viewed = new Map<string, Partition[]>()
  /** The partitions of the last view, with those that have changed since read again. */
  const withChanges = async (table: Table, known: Partition[], changed: ReadonlyMap<string, Partition['values']>) => {
    const values = [...changed.values()]
    const reread = await Promise.all(values.map((folders) => readPartition(paths.warehouse, table, folders)))
    const damaged = await verifier.damagedFiles(table, reread)
    if (damaged.length > 0) {
      await quarantine(damaged)
      return soundPartitions(table)
    }
    return [...known.filter(({ folder }) => !changed.has(folder)), ...reread].sort((a, b) =>
      a.folder < b.folder ? -1 : 1,
    )
  }
  /**
   * Links to files that nobody renames, so that a long read finds every file that it began with; null when one is gone. On a
   * disk without links it gives the files themselves.
   */
  const pinned = async (files: readonly string[]): Promise<string[] | null> => {
    const links: string[] = []
    for (const file of files) {
      const linked = join(pinnedDir, relative(paths.warehouse, file))
      await mkdir(dirname(linked), { recursive: true })
      const failure = await linkFile(file, linked)
      if (failure === 'ENOENT' && (await linkFile(replacedPath(file), linked)) !== null) return null
      if (failure !== null && failure !== 'ENOENT') return [...files]
      links.push(linked)
    }
    return links
  }
  /** Creates the view of a table; over links when a file was renamed between listing and binding. */
  const createView = async (
    table: Table,
    changed?: ReadonlyMap<string, Partition['values']>,
    attempt = 1,
  ): Promise<void> => {
    const known = viewed.get(table.name)
    const partitions = known && changed ? await withChanges(table, known, changed) : await soundPartitions(table)
    viewed.set(table.name, partitions)
    const isLinked = isForAnalysts || pinning > 0 || attempt > 1
    if (isLinked) hasLinks = true
    const files = isLinked ? await pinned(filesOf(partitions)) : filesOf(partitions)
    // Another process replaced one of them and swept it meanwhile.
    if (files === null) return createView(table, undefined, attempt)
    const select = selectFiles(table, files)
    const statement = `CREATE OR REPLACE VIEW ${quoteName(table.name)} AS ${isForAnalysts ? withLocalTime(table, select) : select}`
    try {
      await withConnection(duckdb, (viewConnection) => viewConnection.run(statement))
    } catch (error) {
      if (attempt === MAX_READ_ATTEMPTS || !isMissingFile(error)) throw error
      await createView(table, undefined, attempt + 1)
    }
  }
  let refreshing = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    const result = refreshing.then(work)
    refreshing = result.catch(() => undefined)
    return result
  }
  const refresh = () =>
    inTurn(async () => {
      for (const table of allTables) await createView(table)
    })
  /** A statement that names links instead of files. */
  const withLinks = async (sql: string): Promise<string> => {
    const named = [...new Set(sql.match(QUOTED_PATH) ?? [])]
    const links = new Map<string, string>()
    for (const path of named) links.set(path, (await pinned([path]))?.[0] ?? path)
    return sql.replace(QUOTED_PATH, (path) => links.get(path) ?? path)
  }
  const withoutLinks = () =>
    inTurn(async () => {
      if (reading > 0 || !hasLinks) return
      hasLinks = false
      for (const table of allTables) await createView(table)
      await rm(pinnedDir, { recursive: true, force: true })
    })
  /**
   * Runs a reading statement again if a file that it was to read was replaced before it opened it: then over links, because a
   * long read would meet the next replacement too.
   */
  const withReplaced = async <T>(sql: string, work: (statement: string) => Promise<T>): Promise<T> => {
    let isPinning = false
    reading += 1
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(isPinning ? await withLinks(sql) : sql)
        } catch (error) {
          if (attempt === MAX_READ_ATTEMPTS || !isMissingFile(error)) throw error
          if (!isPinning) pinning += 1
          isPinning = true
          hasLinks = true
          await refresh()
        }
      }
    } finally {
      reading -= 1
      if (isPinning) pinning -= 1
      if (reading === 0 && hasLinks && !isForAnalysts) void withoutLinks().catch(() => undefined)
    }
  }
  /** Runs work again if it failed and files of the warehouse were found to be damaged since they were last read. */
  const withoutDamage = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const found = { files: 0 }
      for (const table of allTables) {
        const damaged = await verifier.damagedFiles(table, await listPartitions(paths.warehouse, table))
        await quarantine(damaged)
        found.files += damaged.length
      }
      if (found.files === 0) throw error
      await refresh()
      return work()
    }
  }
  /** Rows that are here but not in the second copy are not acknowledged; the next write copies them. */
  const keepLanded = async (landed: LandedRows, work: () => Promise<number>) => {
    try {
      await work()
    } finally {
      keeper?.touched(landed.partitions.keys())
    }
    await keeper?.committed([])
  }
  const landAndRefresh = async (table: Table, work: (landed: LandedRows) => Promise<number>) => {
    const landed = noLandedRows()
    await withoutDamage(() => withWriteLock(paths.locks, () => keepLanded(landed, () => work(landed))))
    if (landed.rows > 0) await inTurn(() => createView(table, landed.partitions))
    return landed
  }
  await refresh()
  await verifier.save()
  let scrubbed = ''
  return {
    data_dir: dataDir,
    context,
    openToAnalysts: async ({ unsafe = false } = {}) => {
      isForAnalysts = true
      await withConnection(duckdb, (setting) => createCatalogues(setting, scratchDir))
      await refresh()
      await withConnection(duckdb, createAsOf)
      if (unsafe) return
      await withConnection(duckdb, (setting) => restrictToFolders(setting, [paths.warehouse, pinnedDir]))
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
      withoutDamage(() =>
        withReplaced(sql, (statement) =>
          withConnection(duckdb, async (queryConnection) => {
            if (isRestricted) await requireStatements(queryConnection, sql, true)
            return readRows<R>(queryConnection, statement, values)
          }),
        ),
      ),
    queryPartitions: <R extends object>(
      table: Table,
      isIncluded: (values: Partition['values']) => boolean,
      sql: (from: string) => string,
      values?: QueryValues,
    ) =>
      withoutDamage(() =>
        withReplaced('', async () => {
          const included = (viewed.get(table.name) ?? []).filter((partition) => isIncluded(partition.values))
          const files = filesOf(included)
          const from = `(${selectFiles(table, pinning > 0 ? ((await pinned(files)) ?? files) : files)})`
          return withConnection(duckdb, (queryConnection) => readRows<R>(queryConnection, sql(from), values))
        }),
      ),
    columns: (sql, values) =>
      withoutDamage(() =>
        withReplaced(sql, (statement) =>
          withConnection(duckdb, (queryConnection) => readColumns(queryConnection, statement, values)),
        ),
      ),
    writeParquet: (parts, path) => writeParquet(duckdb, parts, path),
    land: async (table, rows) =>
      (await landAndRefresh(table, (landed) => landRows(context, table, rows as Row<Table>[], landed))).rows,
    landByCapture: async (table, rows) =>
      (await landAndRefresh(table, (landed) => landRows(context, table, rows as Row<Table>[], landed))).byCapture,
    landSelect: async (table, select, values) =>
      (await landAndRefresh(table, (landed) => landSelect(context, table, select, values, landed))).rows,
    refresh: async () => {
      await refresh()
      await verifier.save()
    },
    forgetFiles: (folder) => {
      verifier.forget(folder)
      keeper?.dropped(folder)
    },
    maintain: async (work) => {
      const asOnlyWriter = () =>
        withWriteLock(paths.locks, async () => {
          keeper?.touchedAll()
          const done = await work(context)
          await keeper?.committed(null)
          return done
        })
      // Repeating maintenance is safe; another process may have taken over while this one was stopped.
      const attempt = () =>
        asOnlyWriter().catch((error) => (isMissingFile(error) ? asOnlyWriter() : Promise.reject(error)))
      const result = await withoutDamage(attempt)
      await refresh()
      return result
    },
    scrub: async (maxBytes) => {
      const partitions = await Promise.all(
        allTables.map(async (table) => ({ table, partitions: await listPartitions(paths.warehouse, table) })),
      )
      const all = partitions
        .flatMap(({ table, partitions: ofTable }) => ofTable.map((partition) => ({ table, partition })))
        .sort((a, b) => (a.partition.folder < b.partition.folder ? -1 : 1))
      const rest = all.filter(({ partition }) => partition.folder > scrubbed)
      let bytes = 0
      let files = 0
      let damagedFiles = 0
      for (const { table, partition } of rest.length > 0 ? rest : all) {
        const damaged = await verifier.damagedFiles(table, [partition], { thorough: true })
        await quarantine(damaged)
        damagedFiles += damaged.length
        scrubbed = partition.folder
        files += partition.parts.length
        bytes += await ownBytes(dataDir, relative(dataDir, partition.folder))
        if (bytes >= maxBytes) break
      }
      if (damagedFiles > 0) await refresh()
      return files
    },
    close: async () => {
      await refreshing
      await verifier.save()
      connection.closeSync()
      duckdb.closeSync()
      await rm(scratchDir, { recursive: true, force: true })
      await use.release()
    },
  }
}
