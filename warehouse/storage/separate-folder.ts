import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'

/**
 * Refuses a data folder that lies within that of another installation, whose files are also those of another folder, or in which an
 * installation would begin among the files of somebody.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE
 */
export function requireSeparateFolder(dataDir: string): void {
  requireOutermost(dataDir)
  requireOwnFiles(dataDir)
  requireNoProject(dataDir)
}

/** What shows that a folder is a project of somebody. A home folder may be that of the service's own user. */
const OF_A_PROJECT = ['.git', 'package.json']

/**
 * Refuses to begin in a project or the root of the file system, among whose files ours would be lost sight of.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE
 */
function requireNoProject(dataDir: string): void {
  const { root, world, state, pepper, warehouse_file } = dataPaths(resolve(dataDir))
  const isShared = root === dirname(root) || OF_A_PROJECT.some((name) => existsSync(join(root, name)))
  if (!isShared || [world, state, pepper, warehouse_file].some((path) => existsSync(path))) return
  throw new HoldshortError(
    'DATA_FOLDER_UNUSABLE',
    `${dataDir} is a project or a whole disk, and no place for a new installation; name an empty folder with --data-dir or HOLDSHORT_DATA_DIR`,
  )
}

/** The data folder of which a path is a part, or lies in one, such as `data/warehouse`; null for none. */
function folderAround(path: string): string | null {
  const parent = dirname(path)
  if (parent === path) return null
  const { world, ...parts } = dataPaths(parent)
  return existsSync(world) && Object.values(parts).includes(path) ? parent : folderAround(parent)
}

/** Refuses a data folder one level too deep: a second installation would begin within the first. @throws HoldshortError DATA_FOLDER_UNUSABLE */
function requireOutermost(dataDir: string): void {
  const around = folderAround(resolve(dataDir))
  if (around !== null)
    throw new HoldshortError('DATA_FOLDER_UNUSABLE', `${dataDir} is a part of the data folder ${around}; name that one`)
}

/** An ordinary file with several names; null for everything else, which others name. */
function fileOfSeveralNames(path: string): Stats | null {
  try {
    const found = lstatSync(path)
    return found.isFile() && found.nlink > 1 ? found : null
  } catch {
    return null
  }
}

/** Whether a file has a name elsewhere than in its folder. */
function isElsewhereToo(path: string): boolean {
  const found = fileOfSeveralNames(path)
  if (found === null) return false
  const folder = dirname(path)
  const beside = readdirSync(folder).filter((name) => fileOfSeveralNames(join(folder, name))?.ino === found.ino)
  // A process that makes or repairs the file gives it a second name for a moment.
  return Math.min(found.nlink, fileOfSeveralNames(path)?.nlink ?? 1) > Math.max(1, beside.length)
}

/**
 * Refuses a data folder that was copied by hard links (`cp -al`): the state and the warehouse are written in place, each with a log beside
 * its name, so that two installations would overwrite each other's rows. @throws HoldshortError DATA_FOLDER_UNUSABLE
 */
function requireOwnFiles(dataDir: string): void {
  const { state, warehouse_file } = dataPaths(dataDir)
  const shared = [state, warehouse_file].find(isElsewhereToo)
  if (shared !== undefined)
    throw new HoldshortError(
      'DATA_FOLDER_UNUSABLE',
      `${shared} is a file of another folder too (a hard link, as cp -al makes), and both would write it; with every process of both stopped, copy this folder with cp -a and go on with the copy`,
    )
}
