import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { allTables } from '../tables/index.ts'
import { listPartitions, liveAndReplaced, livePaths } from './layout.ts'
import { replacePartition, selectFiles, type WriteContext } from './write.ts'

/** Replaced files are retained this long for readers that listed them before they were replaced. */
export const SWEEP_GRACE_MS = 600_000

/** Merges the files of each partition that has at least `minFiles` into one sorted file; returns how many it merged. */
export async function compactTables(context: WriteContext, minFiles = 8): Promise<number> {
  let merged = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      if (livePaths(partition).length < minFiles) continue
      await replacePartition(context, table, partition.values, (live) => selectFiles(table, live))
      merged += 1
    }
  }
  return merged
}

/** Deletes files that were replaced more than `graceMs` before `now` (epoch ms); returns how many. */
export async function sweepReplaced(context: WriteContext, now: number, graceMs = SWEEP_GRACE_MS): Promise<number> {
  let swept = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      const { live, replaced } = liveAndReplaced(partition.parts)
      const replacement = live.find((part) => part.kind === 'c')
      if (!replacement || replaced.length === 0) continue
      const { mtimeMs } = await stat(join(partition.folder, replacement.name))
      if (now - mtimeMs < graceMs) continue
      for (const part of replaced) {
        await rm(join(partition.folder, part.name), { force: true })
        swept += 1
      }
    }
  }
  return swept
}
