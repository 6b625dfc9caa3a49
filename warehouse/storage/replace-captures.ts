import type { Table } from '../tables/define.ts'
import { listFolders, type Partition, partitionsOf } from './layout.ts'
import { quoteName, quoteText } from './sql.ts'
import { landRows, replacePartitions, selectPartitions, type WriteContext } from './write.ts'

const CHUNK = 500

/** Partitions that hold rows of a capture of the list. */
async function partitionsWith(context: WriteContext, table: Table, list: string): Promise<Partition['values'][]> {
  const found: Partition['values'][] = []
  const names = table.partition.map(({ name }) => quoteName(name)).join(', ')
  for (const folder of await listFolders(context.warehouseDir, table)) {
    const rows = selectPartitions(table, partitionsOf(table, folder))
    const read = await context.connection.runAndReadAll(
      `SELECT DISTINCT ${names} FROM (${rows}) WHERE capture_id IN (${list}) ORDER BY ALL`,
    )
    found.push(...(read.getRowObjectsJS() as Record<string, string>[]))
  }
  return found
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
