import { join, relative } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import { allTables } from '../tables/index.ts'
import { listFolders } from './layout.ts'

/** Paths of the files in quarantine, relative to it. */
export async function quarantinedFiles(dataDir: string): Promise<string[]> {
  const { quarantine } = dataPaths(dataDir)
  const folders = await Promise.all(allTables.map((table) => listFolders(quarantine, table)))
  return folders
    .flat()
    .flatMap(({ folder, parts }) => parts.map(({ name }) => relative(quarantine, join(folder, name))))
}
