import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { allTables } from '../tables/index.ts'
import { hideReplaced, listPartitions, livePaths, type Partition } from './layout.ts'
import { mergeFiles, type WriteContext } from './write.ts'

/** Replaced files are retained this long for readers that listed them before they were replaced and renamed. */
export const SWEEP_GRACE_MS = 600_000

/**
 * Merges the files of each partition that has at least `minFiles` into one sorted file; returns how many it merged. By default
 * every partition is one file afterwards.
 */
export async function compactTables(context: WriteContext, minFiles = 2): Promise<number> {
  let merged = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      hideReplaced(partition)
      if (livePaths(partition).length < minFiles) continue
      await mergeFiles(context, table, partition.values)
      merged += 1
    }
  }
  return merged
}

/** The number below which all files of a partition were replaced at an instant (epoch ms): that of the newest `c` file of then. */
async function replacedBefore({ folder, parts, replaced }: Partition, instant: number): Promise<number> {
  for (const { kind, name, number } of [...replaced, ...parts].sort((a, b) => b.number - a.number)) {
    if (kind === 'c' && (await stat(join(folder, name))).mtimeMs <= instant) return number
  }
  return 0
}

/** Deletes files that were replaced more than `graceMs` before `now` (epoch ms); returns how many. */
export async function sweepReplaced(context: WriteContext, now: number, graceMs = SWEEP_GRACE_MS): Promise<number> {
  let swept = 0
  for (const table of allTables) {
    for (const partition of await listPartitions(context.warehouseDir, table)) {
      if (partition.replaced.length === 0) continue
      const base = await replacedBefore(partition, now - graceMs)
      for (const part of partition.replaced) {
        if (part.number >= base) continue
        await rm(join(partition.folder, part.name), { force: true })
        swept += 1
      }
    }
  }
  return swept
}
