import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import { listFolders, liveAndReplaced, type PartFile, partFiles } from '../storage/layout.ts'
import { allTables } from '../tables/index.ts'
import type { FileEntry } from './head.ts'

/** A path below the data folder, with `/`. */
export const innerPath = (dataDir: string, path: string) => relative(dataDir, path).split(sep).join('/')

/** The folders of all tables on the disk that hold part files, absolute. */
export async function partFolders(dataDir: string): Promise<string[]> {
  const { warehouse } = dataPaths(dataDir)
  const folders = await Promise.all(allTables.map((table) => listFolders(warehouse, table)))
  return folders.flat().map(({ folder }) => folder)
}

/** The live part files of a folder on the disk. */
export async function livePartsIn(folder: string): Promise<PartFile[]> {
  return liveAndReplaced(partFiles(await readdir(folder).catch(() => []))).live
}

/** The part file that a path names; null for another file. */
export const partOf = (path: string): PartFile | null => partFiles([basename(path)])[0] ?? null

/** What a process writes beside a model before it gives it its name. */
const DRAFT = /^\.|\.(draft|tmp|\d+)$/

/** The paths of the models and of what is kept beside them, and of the mark, relative to the data folder. */
export async function otherFiles(dataDir: string): Promise<string[]> {
  const { models, world } = dataPaths(dataDir)
  const paths: string[] = (await stat(world).catch(() => null))?.isFile() ? [innerPath(dataDir, world)] : []
  const look = async (folder: string) => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      if (DRAFT.test(entry.name)) continue
      if (entry.isDirectory()) await look(path)
      else if (entry.isFile()) paths.push(innerPath(dataDir, path))
    }
  }
  await look(models)
  return paths
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Digests of files that can change under their path, until they do. */
export function digestCache() {
  const known = new Map<string, { fingerprint: string; entry: FileEntry }>()
  return async (path: string): Promise<{ entry: FileEntry; bytes: Uint8Array | null }> => {
    const { size, mtimeMs, ino } = await stat(path)
    const fingerprint = `${size}/${mtimeMs}/${ino}`
    const found = known.get(path)
    if (found?.fingerprint === fingerprint) return { entry: found.entry, bytes: null }
    const bytes = await readFile(path)
    const entry: FileEntry = [sha256Of(bytes), bytes.byteLength]
    known.set(path, { fingerprint, entry })
    return { entry, bytes }
  }
}

/** The folder of an inner path, absolute. */
export const folderOf = (dataDir: string, path: string) => dirname(join(dataDir, path))
