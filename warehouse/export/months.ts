import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { listFolders, livePathsIn, partFiles } from '../storage/layout.ts'
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

async function fingerprintOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    hash.update(`${path}\n`)
    if (partFiles([basename(path)]).some(({ digest }) => digest !== null)) continue
    // Files of earlier releases have no digest in their name.
    const { size, mtimeMs } = await stat(path)
    hash.update(`${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** The months of a table that have rows, oldest first. */
export async function monthsOf(warehouseDir: string, table: Table): Promise<TableMonth[]> {
  const months = new Map<string, string[]>()
  for (const folder of await listFolders(warehouseDir, table)) {
    const month = folder.values['month'] ?? ''
    if (!/^\d{4}-\d\d$/.test(month) || folder.parts.length === 0) continue
    months.set(month, [...(months.get(month) ?? []), ...livePathsIn(folder)])
  }
  return Promise.all(
    [...months]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([month, paths]) => ({ table, month, paths, fingerprint: await fingerprintOf(paths) })),
  )
}
