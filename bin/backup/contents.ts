import { existsSync, type Stats } from 'node:fs'
import { chmod, link, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { copyState, lostAccounts } from '../../api/state/copy-state.ts'
import { incomplete, type Marker, readMarker } from '../../api/state/marker.ts'
import { readPepperFile } from '../../api/state/pepper.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { forEachOf } from '../../config/work-queue.ts'
import { currentSnapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { syncPath } from '../../warehouse/storage/files.ts'
import { copyWarehouse, lossSince } from '../../warehouse/storage/housekeeping.ts'
import type { Loss } from '../../warehouse/storage/kept-copies.ts'
import { requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import { surveyFolder } from '../../warehouse/storage/own-files.ts'
import { listCaptures } from '../../warehouse/storage/raw-captures.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { BackupFolder } from './folder.ts'
import {
  type BackupFile,
  CONCURRENT_FILES,
  copyOrdinaryFile,
  digestOf,
  type Manifest,
  type OnProgress,
} from './manifest.ts'

/** The files written into a draft. */
export interface Contents extends Pick<Manifest, 'files' | 'state' | 'pepper' | 'installation'> {
  /** The rows of the earlier backup that this one lacks without a reason; null without such rows. */
  loss: Loss | null
  /** The number of accounts of the earlier backup that this one lacks. */
  lost_accounts: number
  /** Paths, relative to the data folder, where something else lies in the place of a file. */
  unreadable: string[]
  /** Excludes files linked to the earlier backup. */
  copied_files: number
  copied_bytes: number
}

/** Errors of what lies in the place of a file and is none. */
const NO_FILE = new Set(['EISDIR', 'EFTYPE', 'ELOOP'])
const MAX_SNAPSHOT_ATTEMPTS = 5

/** Gives a file of the earlier backup a second name in the draft; false if that cannot be done, and it has to be copied. */
async function isLinked(earlier: string, target: string, bytes: number): Promise<boolean> {
  const found = await lstat(earlier).catch(() => null)
  if (!found?.isFile() || found.size !== bytes) return false
  return link(earlier, target).then(
    () => true,
    () => false,
  )
}

/**
 * Copies the files of a data folder into the draft of a backup while everything is running, synced to the disk.
 *
 * The order matters. The state comes before the warehouse: a report that it calls landed is in the warehouse, and one that
 * landed in between lands again without effect. What says which models serve comes before the models. Raw captures come after
 * the warehouse: those that it lacks are parsed at the next start. The warehouse is a copy of one moment that was read in full.
 */
export async function writeContents(
  warehouse: Warehouse,
  settings: Settings,
  { draft, earlier }: BackupFolder,
  onProgress: OnProgress,
): Promise<Contents> {
  const paths = dataPaths(settings.data_dir)
  const known = new Map(earlier?.manifest.files.map((file) => [file.path, file]))
  const files: BackupFile[] = []
  const unreadable: string[] = []
  const folders = new Set([draft])
  const copied = { copied_files: 0, copied_bytes: 0 }
  /** Whether a file of the data folder is missing, which its owner may delete at any time. */
  const isVanished = (error: unknown) => {
    const { code, path } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && path?.startsWith(draft) !== true
  }
  const dataPath = (path: string) => relative(settings.data_dir, path).replaceAll('\\', '/')
  const makeFolderOf = async (target: string) => {
    if (folders.has(dirname(target))) return
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    for (let folder = dirname(target); folder.length > draft.length; folder = dirname(folder)) folders.add(folder)
  }
  /** Enters a file that was made in the draft; `like` says what mode and time it gets when it is restored. */
  const enter = async (path: string, like?: Stats) => {
    const target = join(draft, path)
    const made = await stat(target)
    const { mode, mtimeMs: modified_ms } = like ?? made
    const bytes = made.size
    await chmod(target, 0o600)
    await syncPath(target)
    copied.copied_files += 1
    copied.copied_bytes += bytes
    files.push({ path, sha256: await digestOf(target), bytes, mode: mode & 0o777, modified_ms })
  }
  /** Copies a file that others may delete at any time. @throws ENOENT when they did */
  const copy = async (source: string) => {
    const path = dataPath(source)
    const target = join(draft, path)
    try {
      const found = await requireOrdinaryFile(source)
      await makeFolderOf(target)
      const before = known.get(path)
      const isSame = before?.bytes === found.size && before.modified_ms === found.mtimeMs
      if (isSame && (await isLinked(join(earlier?.place ?? '', path), target, before.bytes))) {
        files.push({ ...before, mode: found.mode & 0o777 })
        return
      }
      await copyOrdinaryFile(source, target)
      await enter(path, found)
    } catch (error) {
      await rm(target, { force: true })
      const isLostLink = isVanished(error) && (await lstat(source).catch(() => null))?.isSymbolicLink()
      if (!isLostLink && !NO_FILE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      unreadable.push(path)
    }
  }
  const copyIfThere = async (source: string) => {
    await copy(source).catch((error) => {
      if (!isVanished(error)) throw error
    })
  }
  /** Copies a snapshot; false when it was deleted meanwhile. */
  const copySnapshot = async (folder: string): Promise<boolean> => {
    const before = files.length
    try {
      for (const name of await readdir(folder)) await copy(join(folder, name))
      return true
    } catch (error) {
      if (!isVanished(error)) throw error
      files.length = before
      return false
    }
  }

  const state = copyStateOf(settings, join(draft, 'state.sqlite'))
  if (state.kind === 'sqlite') await enter('state.sqlite')
  const stateBefore = earlier && state.kind === 'sqlite' ? join(earlier.place, 'state.sqlite') : null
  const lost_accounts =
    stateBefore !== null && existsSync(stateBefore) ? lostAccounts(stateBefore, join(draft, 'state.sqlite')) : 0
  // A backup without a pepper that can be read would be none.
  if (settings.key_pepper === undefined) readPepperFile(paths.pepper)
  const copyOfWarehouse = join(draft, dataPath(paths.warehouse_file))
  await makeFolderOf(copyOfWarehouse)
  // What is restored says too that rows are missing, and `repair` goes on there.
  await copyIfThere(paths.unfinished_repair)
  let loss: Loss | null = null
  await copyWarehouse(warehouse, copyOfWarehouse, async (made) => {
    if (earlier) loss = await lossSince(warehouse, join(earlier.place, dataPath(paths.warehouse_file)), made)
  })
  await enter(dataPath(paths.warehouse_file))
  const models = (await surveyFolder(settings.data_dir, 'models')).files.filter(({ isHalfWritten }) => !isHalfWritten)
  // Outermost first: what says which models serve, the trainings, the models.
  const depthOf = ({ path }: { path: string }) => path.split('/').length
  for (const { path } of models.toSorted((a, b) => depthOf(a) - depthOf(b)))
    await copyIfThere(join(settings.data_dir, path))
  for (let attempt = 1; attempt <= MAX_SNAPSHOT_ATTEMPTS; attempt += 1) {
    // The older ones are not served.
    const id = await currentSnapshotId(paths.snapshots)
    if (id === null) break
    if (!(await copySnapshot(join(paths.snapshots, id)))) continue
    await writeFile(join(draft, 'snapshots', 'CURRENT'), id)
    await enter('snapshots/CURRENT')
    break
  }
  const captures = await listCaptures(settings.data_dir)
  let done = 0
  await forEachOf(captures, CONCURRENT_FILES, async (path) => {
    await copyIfThere(path)
    onProgress(++done, captures.length)
  })
  for (const path of [paths.world, paths.pepper]) await copyIfThere(path)
  for (const folder of folders) await syncPath(folder).catch(() => undefined)

  let pepper: Manifest['pepper'] = files.some(({ path }) => path === dataPath(paths.pepper)) ? 'file' : 'none'
  if (settings.key_pepper !== undefined) pepper = 'setting'
  const installation = state.position?.installation ?? null
  return { ...copied, files, loss, lost_accounts, unreadable, state: state.kind, pepper, installation }
}

function copyStateOf(settings: Settings, target: string): { kind: Manifest['state']; position: Marker | null } {
  if (settings.database_url !== undefined) return { kind: 'postgresql', position: null }
  const paths = dataPaths(settings.data_dir)
  const marker = readMarker(paths.state_marker)
  if (!existsSync(paths.state)) {
    if (marker) throw incomplete(paths.state, 'is missing')
    return { kind: 'none', position: null }
  }
  return { kind: 'sqlite', position: copyState(paths.state, target, marker) }
}
