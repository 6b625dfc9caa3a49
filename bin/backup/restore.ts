import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { holderText } from '../../warehouse/storage/file-lock.ts'
import { makeDataFolder, syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { holdDataFolder, otherUser } from '../../warehouse/storage/folder-use.ts'
import { removeOwnFiles } from '../../warehouse/storage/own-files.ts'
import { writeDigested } from './copy-file.ts'
import { invalid, type Manifest } from './manifest.ts'
import { extractGeneration, type OnProgress, readGeneration, verifyGeneration } from './repository.ts'

/** Files of the data folder that their owner alone may read, whatever a manifest says. */
const PRIVATE = /^(state\.sqlite|key-pepper)/

/**
 * Finds a backup in a folder and reads all of it.
 * @throws HoldshortError BACKUP_INVALID when anything is not what was written.
 */
export async function verifyBackup(path: string, generation: number | null, onProgress: OnProgress): Promise<Manifest> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new UsageError(`backup: ${path} does not exist`)
  if (!found.isDirectory()) throw new UsageError(`backup: ${path} is not a folder`)
  const manifest = await readGeneration(path, generation)
  const faults = await verifyGeneration(path, manifest, onProgress)
  if (faults.length === 0) return manifest
  const more = faults.length > 3 ? ` and ${faults.length - 3} more` : ''
  throw invalid(
    `${path} is not what was written: ${faults.slice(0, 3).join('; ')}${more}. Choose an earlier one with --generation.`,
  )
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
  const names = (await readdir(dataDir)).filter((name) => name !== 'locks')
  const isInterrupted = names.some((name) => join(dataDir, name).startsWith(dataPaths(dataDir).unfinished_restore))
  if (names.length > 0 && !isInterrupted)
    throw new UsageError(
      `data-dir: ${dataDir} is not empty (${names[0]}); a backup is restored into a new or an empty folder`,
    )
}

/** Writes the file that makes other commands refuse the folder; a new folder appears together with it. */
async function markUnfinished(
  dataDir: string,
  { generation, started_at }: Pick<Manifest, 'generation' | 'started_at'>,
): Promise<void> {
  const text = JSON.stringify({ generation, started_at })
  if (existsSync(dataDir)) return writeWhole(dataPaths(dataDir).unfinished_restore, text, 0o600)
  await makeDataFolder(dirname(dataDir))
  const draft = `${dataDir}.restore-${process.pid}`
  try {
    await mkdir(draft, 0o700)
    await writeWhole(dataPaths(draft).unfinished_restore, text, 0o600)
    await rename(draft, dataDir)
    await syncPath(dirname(dataDir))
  } catch {
    await rm(draft, { recursive: true, force: true })
    // Says why the folder cannot be made.
    await makeDataFolder(dataDir)
    await writeWhole(dataPaths(dataDir).unfinished_restore, text, 0o600)
  }
}

/**
 * Puts a backup into a data folder. While it does, a file there makes every other command refuse the folder; a restore
 * that was killed is done again from the beginning.
 */
export async function restoreBackup(
  path: string,
  manifest: Manifest,
  dataDir: string,
  onProgress: OnProgress,
): Promise<void> {
  await requireFree(dataDir)
  await markUnfinished(dataDir, manifest)
  await using _use = await holdDataFolder(dataDir)
  const { unfinished_restore } = dataPaths(dataDir)
  await removeOwnFiles(dataDir, '', ['locks', basename(unfinished_restore)])
  const folders = new Set<string>([dataDir])
  await extractGeneration(path, manifest, onProgress, async (file, content) => {
    const target = join(dataDir, file.path)
    await mkdir(dirname(target), { recursive: true })
    for (let folder = dirname(target); folder.length > dataDir.length; folder = dirname(folder)) folders.add(folder)
    const { sha256 } = await writeDigested(content, target)
    if (sha256 !== file.sha256) throw invalid(`${file.path} changed while it was being restored`)
    await chmod(target, PRIVATE.test(file.path) ? 0o600 : file.mode)
    await utimes(target, file.modified_ms / 1_000, file.modified_ms / 1_000)
  })
  for (const folder of folders) await syncPath(folder)
  await rm(unfinished_restore)
  await syncPath(dataDir)
}
