import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolders, liveAndReplaced, type TableFolder } from '../storage/layout.ts'
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

const liveOf = ({ parts }: TableFolder) => liveAndReplaced(parts).live

async function fingerprintOf(folders: readonly TableFolder[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders)
    for (const { name, digest } of liveOf(folder)) {
      const path = join(folder.folder, name)
      hash.update(`${path}\n`)
      if (digest !== null) continue
      // Files of earlier releases have no digest in their name.
      const { size, mtimeMs } = await stat(path)
      hash.update(`${size} ${mtimeMs}\n`)
    }
  return hash.digest('hex')
}

/** The months of a table that have rows, oldest first. */
export async function monthsOf(warehouseDir: string, table: Table): Promise<TableMonth[]> {
  const months = new Map<string, TableFolder[]>()
  for (const folder of await listFolders(warehouseDir, table)) {
    const month = folder.values['month'] ?? ''
    if (!/^\d{4}-\d\d$/.test(month) || folder.parts.length === 0) continue
    months.set(month, [...(months.get(month) ?? []), folder])
  }
  return Promise.all(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([month, folders]) => ({
        table,
        month,
        paths: folders.flatMap((folder) => liveOf(folder).map(({ name }) => join(folder.folder, name))),
        fingerprint: await fingerprintOf(folders),
      })),
  )
}
