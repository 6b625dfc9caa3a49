import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { takeOnlyLock } from '../storage/file-lock.ts'
import { makeFolder, syncPath, writeWhole } from '../storage/files.ts'
import { readOrdinaryText } from '../storage/ordinary-file.ts'
import { removeEmptyFolder } from '../storage/own-files.ts'
import { DOCUMENTS, Exclusion, ExportedFile, MANIFEST_FILE } from './manifest.ts'

/** The list of this program's files in the folder, which separates them from others. It is no part of the export. */
const STATE_FILE = '.holdshort-export.json'
/** Files of an export that is under way, and its lock. No glob over the tables finds them. */
export const STAGING = '.holdshort-export'
const LOCKS = 'locks'

const Month = z.strictObject({
  /** Changes when the rows may have changed, or what is done with them. */
  inputs: z.string(),
  file: ExportedFile.nullable(),
  left_out: z.array(Exclusion),
})
export type ExportedMonth = z.infer<typeof Month>

const Content = z.strictObject({
  /** Months by `<table>/<month>`. */
  months: z.record(z.string(), Month),
  csvs: z.array(ExportedFile),
  /** SHA-256 of each document. */
  documents: z.record(z.string(), z.string()),
})
/** The content of an exported folder. */
export type ExportContent = z.infer<typeof Content>

const State = z.strictObject({
  holdshort_export: z.literal(1),
  content: Content,
  /** The next content while its files are being moved into their places; null at all other times. */
  pending: Content.nullable(),
})
type State = z.infer<typeof State>

const EMPTY: ExportContent = { months: {}, csvs: [], documents: {} }

/** The files of an export with their digests, by path. */
function filesOf({ months, csvs, documents }: ExportContent): Map<string, string> {
  const files = [...Object.values(months).flatMap(({ file }) => (file ? [file] : [])), ...csvs]
  return new Map([...files.map(({ path, sha256 }) => [path, sha256] as const), ...Object.entries(documents)])
}

/** A folder that this process alone exports into. */
export interface ExportFolder {
  /** Folder of the next export's files, by their later paths. */
  staging: string
  content: ExportContent
  /** Whether a file of the export is in its place, with the length that was written. */
  isInPlace: (file: Pick<ExportedFile, 'path' | 'bytes'>) => Promise<boolean>
  /** The source of a path's content: the staged file, if there is one. */
  newestOf: (path: string) => string
  discard: (path: string) => Promise<void>
  /**
   * Makes `next` the content: moves the staged files into their places, the manifest last, and deletes files that are no
   * longer part of it. A process that dies before leaves the old export as it is; one that dies within is continued by the next.
   * @throws UsageError when a file of somebody else is in the way
   */
  commit: (next: ExportContent) => Promise<{ written: number; deleted: number }>
  release: () => Promise<void>
}

async function readState(folder: string): Promise<State> {
  const text = await readOrdinaryText(join(folder, STATE_FILE)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return { holdshort_export: 1, content: EMPTY, pending: null }
  try {
    return State.parse(JSON.parse(text))
  } catch (cause) {
    throw new HoldshortError(
      'USAGE',
      `folder: ${join(folder, STATE_FILE)} cannot be read, so nobody knows which files are of an earlier export; empty the folder or name another one`,
      { cause },
    )
  }
}

const writeState = (folder: string, state: State) => writeWhole(join(folder, STATE_FILE), JSON.stringify(state))

/** Data files first, then the documents, the manifest last. */
function sortedPaths(paths: Iterable<string>): string[] {
  const documents = Object.keys(DOCUMENTS)
  const rank = (path: string) => documents.indexOf(path)
  return [...paths].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

/** Makes a folder with those above it. The recursive mkdir of Node.js never ends below /proc. */
async function makeWholePath(folder: string): Promise<void> {
  let root = folder
  while (!existsSync(root)) root = dirname(root)
  if (!(await stat(root)).isDirectory()) throw Object.assign(new Error('a file is in the way'), { code: 'ENOTDIR' })
  await makeFolder(root, ...relative(root, folder).split(sep).filter(Boolean))
}

/** Opens a folder for an export, alone; it is made if it is missing. @throws HoldshortError CONFLICT while another process exports into it */
export async function openExportFolder(folder: string): Promise<ExportFolder> {
  await makeWholePath(folder).catch((cause: NodeJS.ErrnoException) => {
    const message = `folder: ${folder} cannot be used (${cause.code}); name a folder that can be written`
    throw cause instanceof HoldshortError && cause.code === 'DISK_FULL'
      ? cause
      : new HoldshortError('USAGE', message, { cause })
  })
  const staging = join(folder, STAGING)
  if (!existsSync(join(folder, STATE_FILE))) {
    // The lock is made first: where it is, an export is being made for the first time, or was killed then.
    const names: string[] = await readdir(staging).catch(() => [])
    if (names.length > 0 && !names.includes(LOCKS))
      throw new UsageError(`folder: ${staging} is not of an export; name another folder`)
  }
  await mkdir(staging, { recursive: true })
  const lock = await takeOnlyLock(folder, join(staging, LOCKS), 'export')
  const release = async () => {
    await clearStaging(staging)
    await lock.release()
  }
  try {
    let state = await readState(folder)
    if (state.pending) state = await finish(folder, staging, state.content, state.pending)
    await clearStaging(staging)
    const isInPlace: ExportFolder['isInPlace'] = async ({ path, bytes }) =>
      (await stat(join(folder, path)).catch(() => null))?.size === bytes
    return {
      staging,
      content: state.content,
      isInPlace,
      newestOf: (path) => (existsSync(join(staging, path)) ? join(staging, path) : join(folder, path)),
      discard: (path) => rm(join(staging, path), { force: true }),
      commit: async (next) => {
        const before = filesOf(state.content)
        const after = filesOf(next)
        const staged = await stagedPaths(staging, after.keys())
        const foreign = staged.filter((path) => !before.has(path) && existsSync(join(folder, path)))
        if (foreign.length > 0)
          throw new UsageError(
            `folder: ${foreign.slice(0, 3).join(', ')} in ${folder} ${foreign.length === 1 ? 'is' : 'are'} not of an export; nothing was changed. Move ${foreign.length === 1 ? 'it' : 'them'} away or name another folder`,
          )
        await writeState(folder, { holdshort_export: 1, content: state.content, pending: next })
        const old = state.content
        state = await finish(folder, staging, old, next)
        return { written: staged.length, deleted: [...before.keys()].filter((path) => !after.has(path)).length }
      },
      release,
    }
  } catch (error) {
    await release()
    throw error
  }
}

async function stagedPaths(staging: string, paths: Iterable<string>): Promise<string[]> {
  return [...paths].filter((path) => existsSync(join(staging, path)))
}

/** Deletes everything in the staging folder but the lock. */
async function clearStaging(staging: string): Promise<void> {
  for (const name of await readdir(staging).catch(() => []))
    if (name !== LOCKS) await rm(join(staging, name), { recursive: true, force: true })
}

/** Moves the staged files of `next` into their places, deletes those of `before` that are no longer needed, and records it. */
async function finish(folder: string, staging: string, before: ExportContent, next: ExportContent): Promise<State> {
  const after = filesOf(next)
  const folders = new Set<string>()
  for (const path of sortedPaths(await stagedPaths(staging, after.keys()))) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await syncPath(join(staging, path))
    // The documents must never be on the disk before the files that they describe.
    if (path === MANIFEST_FILE) for (const written of folders) await syncPath(written)
    await rename(join(staging, path), target)
    folders.add(dirname(target))
  }
  for (const path of filesOf(before).keys()) {
    if (after.has(path)) continue
    await rm(join(folder, path), { force: true })
    await removeEmptyFolders(folder, dirname(path))
  }
  const state: State = { holdshort_export: 1, content: next, pending: null }
  await writeState(folder, state)
  return state
}

/** Deletes folders that became empty, from the innermost outwards. */
async function removeEmptyFolders(root: string, inner: string): Promise<void> {
  for (let path = inner; path !== '.' && path !== ''; path = dirname(path))
    if (!(await removeEmptyFolder(join(root, path)))) return
}
