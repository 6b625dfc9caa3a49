import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { folderSharers } from './folder-use.ts'
import { type OwnFile, removeEmptyFolder, surveyFolder } from './own-files.ts'

/** Younger half-written files may still be in use. A scratch folder is in use as long as its process uses the data folder. */
const MIN_AGE_MS = HOUR_MS

/**
 * Deletes what processes that were killed left in a data folder: the scratch folders of processes that no longer use it,
 * and half written files older than an hour. Returns the deleted paths, relative to the folder.
 */
export async function sweepLeftovers(dataDir: string, now: number): Promise<string[]> {
  // The names are read before the users: whoever makes a scratch folder already uses the data folder.
  const { files, folders } = await surveyFolder(dataDir)
  const halfWritten = files.filter(({ isHalfWritten }) => isHalfWritten)
  const emptied = folders.filter(({ isHalfWritten }) => isHalfWritten)
  const users = new Set([process.pid, ...(await folderSharers(dataDir)).map(({ pid }) => pid)])
  const isAbandoned = async ({ path, pid, isFolder }: OwnFile) => {
    if (pid !== null && users.has(pid)) return false
    if (isFolder && path.startsWith('scratch/')) return true
    const written = await stat(join(dataDir, path)).catch(() => null)
    return written !== null && now - written.mtimeMs > MIN_AGE_MS
  }
  const deleted: string[] = []
  const abandonedFolders: OwnFile[] = []
  for (const folder of emptied) if (await isAbandoned(folder)) abandonedFolders.push(folder)
  for (const file of halfWritten) {
    if (!(await isAbandoned(file))) continue
    await rm(join(dataDir, file.path), { recursive: file.isFolder, force: true })
    deleted.push(file.path)
  }
  for (const { path } of abandonedFolders) if (await removeEmptyFolder(join(dataDir, path))) deleted.push(path)
  return deleted
}
