import { relative, sep } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { type DamagedFile, openVerifier, quarantineFiles } from './damage.ts'
import { hideReplaced, listPartitions, livePaths, type Partition, readPartition } from './layout.ts'
import { ownBytes } from './own-files.ts'

/**
 * The files of a warehouse without the damaged ones: what is damaged is fetched again from the second copy if there is one,
 * else moved to quarantine, or left out where it cannot be moved.
 */
export interface SoundFiles {
  /** All partitions of a table. */
  partitions: (table: Table) => Promise<Partition[]>
  /** Partitions that were listed before, those that have changed since read again. */
  withChanges: (
    table: Table,
    known: readonly Partition[],
    changed: ReadonlyMap<string, Partition['values']>,
  ) => Promise<Partition[]>
  /** The files to be read of partitions, absolute. */
  paths: (partitions: readonly Partition[]) => string[]
  /** Verifies what has changed in all tables since it was last verified; returns how many files were damaged. */
  verifyAll: () => Promise<number>
  /** Reads up to `maxBytes` of files again, going round through all tables over several calls; returns how many files it read. */
  scrub: (maxBytes: number) => Promise<{ files: number; damaged: number }>
  /** Forgets the files of a folder, relative to the data folder, because they were deleted on purpose. */
  forget: (folder: string) => void
  /** Stores what was verified, so that the next process need not read those files. */
  save: () => Promise<void>
}

/**
 * @param heal puts files back that are damaged, by paths relative to the data folder; returns those that it could.
 * @param onDamage is called with what was found to be damaged.
 */
export async function openSoundFiles(
  dataDir: string,
  heal: ((paths: readonly string[]) => Promise<ReadonlySet<string>>) | undefined,
  onDamage: (damaged: readonly DamagedFile[]) => void,
): Promise<SoundFiles> {
  const warehouseDir = dataPaths(dataDir).warehouse
  const verifier = await openVerifier(warehouseDir)
  /** Damaged files that could not be moved, as on a read-only disk. */
  const excluded = new Set<string>()
  let scrubbed = ''

  /** Verifies partitions and gets damaged files out of the way; returns how many there were. */
  const verify = async (table: Table, partitions: Partition[], options?: { thorough: boolean }): Promise<number> => {
    const damaged = await verifier.damagedFiles(table, partitions, options)
    if (damaged.length === 0) return 0
    onDamage(damaged)
    const inner = (path: string) => relative(dataDir, path).split(sep).join('/')
    const healed = await heal?.(damaged.map(({ path }) => inner(path))).catch(() => null)
    const lost = damaged.filter(({ path }) => !healed?.has(inner(path)))
    await quarantineFiles(dataDir, lost).catch(() => {
      for (const { path } of lost) excluded.add(path)
    })
    return damaged.length
  }
  const soundPartitions = async (table: Table) => {
    const partitions = await listPartitions(warehouseDir, table)
    for (const partition of partitions) hideReplaced(partition)
    return (await verify(table, partitions)) === 0 ? partitions : listPartitions(warehouseDir, table)
  }
  return {
    partitions: soundPartitions,
    withChanges: async (table, known, changed) => {
      const reread = await Promise.all(
        [...changed.values()].map((values) => readPartition(warehouseDir, table, values)),
      )
      if ((await verify(table, reread)) > 0) return soundPartitions(table)
      const unchanged = known.filter(({ folder }) => !changed.has(folder))
      return [...unchanged, ...reread].sort(byFolder)
    },
    paths: (partitions) => partitions.flatMap(livePaths).filter((path) => !excluded.has(path)),
    verifyAll: async () => {
      let damaged = 0
      for (const table of allTables) damaged += await verify(table, await listPartitions(warehouseDir, table))
      return damaged
    },
    scrub: async (maxBytes) => {
      const listed = allTables.map(async (table) =>
        (await listPartitions(warehouseDir, table)).map((partition) => ({ table, partition })),
      )
      const all = (await Promise.all(listed)).flat().sort((a, b) => byFolder(a.partition, b.partition))
      const rest = all.filter(({ partition }) => partition.folder > scrubbed)
      let bytes = 0
      let files = 0
      let damaged = 0
      for (const { table, partition } of rest.length > 0 ? rest : all) {
        damaged += await verify(table, [partition], { thorough: true })
        scrubbed = partition.folder
        files += partition.parts.length
        bytes += await ownBytes(dataDir, relative(dataDir, partition.folder))
        if (bytes >= maxBytes) break
      }
      return { files, damaged }
    },
    forget: verifier.forget,
    save: verifier.save,
  }
}

const byFolder = (a: Partition, b: Partition) => (a.folder < b.folder ? -1 : 1)
