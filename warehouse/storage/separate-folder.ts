import { existsSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'

/**
 * Refuses a data folder that lies within that of another installation, whose files are also those of another folder, or in which an
 * installation would begin beside files of somebody else.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE
 */
export function requireSeparateFolder(dataDir: string): void {
  requireOutermost(dataDir)
  requireOwnFiles(dataDir)
  if (!isBegun(dataDir)) requireNothingForeign(dataDir)
}

/** What the system, a version control or a file manager puts into a folder that is empty for people. */
const OF_NOBODY =
  /^(lost\+found|\.(git)?keep|\.gitignore|\.placeholder|\.DS_Store|\.fseventsd|\.Spotlight-V100|\.Trash.*|\.snapshots?|\.nfs.*)$/

/** Whether an installation was begun in a folder: what each has from its first moment, or a mark that its operator has written. */
function isBegun(dataDir: string): boolean {
  const { world, state, warehouse_file, locks, snapshots, pepper, unfinished_restore, unfinished_repair } =
    dataPaths(dataDir)
  const marks = [
    world,
    state,
    pepper,
    warehouse_file,
    join(snapshots, 'CURRENT'),
    unfinished_restore,
    unfinished_repair,
  ]
  const isThere = (path: string) => namesIn(dirname(path)).includes(basename(path))
  return marks.some(isThere) || namesIn(locks).some((name) => name.endsWith('.lock'))
}

/** The names in a folder; none where it is absent or cannot be read, which others name. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The demo's own folder lies by default in that of the installation. */
const isDemo = (path: string) => basename(path) === 'demo' && existsSync(dataPaths(path).world)

/** Refuses to begin in a folder of somebody else, such as a project or a home folder. @throws HoldshortError DATA_FOLDER_UNUSABLE */
function requireNothingForeign(dataDir: string): void {
  const { root, world, ...parts } = dataPaths(dataDir)
  const ours = [world, ...Object.values(parts)].map((path) => basename(path))
  // Beside a file of ours lie its drafts.
  const isOurs = (name: string) => ours.some((own) => name === own || (own.includes('.') && name.startsWith(own)))
  const foreign = namesIn(root).filter((name) => !OF_NOBODY.test(name) && !isOurs(name) && !isDemo(join(root, name)))
  if (foreign.length === 0) return
  const named = foreign.sort().slice(0, 3).join(', ')
  throw new HoldshortError(
    'DATA_FOLDER_UNUSABLE',
    `${dataDir} holds files that are not of an installation (${named}${foreign.length > 3 ? ', …' : ''}), and a new one begins in an empty folder; name another one with --data-dir or HOLDSHORT_DATA_DIR, or, if it shall lie beside them, write {"simulated":false} into ${world}`,
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
