import type { Table } from '../tables/define.ts'
import { listFolders, livePathsIn, type Partition } from './layout.ts'
import { quoteName, quoteText } from './sql.ts'
import { landRows, replacePartitions, selectFiles, type WriteContext } from './write.ts'

const CHUNK = 500

/** Partitions that hold rows of a capture of the list. */
async function partitionsWith(context: WriteContext, table: Table, list: string): Promise<Partition['values'][]> {
  const names = table.partition.map(({ name }) => quoteName(name)).join(', ')
  const paths = (await listFolders(context.warehouseDir, table)).flatMap(livePathsIn)
  const read = await context.connection.runAndReadAll(
    `SELECT DISTINCT ${names} FROM (${selectFiles(table, paths)}) WHERE capture_id IN (${list}) ORDER BY ALL`,
  )
  return read.getRowObjectsJS() as Record<string, string>[]
}

/**
 * Replaces all rows of some captures by these rows, partition by partition, each atomically. Running it again after a
 * crash gives the same result. The caller holds the write lock.
 */
export async function replaceCaptures(
  context: WriteContext,
  table: Table,
  captureIds: string[],
  rows: object[],
): Promise<number> {
  for (let from = 0; from < captureIds.length; from += CHUNK) {
    const list = captureIds
      .slice(from, from + CHUNK)
      .map(quoteText)
      .join(', ')
    const replacements = (await partitionsWith(context, table, list)).map((values) => ({ values, facts: {} }))
    if (replacements.length === 0) continue
    await replacePartitions(
      context,
      table,
      replacements,
      (current) => `SELECT * FROM (${current}) WHERE capture_id NOT IN (${list})`,
    )
  }
  return landRows(context, table, rows as never[])
}
