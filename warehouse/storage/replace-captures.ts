import type { Table } from '../tables/define.ts'
import { listPartitions, livePaths, type Partition } from './layout.ts'
import { quoteText } from './sql.ts'
import { landRows, replacePartition, selectFiles, type WriteContext } from './write.ts'

const CHUNK = 500

/** Partitions that hold rows of a capture of the list. */
async function partitionsWith(context: WriteContext, table: Table, list: string): Promise<Partition[]> {
  const partitions: Partition[] = []
  for (const partition of await listPartitions(context.warehouseDir, table)) {
    const paths = livePaths(partition)
    if (paths.length === 0) continue
    const found = await context.connection.runAndReadAll(
      `SELECT 1 FROM (${selectFiles(table, paths)}) WHERE capture_id IN (${list}) LIMIT 1`,
    )
    if (found.getRowObjectsJS().length > 0) partitions.push(partition)
  }
  return partitions
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
    for (const partition of await partitionsWith(context, table, list)) {
      const otherRows = (live: string[]) =>
        `SELECT * FROM (${selectFiles(table, live)}) WHERE capture_id NOT IN (${list})`
      await replacePartition(context, table, partition.values, otherRows)
    }
  }
  return landRows(context, table, rows as never[])
}
