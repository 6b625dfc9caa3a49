import { readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import type { Table } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { CLAIM_FOLDER, WITHDRAWN_FOLDER } from './claim.ts'
import { makeFolder } from './files.ts'
import {
  dayOfMonth,
  hasDays,
  hiveFolders,
  PART_FILE,
  partFileName,
  partFiles,
  partitionFolder,
  REPLACED_FILE,
  replacedPath,
  tableFolder,
} from './layout.ts'
import { withWriteLock } from './lock.ts'
import { removeEmptyFolder } from './own-files.ts'

/** The folders of days that an earlier release wrote: it had a folder for each day where there is now one for each month. */
async function dayFolders(root: string, table: Table): Promise<{ folder: string; values: Record<string, string> }[]> {
  if (!hasDays(table)) return []
  const columns = table.partition.map(({ name }) => name)
  const folders = await hiveFolders(tableFolder(root, table), columns)
  return folders.filter(({ values }) => /^\d{4}-\d\d-\d\d$/.test(values['date'] ?? ''))
}

/**
 * Moves the files of an earlier release from the folders of their days to those of their months. Only names change, so a crash
 * at any instant loses nothing and the next opening goes on. `onMoved` is called with each folder, relative to the data folder.
 */
export async function moveDayFolders(dataDir: string, onMoved: (folder: string) => void): Promise<void> {
  const { warehouse, quarantine, locks } = dataPaths(dataDir)
  const find = async () => {
    const found: { root: string; table: Table; folder: string; values: Record<string, string> }[] = []
    for (const root of [warehouse, quarantine])
      for (const table of allTables)
        for (const { folder, values } of await dayFolders(root, table)) found.push({ root, table, folder, values })
    return found
  }
  if ((await find()).length === 0) return
  await withWriteLock(locks, async () => {
    for (const { root, table, folder, values } of await find()) {
      onMoved(relative(dataDir, folder).split(sep).join('/'))
      await moveFiles(dataDir, folder, partitionFolder(root, table, values), dayOfMonth(values)!)
    }
  })
}

async function moveFiles(dataDir: string, from: string, to: string, day: number): Promise<void> {
  const names = await readdir(from)
  await makeFolder(dataDir, ...relative(dataDir, to).split(sep))
  const named = (name: string, pattern: RegExp) =>
    partFiles([name], pattern).map(({ kind, number, digest }) => partFileName(kind, number, digest, { day }))
  for (const name of names) {
    if (CLAIM_FOLDER.test(name) || WITHDRAWN_FOLDER.test(name)) await rm(join(from, name), { recursive: true })
    for (const target of named(name, PART_FILE)) await rename(join(from, name), join(to, target))
    for (const target of named(name, REPLACED_FILE)) await rename(join(from, name), replacedPath(join(to, target)))
  }
  // A file of somebody else keeps its folder.
  await removeEmptyFolder(from)
}
