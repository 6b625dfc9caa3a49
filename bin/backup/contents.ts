import { existsSync } from 'node:fs'
import { link, lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { copyState } from '../../api/state/copy-state.ts'
import { incomplete, type Marker, readMarker } from '../../api/state/marker.ts'
import { readPepperFile } from '../../api/state/pepper.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { currentSnapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { copyWarehouse } from '../../warehouse/storage/housekeeping.ts'
import { requireOrdinaryFile } from '../../warehouse/storage/ordinary-file.ts'
import { listCaptures } from '../../warehouse/storage/raw-captures.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { COPIES } from './drafts.ts'
import type { Manifest } from './manifest.ts'

/** One file that a backup holds. */
export interface SourceFile {
  /** Relative to the data folder, with `/`. */
  path: string
  /** Where it is read: a link that nobody deletes, or the file itself. */
  source: string
  bytes: number
  mode: number
  modified_ms: number
  /** Whether it never changes under its path, so that an equal time and length mean an equal content. */
  isFixed: boolean
}

/** What a data folder holds, as of one moment, for as long as the copying takes. */
export interface Contents {
  files: SourceFile[]
  /** Paths, relative to the data folder, where something else lies in the place of a file. */
  unreadable: string[]
  state: Manifest['state']
  pepper: Manifest['pepper']
  installation: Marker['installation'] | null
}

/** Errors of a disk on which files cannot be linked or written: they are then read where they are. */
const CANNOT_LINK = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOSPC',
  'EDQUOT',
  'EXDEV',
  'ENOTSUP',
  'ENOSYS',
  'EMLINK',
  'DISK_FULL',
])
/** Errors of what lies in the place of a file and is none. */
const NO_FILE = new Set(['EISDIR', 'EFTYPE', 'ELOOP'])
const MAX_SNAPSHOT_ATTEMPTS = 5

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Collects the files of a data folder while everything is running. `privateFolder` is for what must be copied to be one
 * moment's, `pinFolder` for links, on the disk of the data folder.
 *
 * The order matters. The state comes before the warehouse: a report that it calls landed is in the warehouse, and one that
 * landed in between lands again without effect. Raw captures come after the warehouse: those that it lacks are parsed at
 * the next start. The warehouse is a copy of one moment that was read in full.
 */
export async function collectContents(
  warehouse: Warehouse,
  settings: Settings,
  privateFolder: string,
  pinFolder: string,
): Promise<Contents> {
  const paths = dataPaths(settings.data_dir)
  const files: SourceFile[] = []
  const unreadable: string[] = []
  const inData = (path: string) => relative(settings.data_dir, path).replaceAll('\\', '/')
  const add = async (path: string, source: string, isFixed: boolean) => {
    const { size, mode, mtimeMs } = await requireOrdinaryFile(source)
    files.push({ path, source, bytes: size, mode: mode & 0o777, modified_ms: mtimeMs, isFixed })
  }
  const pins = { count: 0, canLink: true }
  /** Adds a file that others may delete at any time; @throws ENOENT when they did. */
  const pin = (path: string) => pinFile(path).catch((error) => noteUnreadable(path, error))
  const noteUnreadable = async (path: string, error: unknown) => {
    const isLostLink = codeOf(error) === 'ENOENT' && (await lstat(path).catch(() => null))?.isSymbolicLink()
    if (!isLostLink && !NO_FILE.has(codeOf(error))) throw error
    unreadable.push(inData(path))
  }
  const pinFile = async (path: string) => {
    if (pins.canLink) {
      const linked = join(pinFolder, String(pins.count++))
      try {
        // A link of the operator to another disk is followed.
        await link(await realpath(path), linked)
        return await add(inData(path), linked, true)
      } catch (error) {
        if (!CANNOT_LINK.has(codeOf(error))) throw error
        pins.canLink = false
      }
    }
    return add(inData(path), path, true)
  }
  await mkdir(pinFolder, { recursive: true }).catch(() => {
    pins.canLink = false
  })

  const state = copyStateOf(settings, join(privateFolder, COPIES.state))
  if (state.kind === 'sqlite') await add('state.sqlite', join(privateFolder, COPIES.state), false)
  // A backup without a pepper that can be read would be none.
  if (settings.key_pepper === undefined) readPepperFile(paths.pepper)
  const copy = join(privateFolder, COPIES.warehouse)
  await copyWarehouse(warehouse, copy)
  await add(inData(paths.warehouse_file), copy, false)
  for (const folder of await modelFolders(paths.models)) await pinFolderOf(folder, pin)
  for (const path of await modelRecords(paths.models)) await pin(path).catch(ignoreVanished)
  await pinSnapshot(paths.snapshots, join(privateFolder, COPIES.pointer), files, pin, add)
  const addIfThere = (path: string, isFixed: boolean) =>
    add(inData(path), path, isFixed)
      .catch((error) => noteUnreadable(path, error))
      .catch(ignoreVanished)
  for (const path of await listCaptures(settings.data_dir)) await addIfThere(path, true)
  for (const path of [paths.world, paths.pepper]) await addIfThere(path, false)

  let pepper: Manifest['pepper'] = files.some(({ path }) => path === inData(paths.pepper)) ? 'file' : 'none'
  if (settings.key_pepper !== undefined) pepper = 'setting'
  return { files, unreadable, state: state.kind, pepper, installation: state.position?.installation ?? null }
}

/** A file that its owner has deleted since it was listed. */
function ignoreVanished(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
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

/** The folders of all models that are whole. */
async function modelFolders(modelsDir: string): Promise<string[]> {
  const below = async (folder: string, depth: number): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    const paths = folders.map(({ name }) => join(folder, name))
    return depth === 0 ? paths : (await Promise.all(paths.map((path) => below(path, depth - 1)))).flat()
  }
  return below(modelsDir, 2)
}

/** What is kept beside the models: which of them serve, and the trainings that made them. */
async function modelRecords(modelsDir: string): Promise<string[]> {
  const runs = join(modelsDir, 'runs')
  const paths = [join(modelsDir, 'registry.json')]
  for (const kind of (await readdir(runs).catch(() => [])).sort())
    for (const name of (await readdir(join(runs, kind)).catch(() => [])).sort())
      if (name.endsWith('.json')) paths.push(join(runs, kind, name))
  return paths
}

/** Pins all files of a folder, or none when it was deleted meanwhile. */
async function pinFolderOf(folder: string, pin: (path: string) => Promise<void>): Promise<void> {
  for (const name of (await readdir(folder).catch(() => [])).sort()) await pin(join(folder, name)).catch(ignoreVanished)
}

/** Adds the current snapshot with the pointer to it; the older ones are not served. */
async function pinSnapshot(
  snapshotsDir: string,
  pointer: string,
  files: SourceFile[],
  pin: (path: string) => Promise<void>,
  add: (path: string, source: string, isFixed: boolean) => Promise<void>,
): Promise<void> {
  const before = files.length
  for (let attempt = 1; attempt <= MAX_SNAPSHOT_ATTEMPTS; attempt += 1) {
    const id = await currentSnapshotId(snapshotsDir)
    if (id === null) return
    try {
      const folder = join(snapshotsDir, id)
      for (const name of (await readdir(folder)).sort()) await pin(join(folder, name))
      await writeFile(pointer, id)
      await add('snapshots/CURRENT', pointer, false)
      return
    } catch (error) {
      ignoreVanished(error)
      files.length = before
    }
  }
}
