import { createReadStream } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../../config/errors.ts'
import { forEachOf } from '../../config/work-queue.ts'
import { type FileLock, takeOnlyLock } from '../../warehouse/storage/file-lock.ts'
import { syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { readOrdinaryText, requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import type { Contents, SourceFile } from './contents.ts'
import { copyDigested, type Digest, digestOfFile } from './copy-file.ts'
import { contentDraft, DRAFTS, GENERATIONS, holdsOnlyDrafts } from './drafts.ts'
import {
  type AboutBackup,
  type BackupFile,
  bytesOf,
  generationOf,
  HEADER_FILE,
  headerText,
  invalid,
  type Manifest,
  manifestFile,
  readHeader,
  readManifest,
} from './manifest.ts'

/**
 * A folder of backups. Each content is stored once, as `objects/<first two digits>/<SHA-256>`; a backup is a manifest in
 * `generations/`, which is written last. A backup that is killed leaves the earlier ones as they were, and what it copied
 * need not be copied again.
 */
const OBJECTS = 'objects'
const LOCKS = 'locks'

const CONCURRENT_FILES = 8
const OBJECT_NAME = /^[0-9a-f]{64}$/

const objectPath = (folder: string, sha256: string) => join(folder, OBJECTS, sha256.slice(0, 2), sha256)

export interface BackupResult {
  generation: number
  files: number
  bytes: number
  copied_files: number
  copied_bytes: number
}

export type OnProgress = (done: number, total: number) => void

/** Names of the manifests of a folder of backups, oldest first. */
export async function listGenerations(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, GENERATIONS)).catch(() => [])
  return names.filter((name) => generationOf(name) !== null).sort()
}

/**
 * Uses a folder for backups; an empty or missing one becomes one at once, so that a first backup that is killed leaves a folder of
 * backups that has none yet.
 * @throws UsageError for a folder of somebody else; HoldshortError CONFLICT while another backup is written to it.
 */
export async function openRepository(folder: string): Promise<FileLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  if (!names.includes(HEADER_FILE)) {
    const foreign = names.filter((name) => name !== LOCKS && !name.startsWith(`${HEADER_FILE}.`))
    // The first backup of a folder is being collected, or was killed then.
    const isBegun = foreign.length === 1 && foreign[0] === DRAFTS && (await holdsOnlyDrafts(join(folder, DRAFTS)))
    if (foreign.length > 0 && !isBegun)
      throw new UsageError(
        `target: ${folder} is not empty and holds no backup (${foreign[0]}); name an empty or a new folder`,
      )
  } else
    readHeader(
      await readOrdinaryText(join(folder, HEADER_FILE)).catch((cause: Error) => {
        throw invalid(cause.message, cause)
      }),
    )
  const lock = await takeOnlyLock(folder, join(folder, LOCKS), 'backup')
  try {
    const header = join(folder, HEADER_FILE)
    if ((await lstat(header).catch(() => null)) === null) await writeWhole(header, headerText(null), 0o600)
    return lock
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Checks that a folder holds no backups of another installation, whose oldest ones would be deleted. */
async function claimFor(folder: string, installation: string | null): Promise<void> {
  const path = join(folder, HEADER_FILE)
  const text = await readOrdinaryText(path).catch(() => null)
  const owner = text === null ? null : readHeader(text).installation
  if (owner !== null && installation !== null && owner !== installation)
    throw new UsageError(
      `target: ${folder} holds the backups of another installation (or of an earlier state); name another folder`,
    )
  if (text === null || (owner === null && installation !== null))
    await writeWhole(path, headerText(installation), 0o600)
}

/** Copies what a folder of backups lacks of some files. `known` are those of the newest backup: what is as it was then is not read again. */
async function copyContents(
  folder: string,
  contents: readonly SourceFile[],
  known: ReadonlyMap<string, BackupFile>,
  onProgress: OnProgress,
): Promise<Pick<BackupResult, 'copied_files' | 'copied_bytes'> & { files: BackupFile[] }> {
  const stored: (BackupFile | null)[] = contents.map(() => null)
  const changedFolders = new Set([join(folder, OBJECTS)])
  const copied = { copied_files: 0, copied_bytes: 0 }
  const progress = progressOf(contents, onProgress)
  const add = async (source: string, index: number): Promise<Digest> => {
    const draft = join(folder, DRAFTS, contentDraft(index))
    const digest = await copyDigested(source, draft)
    const object = objectPath(folder, digest.sha256)
    if (await hasObject(folder, digest)) await rm(draft)
    else {
      await mkdir(dirname(object), { recursive: true, mode: 0o700 })
      await rename(draft, object)
      changedFolders.add(dirname(object))
      copied.copied_files += 1
      copied.copied_bytes += digest.bytes
    }
    return digest
  }
  const copy = async ({ path, source, bytes, mode, modified_ms, isFixed }: SourceFile, index: number) => {
    const earlier = isFixed ? known.get(path) : undefined
    const isKnown =
      earlier?.bytes === bytes && earlier.modified_ms === modified_ms && (await hasObject(folder, earlier))
    const digest = isKnown ? earlier : await add(source, index)
    return { path, sha256: digest.sha256, bytes: digest.bytes, mode, modified_ms }
  }
  await forEachOf([...contents.entries()], CONCURRENT_FILES, async ([index, file]) => {
    // A raw capture that retention has deleted since is not part of the backup.
    stored[index] = await copy(file, index).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && error.path === file.source && file.path.startsWith('raw/')) return null
      throw error
    })
    progress(file)
  })
  for (const changed of changedFolders) await syncPath(changed).catch(() => undefined)
  return Object.assign(copied, { files: stored.filter((file) => file !== null) })
}

/** Reports the bytes that are done, after each file. */
function progressOf(files: readonly { bytes: number }[], onProgress: OnProgress): (file: { bytes: number }) => void {
  const total = bytesOf(files)
  let done = 0
  return ({ bytes }) => {
    done += bytes
    onProgress(done, total)
  }
}

/** Writes a backup of some contents into an open folder of backups. */
export async function writeGeneration(
  folder: string,
  contents: Contents,
  about: AboutBackup,
  keep: number,
  onProgress: OnProgress,
): Promise<BackupResult> {
  await claimFor(folder, contents.installation)
  const names = await listGenerations(folder)
  const known = await knownContents(folder, names.at(-1))
  const { files, copied_files, copied_bytes } = await copyContents(folder, contents.files, known, onProgress)
  const generation = Math.max(0, ...names.map((name) => generationOf(name) ?? 0)) + 1
  const { name, text } = manifestFile(generation, contents, about, files)
  await mkdir(join(folder, GENERATIONS), { recursive: true, mode: 0o700 })
  await writeWhole(join(folder, GENERATIONS, name), text, 0o600)
  await prune(folder, keep)
  return { generation, files: files.length, bytes: bytesOf(files), copied_files, copied_bytes }
}

/** The files of the newest backup by path; none when it cannot be read. */
async function knownContents(folder: string, newest: string | undefined): Promise<Map<string, BackupFile>> {
  if (newest === undefined) return new Map()
  try {
    const { files } = readManifest(newest, await readOrdinaryText(join(folder, GENERATIONS, newest)))
    return new Map(files.map((file) => [file.path, file]))
  } catch {
    return new Map()
  }
}

async function hasObject(folder: string, { sha256, bytes }: Digest): Promise<boolean> {
  const found = await stat(objectPath(folder, sha256)).catch(() => null)
  return found?.isFile() === true && found.size === bytes
}

/** Deletes the backups beyond the newest ones, and the contents that no backup has any more. */
async function prune(folder: string, keep: number): Promise<void> {
  const names = await listGenerations(folder)
  const dropped = names.slice(0, Math.max(0, names.length - keep))
  if (dropped.length === 0) return
  const needed = new Set<string>()
  for (const name of names.slice(dropped.length)) {
    try {
      const text = await readOrdinaryText(join(folder, GENERATIONS, name))
      for (const { sha256 } of readManifest(name, text).files) needed.add(sha256)
    } catch {
      // What a damaged manifest needs is unknown, so nothing is deleted.
      return
    }
  }
  for (const name of dropped) await rm(join(folder, GENERATIONS, name), { force: true })
  await syncPath(join(folder, GENERATIONS))
  for (const prefix of await readdir(join(folder, OBJECTS)).catch(() => [])) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue
    for (const name of await readdir(join(folder, OBJECTS, prefix)))
      if (OBJECT_NAME.test(name) && !needed.has(name)) await rm(join(folder, OBJECTS, prefix, name), { force: true })
    await rmdir(join(folder, OBJECTS, prefix)).catch(() => undefined)
  }
}

/** The manifest of a backup in a folder: of the newest one, or of a given generation. @throws HoldshortError BACKUP_INVALID */
export async function readGeneration(folder: string, generation: number | null): Promise<Manifest> {
  readHeader(
    await readOrdinaryText(join(folder, HEADER_FILE)).catch((cause) => {
      throw invalid(`${folder} holds no backup of this program`, cause)
    }),
  )
  const names = await listGenerations(folder)
  const found = names.map((name) => generationOf(name)).join(', ')
  const name = generation === null ? names.at(-1) : names.find((candidate) => generationOf(candidate) === generation)
  if (name === undefined)
    throw invalid(
      names.length === 0
        ? `${folder} holds no complete backup`
        : `generation: ${folder} holds the generations ${found}`,
    )
  try {
    return readManifest(name, await readOrdinaryText(join(folder, GENERATIONS, name)))
  } catch (error) {
    const reason = (error as Error).message
    throw invalid(`${reason}; choose an earlier one with --generation (there are ${found})`, error)
  }
}

/** Why the contents of a backup in a folder are not what was written, each after the path of its file; empty when all are. */
export async function verifyGeneration(folder: string, { files }: Manifest, onProgress: OnProgress): Promise<string[]> {
  const faults: string[] = []
  const progress = progressOf(files, onProgress)
  await forEachOf(files, CONCURRENT_FILES, async (file) => {
    const object = objectPath(folder, file.sha256)
    const fault = await digestOfFile(object).then(
      ({ sha256 }) => (sha256 === file.sha256 ? null : `${object} is damaged`),
      (error: NodeJS.ErrnoException) =>
        error.code === 'EFTYPE' || error.code === 'EISDIR' ? error.message : `${object} cannot be read (${error.code})`,
    )
    if (fault !== null) faults.push(`${file.path}: ${fault}`)
    progress(file)
  })
  return faults
}

/** Gives the content of each file of a backup in a folder. */
export async function extractGeneration(
  folder: string,
  { files }: Manifest,
  onProgress: OnProgress,
  write: (file: BackupFile, content: NodeJS.ReadableStream) => Promise<void>,
): Promise<void> {
  const progress = progressOf(files, onProgress)
  await forEachOf(files, CONCURRENT_FILES, async (file) => {
    const object = objectPath(folder, file.sha256)
    await requireOrdinaryFile(object)
    await write(file, createReadStream(object))
    progress(file)
  })
}
