import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { draftPath } from './draft-names.ts'
import { requireSeparateFolder } from './separate-folder.ts'

/** The folder that a new file system contains: with it alone a folder counts as empty. */
export const OF_THE_DISK = 'lost+found'

const NO_FOLDER = 'it is not a folder'

/** Why a folder cannot be at a path: something else is. Null if a folder or nothing is. */
export function folderFault(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || statSync(path).isDirectory()) return null
    return NO_FOLDER
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'it is a link that leads nowhere; the disk of its target may not be mounted'
    return REASONS[code] ?? code
  }
}

/** The operating system's errors about a path that cannot be made or used. */
const REASONS: Record<string, string> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it lies below a file',
  EEXIST: NO_FOLDER,
  ENOENT: 'the file system does not allow folders there',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** Advice where the system mounted a disk without the right to write. */
export const READ_ONLY_REMEDY =
  "the disk is read-only, maybe after an error of its own: read the kernel's log (dmesg), repair it and mount it again"

/** The codes with which a file system refuses to be written to. */
export const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM']

/** Turns the error of a folder that cannot be made or written into DATA_FOLDER_UNUSABLE or DISK_FULL; others pass unchanged. */
export function asUnusable(path: string, cause: unknown): unknown {
  const { code = '' } = cause as NodeJS.ErrnoException
  const reason = code === 'EEXIST' ? (folderFault(path) ?? NO_FOLDER) : REASONS[code]
  if (reason === undefined) return asDiskFull(cause, path)
  return new HoldshortError('DATA_FOLDER_UNUSABLE', `${path} cannot be used: ${reason} (${code})`, { cause })
}

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() ?? false

const isRoot = () => process.getuid?.() === 0

/** Gives a new file or folder to the owner of the folder that it lies in, where root works in the folder of another user. */
export function keepOwner(path: string): void {
  if (!isRoot()) return
  const { uid, gid } = statSync(dirname(path))
  const made = lstatSync(path, { throwIfNoEntry: false })
  // A second name may be that of a file elsewhere, which is not this user's to give away.
  if (uid === 0 || made?.uid !== 0 || (made.isFile() && made.nlink > 1)) return
  lchownSync(path, uid, gid)
}

const STARTED_MS = Date.now()
const foldersOfOthers = new Set<string>()

/**
 * Gives all that root makes in the data folder of another user to that user when this process ends: the service could not read or
 * replace it otherwise. The engine and SQLite make files of their own.
 */
function keepOwnerAtExit(dataDir: string): void {
  if (!isRoot() || foldersOfOthers.has(dataDir) || (statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0) === 0)
    return
  foldersOfOthers.add(dataDir)
  process.once('exit', () => {
    // Outermost first, because the owner of a folder decides for what is in it.
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.uid === 0 && found.ctimeMs >= STARTED_MS) keepOwner(path)
    }
  })
}

/** Makes one folder; it may exist already. */
async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode)
    keepOwner(path)
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT' && (await isFolder(path))
    if (!isThere) throw error
  }
}

/**
 * Makes a folder for this user only, with the folders above it. It does not use the recursive mkdir of Node.js, which
 * never ends where the system answers ENOENT although the parent exists, as in /proc.
 * @throws HoldshortError DATA_FOLDER_UNUSABLE, DISK_FULL
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let path = folder; !(await isFolder(path)) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing)
    await makeOne(path, path === folder ? 0o700 : 0o777).catch((error) => {
      throw asUnusable(folder, error)
    })
}

/** Makes a data folder. @throws HoldshortError DATA_FOLDER_UNUSABLE, DISK_FULL */
export async function makeDataFolder(dataDir: string): Promise<void> {
  requireSeparateFolder(dataDir)
  await makePrivateFolder(dataDir)
  keepOwnerAtExit(dataDir)
}

/**
 * Makes a folder below one that exists, level by level; returns its path.
 * @throws HoldshortError DATA_FOLDER_GONE when the upper folder no longer exists: what was moved away must not come to life
 * again, empty, at its old place.
 */
export async function makeFolder(root: string, ...levels: string[]): Promise<string> {
  let path = root
  for (const level of levels) {
    path = join(path, level)
    try {
      await makeOne(path, 0o777)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && !(await isFolder(root)))
        throw new HoldshortError('DATA_FOLDER_GONE', `${root} no longer exists; it was moved or deleted`, { cause })
      throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? asUnusable(path, cause) : asDiskFull(cause)
    }
  }
  keepOwnerAtExit(root)
  return path
}

/** Forces a file or folder to the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a file atomically: under a temporary name beside it, synced, then renamed. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temporary = draftPath(path)
  try {
    await writeFile(temporary, content, { mode, flush: true })
    keepOwner(temporary)
    await rename(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
      // An empty folder in the place of the file holds nothing that anybody could miss.
      if (error.code !== 'EISDIR') throw error
      await rmdir(path)
      await rename(temporary, path)
    })
    await syncPath(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw asDiskFull(error, path)
  }
}

/** The engine's error where its scratch folder takes no more of what does not fit into memory, with how much it has taken. */
const SPILL_FULL = /failed to offload data block[^(]*\((.+?) used\)/

/** Turns the error of a full disk, or of a limit of the size of files, from whichever layer, into DISK_FULL for a path; other errors pass unchanged. */
export function asDiskFull(error: unknown, path = 'the data folder'): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'EFBIG' || /file too large/i.test(message ?? '')) {
    const text = `a file of ${path} may not become as large as it must: the file system or this user (ulimit -f) has a limit`
    return new HoldshortError('DISK_FULL', text, { cause: error })
  }
  const [, used] = SPILL_FULL.exec(message ?? '') ?? []
  if (used !== undefined) {
    const text = `the scratch folder has no space left for what does not fit into memory (${used} used); free space, or work on less at once`
    return new HoldshortError('DISK_FULL', text, { cause: error })
  }
  const full = code === 'ENOSPC' || code === 'EDQUOT' || /no space left|disk quota/i.test(message ?? '')
  if (!full) return error
  const text = `${path} has no space left: its disk is full of bytes (df) or of files (df -i), or the quota of this user is used up`
  return new HoldshortError('DISK_FULL', text, { cause: error })
}
