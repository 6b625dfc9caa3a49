import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listPartitions, liveAndReplaced, livePaths, type Partition } from '../storage/layout.ts'
import type { Table } from '../tables/define.ts'

/** A month of a table: its live part files at one moment. */
export interface TableMonth {
  table: Table
  /** e.g. 2026-11, UTC. */
  month: string
  paths: string[]
  /** Changes whenever a file of the month does. */
  fingerprint: string
}

/** The UTC month of a partition by its folder `date` or `month`. */
const monthOf = ({ values }: Partition): string => (values['date'] ?? values['month'] ?? '').slice(0, 7)

async function fingerprintOf(partitions: readonly Partition[]): Promise<string> {
  const hash = createHash('sha256')
  for (const partition of partitions)
    for (const { name, digest } of liveAndReplaced(partition.parts).live) {
      hash.update(`${partition.folder}/${name}\n`)
      if (digest !== null) continue
      // Files of earlier releases have no digest in their name.
      const { size, mtimeMs } = await stat(join(partition.folder, name))
      hash.update(`${size} ${mtimeMs}\n`)
    }
  return hash.digest('hex')
}

/** The months of a table that have rows, oldest first. */
export async function monthsOf(warehouseDir: string, table: Table): Promise<TableMonth[]> {
  const months = new Map<string, Partition[]>()
  for (const partition of await listPartitions(warehouseDir, table)) {
    const month = monthOf(partition)
    if (!/^\d{4}-\d\d$/.test(month) || partition.parts.length === 0) continue
    months.set(month, [...(months.get(month) ?? []), partition])
  }
  return Promise.all(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([month, partitions]) => ({
        table,
        month,
        paths: partitions.flatMap(livePaths),
        fingerprint: await fingerprintOf(partitions),
      })),
  )
}
