import type { Table } from '../tables/define.ts'
import { listPartitions, livePaths, type Partition } from './layout.ts'
import { quoteText } from './sql.ts'
import { landRows, replacePartition, selectFiles, type WriteContext } from './write.ts'

const CHUNK = 500

/** Partitions in which a capture of the list has rows. */
async function touchedBy(context: WriteContext, table: Table, list: string): Promise<Partition[]> {
  const touched: Partition[] = []
  for (const partition of await listPartitions(context.warehouseDir, table)) {
    const paths = livePaths(partition)
    if (paths.length === 0) continue
    const found = await context.connection.runAndReadAll(
      `SELECT 1 FROM (${selectFiles(table, paths)}) WHERE capture_id IN (${list}) LIMIT 1`,
    )
    if (found.getRowObjectsJS().length > 0) touched.push(partition)
  }
  return touched
}

/**
 * Makes the given rows the only ones of their captures: what an earlier parser made of them goes, partition by
 * partition, by a rename each. Re-running after a crash gives the same end. The caller holds the writer's lock.
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
    for (const partition of await touchedBy(context, table, list)) {
      const kept = `SELECT * FROM (${selectFiles(table, livePaths(partition))}) WHERE capture_id NOT IN (${list})`
      await replacePartition(context, table, partition, kept)
    }
  }
  return landRows(context, table, rows as never[])
}
