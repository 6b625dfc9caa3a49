import { relative, sep } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { type DamagedFile, openVerifier, quarantineFiles } from './damage.ts'
import {
  hideReplaced,
  listFolders,
  livePaths,
  type Partition,
  partitionsOf,
  readFolder,
  type TableFolder,
} from './layout.ts'
import { ownBytes } from './own-files.ts'

/**
 * The files of a warehouse without the damaged ones: what is damaged is fetched again from the second copy if there is one,
 * else moved to quarantine, or left out where it cannot be moved.
 */
export interface SoundFiles {
  /** All partitions of a table. */
  partitions: (table: Table) => Promise<Partition[]>
  /** Partitions that were listed before, those of folders that have changed since read again. */
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

  /** Verifies folders and gets damaged files out of the way; returns how many there were. */
  const verify = async (table: Table, folders: TableFolder[], options?: { thorough: boolean }): Promise<number> => {
    const damaged = await verifier.damagedFiles(table, folders, options)
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
    const folders = await listFolders(warehouseDir, table)
    for (const folder of folders) hideReplaced(folder)
    const sound = (await verify(table, folders)) === 0 ? folders : await listFolders(warehouseDir, table)
    return sound.flatMap((folder) => partitionsOf(table, folder))
  }
  return {
    partitions: soundPartitions,
    withChanges: async (table, known, changed) => {
      const reread = await Promise.all([...changed.values()].map((values) => readFolder(warehouseDir, table, values)))
      if ((await verify(table, reread)) > 0) return soundPartitions(table)
      const unchanged = known.filter(({ folder }) => !changed.has(folder))
      return [...unchanged, ...reread.flatMap((folder) => partitionsOf(table, folder))].sort(byFolder)
    },
    paths: (partitions) => livePaths(partitions).filter((path) => !excluded.has(path)),
    verifyAll: async () => {
      let damaged = 0
      for (const table of allTables) damaged += await verify(table, await listFolders(warehouseDir, table))
      return damaged
    },
    scrub: async (maxBytes) => {
      const listed = allTables.map(async (table) =>
        (await listFolders(warehouseDir, table)).map((folder) => ({ table, folder })),
      )
      const all = (await Promise.all(listed)).flat().sort((a, b) => byFolder(a.folder, b.folder))
      const rest = all.filter(({ folder }) => folder.folder > scrubbed)
      let bytes = 0
      let files = 0
      let damaged = 0
      for (const { table, folder } of rest.length > 0 ? rest : all) {
        damaged += await verify(table, [folder], { thorough: true })
        scrubbed = folder.folder
        files += folder.parts.length
        bytes += await ownBytes(dataDir, relative(dataDir, folder.folder))
        if (bytes >= maxBytes) break
      }
      return { files, damaged }
    },
    forget: verifier.forget,
    save: verifier.save,
  }
}

const byFolder = (a: { folder: string }, b: { folder: string }) =>
  a.folder < b.folder ? -1 : Number(a.folder > b.folder)
