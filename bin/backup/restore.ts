import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import Database from 'libsql'
import { INCLUDE_UNREPORTED_CALLS } from '../../accounts/billing/overage.ts'
import { markState } from '../../api/state/marker.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { forEachOf } from '../../config/work-queue.ts'
import { holderText } from '../../warehouse/storage/file-lock.ts'
import { makeDataFolder, OF_THE_DISK, syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { holdDataFolder, otherUser } from '../../warehouse/storage/folder-use.ts'
import { removeOwnFiles } from '../../warehouse/storage/own-files.ts'
import {
  type Backup,
  type BackupFile,
  bytesOf,
  CONCURRENT_FILES,
  copyOrdinaryFile,
  digestOf,
  invalid,
  MANIFEST,
  type OnProgress,
} from './manifest.ts'

/** Files of the data folder that their owner alone may read, whatever a manifest says. */
const PRIVATE = /^(state\.sqlite|key-pepper)/

/**
 * Reads all files of a backup.
 * @throws HoldshortError BACKUP_INVALID when anything is not what was written.
 */
export async function verifyBackup({ manifest, place, contentOf }: Backup, onProgress: OnProgress): Promise<void> {
  const faults = await unnamedIn(place, manifest.files)
  await forEachFile(manifest.files, onProgress, async (file) => {
    const content = contentOf(file)
    const fault = await digestOf(content).then(
      async (sha256) => {
        const { size } = await stat(content)
        if (size !== file.bytes) return `${content} has ${size} bytes in place of ${file.bytes}`
        return sha256 === file.sha256 ? null : `${content} is damaged`
      },
      (error: NodeJS.ErrnoException) =>
        error.code === 'EFTYPE' || error.code === 'EISDIR'
          ? error.message
          : `${content} cannot be read (${error.code})`,
    )
    if (fault !== null) faults.push(`${file.path}: ${fault}`)
  })
  if (faults.length === 0) return
  const more = faults.length > 3 ? ` and ${faults.length - 3} more` : ''
  throw invalid(
    `the backup is not what was written: ${faults.slice(0, 3).join('; ')}${more}. Take an earlier one, or make one in a new folder: the next one here would link the same files`,
  )
}

/** Files in the folder of a backup that its manifest does not name. */
async function unnamedIn(place: string | null, files: readonly BackupFile[]): Promise<string[]> {
  if (place === null) return []
  const named = new Set([MANIFEST, ...files.map(({ path }) => path)])
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(place, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !named.has(path))
    .map((path) => `${path}: it is there and not in the manifest (delete it if you put it there)`)
}

/** Works on files, a few at a time, and reports the bytes that are done. */
async function forEachFile(
  files: readonly BackupFile[],
  onProgress: OnProgress,
  work: (file: BackupFile) => Promise<void>,
): Promise<void> {
  const total = bytesOf(files)
  let done = 0
  await forEachOf(files, CONCURRENT_FILES, async (file) => {
    await work(file)
    done += file.bytes
    onProgress(done, total)
  })
}

/**
 * Checks that a data folder may be restored into: one that does not exist, is empty, or holds an interrupted restore.
 * @throws UsageError; HoldshortError DATA_FOLDER_IN_USE
 */
async function requireFree(dataDir: string): Promise<void> {
  const found = await stat(dataDir).catch(() => null)
  if (found === null) return
  if (!found.isDirectory()) throw new UsageError(`data-dir: ${dataDir} is a file; name a folder`)
  const holder = await otherUser(dataDir)
  if (holder !== null)
    throw new HoldshortError(
      'DATA_FOLDER_IN_USE',
      `${dataDir} is used by ${holderText(holder)}; stop it, and restore into a new folder`,
    )
  const names = (await readdir(dataDir)).filter((name) => !['locks', OF_THE_DISK].includes(name))
  const isInterrupted = names.some((name) => join(dataDir, name).startsWith(dataPaths(dataDir).unfinished_restore))
  if (names.length > 0 && !isInterrupted)
    throw new UsageError(
      `data-dir: ${dataDir} is not empty (${names[0]}); a backup is restored into a new or an empty folder`,
    )
}

/**
 * Puts a backup into a data folder. While it does, a file there makes every other command refuse the folder; a restore
 * that was killed is done again from the beginning.
 */
export async function restoreBackup(
  { manifest, contentOf }: Backup,
  dataDir: string,
  onProgress: OnProgress,
): Promise<void> {
  await requireFree(dataDir)
  await makeDataFolder(dataDir)
  const { state, state_marker, unfinished_restore } = dataPaths(dataDir)
  await using _use = await holdDataFolder(dataDir)
  // Another restore may have filled it meanwhile.
  await requireFree(dataDir)
  await writeWhole(unfinished_restore, JSON.stringify({ started_at: manifest.started_at }), 0o600)
  await removeOwnFiles(dataDir, '', ['locks', basename(unfinished_restore)])
  const folders = new Set<string>([dataDir])
  await forEachFile(manifest.files, onProgress, async (file) => {
    const target = join(dataDir, file.path)
    await mkdir(dirname(target), { recursive: true })
    for (let folder = dirname(target); folder.length > dataDir.length; folder = dirname(folder)) folders.add(folder)
    await copyOrdinaryFile(contentOf(file), target)
    await syncPath(target)
    if ((await digestOf(target)) !== file.sha256) throw invalid(`${file.path} changed while it was being restored`)
    await chmod(target, PRIVATE.test(file.path) ? 0o600 : file.mode)
    await utimes(target, file.modified_ms / 1_000, file.modified_ms / 1_000)
  })
  for (const folder of folders) await syncPath(folder)
  if (existsSync(state)) {
    billNoCallTwice(state)
    // Another state in its place is refused from now on, not only from the first start.
    await markState(state, state_marker)
  }
  await rm(unfinished_restore)
  await syncPath(dataDir)
}

/** Includes the calls of a restored state that Stripe may know of by now. */
function billNoCallTwice(file: string): void {
  const database = new Database(file)
  try {
    // A backup of the first seconds of an installation has no tables yet.
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'overage_reports'").raw().all()
    if (tables.length > 0) database.exec(INCLUDE_UNREPORTED_CALLS)
  } finally {
    database.close()
  }
}
