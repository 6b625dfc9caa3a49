import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { allTables } from '../tables/index.ts'
import { listPartitions, liveAndReplaced, livePaths } from './layout.ts'
import { replacePartition, selectFiles, type WriteContext } from './write.ts'

/** Replaced files stay this long, for readers that listed them before the swap. */
export const SWEEP_GRACE_MS = 600_000

/** Merges partitions of many small files into one sorted file each; returns how many it merged. */
export async function compactTables(context: WriteContext, atLeast = 8): Promise<number> {
  let merged = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      const live = livePaths(partition)
      if (live.length < atLeast) continue
      await replacePartition(context, table, partition, selectFiles(table, live))
      merged += 1
    }
  }
  return merged
}

/** Deletes files that a newer one has replaced, once they are older than the grace; returns how many. */
export async function sweepReplaced(context: WriteContext, now: number, graceMs = SWEEP_GRACE_MS): Promise<number> {
  let swept = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      const { live, replaced } = liveAndReplaced(partition.parts)
      const swap = live.find((part) => part.kind === 'c')
      if (!swap || replaced.length === 0) continue
      const { mtimeMs } = await stat(join(partition.folder, swap.name))
      if (now - mtimeMs < graceMs) continue
      for (const part of replaced) {
        await rm(join(partition.folder, part.name), { force: true })
        swept += 1
      }
    }
  }
  return swept
}
