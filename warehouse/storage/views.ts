import type { DuckDBInstance } from '@duckdb/node-api'
import { createQueue } from '../../config/work-queue.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { withLocalTime } from './analyst-views.ts'
import { withConnection } from './duckdb.ts'
import type { FileLinks } from './file-links.ts'
import type { Partition } from './layout.ts'
import type { SoundFiles } from './sound-files.ts'
import { quoteName } from './sql.ts'
import { isMissingFile, selectFiles, selectPartitions } from './write.ts'

const MAX_ATTEMPTS = 5

/** A view of each table over its files, which others replace at any time. */
export interface TableViews {
  /** Lists all files again. */
  refresh: () => Promise<void>
  /** Reads some folders of a table again, with the values of one of their partitions. */
  refreshTable: (table: Table, changed: ReadonlyMap<string, Partition['values']>) => Promise<void>
  /** Rows have their local time from now on, and views stay on links, so that no replacement disturbs what streams from them. */
  openToAnalysts: () => Promise<void>
  /**
   * Runs a reading statement again if a file that it was to read was replaced before it opened it: then over links, because a
   * long read would meet the next replacement too.
   */
  read: <T>(sql: string, work: (statement: string) => Promise<T>) => Promise<T>
  /** SELECT of the rows of some partitions of a table, within `read`. */
  selectPartitions: (table: Table, isIncluded: (values: Partition['values']) => boolean) => Promise<string>
  /** The files of some tables as their views have them: unchanged files are unchanged rows. */
  filesOf: (tables: readonly Table[]) => string
  /** Waits until the refreshes that were requested have ended. */
  settle: () => Promise<void>
}

export function createViews(duckdb: DuckDBInstance, files: SoundFiles, links: FileLinks): TableViews {
  const inTurn = createQueue()
  /** The partitions of each table when its view was last created. */
  const viewed = new Map<string, readonly Partition[]>()
  /** The files of each view, as text. */
  const shown = new Map<string, string>()
  let isForAnalysts = false
  /** Reads under way, and how many of them need links because files were replaced under them. */
  let openReads = 0
  let linkedReads = 0
  let hasLinkedViews = false

  const createView = async (
    table: Table,
    changed?: ReadonlyMap<string, Partition['values']>,
    attempt = 1,
  ): Promise<void> => {
    const known = viewed.get(table.name)
    const partitions = known && changed ? await files.withChanges(table, known, changed) : await files.partitions(table)
    viewed.set(table.name, partitions)
    const isLinked = isForAnalysts || linkedReads > 0 || attempt > 1
    if (isLinked) hasLinkedViews = true
    const paths = isLinked ? await links.linksTo(files.paths(partitions)) : files.paths(partitions)
    // Another process replaced one of them and swept it meanwhile.
    if (paths === null) return createView(table, undefined, attempt)
    const rows = selectFiles(table, paths)
    const statement = `CREATE OR REPLACE VIEW ${quoteName(table.name)} AS ${isForAnalysts ? withLocalTime(table, rows) : rows}`
    try {
      await withConnection(duckdb, (connection) => connection.run(statement))
      shown.set(table.name, files.paths(partitions).join('\n'))
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isMissingFile(error)) throw error
      await createView(table, undefined, attempt + 1)
    }
  }
  const createViews = async () => {
    for (const table of allTables) await createView(table)
  }
  const refresh = () => inTurn(createViews)
  const returnToFiles = () =>
    inTurn(async () => {
      if (openReads > 0 || !hasLinkedViews) return
      hasLinkedViews = false
      await createViews()
      await links.clear()
    })
  const readLinks = async <T>(sql: string, work: (statement: string) => Promise<T>): Promise<T> => {
    linkedReads += 1
    try {
      for (let attempt = 2; ; attempt += 1) {
        await refresh()
        try {
          return await work(await links.inStatement(sql))
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isMissingFile(error)) throw error
        }
      }
    } finally {
      linkedReads -= 1
    }
  }
  return {
    refresh,
    refreshTable: (table, changed) => inTurn(() => createView(table, changed)),
    openToAnalysts: async () => {
      isForAnalysts = true
      await refresh()
    },
    read: async (sql, work) => {
      openReads += 1
      try {
        return await work(sql)
      } catch (error) {
        if (!isMissingFile(error)) throw error
        return await readLinks(sql, work)
      } finally {
        openReads -= 1
        if (openReads === 0 && hasLinkedViews && !isForAnalysts) void returnToFiles().catch(() => undefined)
      }
    },
    selectPartitions: async (table, isIncluded) => {
      const partitions = (viewed.get(table.name) ?? []).filter(({ values }) => isIncluded(values))
      const paths = files.paths(partitions)
      return selectPartitions(table, partitions, linkedReads > 0 ? ((await links.linksTo(paths)) ?? paths) : paths)
    },
    filesOf: (tables) => tables.map(({ name }) => shown.get(name) ?? '').join('\n'),
    settle: () => inTurn(async () => undefined),
  }
}
