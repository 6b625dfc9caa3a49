import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyState, lostAccounts } from '../../api/state/copy-state.ts'
import { type Marker, missing, readMarker } from '../../api/state/marker.ts'
import { readPepperFile } from '../../api/state/peppers.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { forEachOf } from '../../config/work-queue.ts'
import { currentSnapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { copyWarehouse, lossSince } from '../../warehouse/storage/housekeeping.ts'
import type { Loss } from '../../warehouse/storage/kept-copies.ts'
import { surveyFolder } from '../../warehouse/storage/own-files.ts'
import { listCaptures } from '../../warehouse/storage/raw-captures.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { DraftFiles } from './draft-files.ts'
import type { BackupFolder } from './folder.ts'
import { CONCURRENT_FILES, type Manifest, type OnProgress } from './manifest.ts'

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

const MAX_SNAPSHOT_ATTEMPTS = 5

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
  folder: BackupFolder,
  onProgress: OnProgress,
): Promise<Contents> {
  const { draft, earlier } = folder
  const paths = dataPaths(settings.data_dir)
  const files = new DraftFiles(settings.data_dir, folder)

  const state = copyStateOf(settings, join(draft, 'state.sqlite'))
  if (state.kind === 'sqlite') await files.enter('state.sqlite')
  const stateBefore = earlier && state.kind === 'sqlite' ? join(earlier.place, 'state.sqlite') : null
  const lost_accounts =
    stateBefore !== null && existsSync(stateBefore) ? lostAccounts(stateBefore, join(draft, 'state.sqlite')) : 0
  // A backup without a pepper that can be read would be none.
  if (settings.key_pepper === undefined) readPepperFile(paths.pepper)
  // What is restored says too that rows are missing, and `repair` goes on there.
  await files.copy(paths.unfinished_repair)
  const warehousePath = files.pathOf(paths.warehouse_file)
  let loss: Loss | null = null
  await copyWarehouse(warehouse, await files.placeOf(paths.warehouse_file), async (made) => {
    if (earlier) loss = await lossSince(warehouse, join(earlier.place, warehousePath), made)
  })
  await files.enter(warehousePath)
  await copyModels(settings, files)
  await copySnapshot(settings, files, draft)
  await copyCaptures(settings, files, onProgress)
  for (const path of [paths.world, paths.pepper]) await files.copy(path)
  await files.syncFolders()

  const { entered, unreadable, copied } = files
  let pepper: Manifest['pepper'] = entered.some(({ path }) => path === files.pathOf(paths.pepper)) ? 'file' : 'none'
  if (settings.key_pepper !== undefined) pepper = 'setting'
  const installation = state.position?.installation ?? null
  return { ...copied, files: entered, loss, lost_accounts, unreadable, state: state.kind, pepper, installation }
}

/** Outermost first: what says which models serve, the trainings, the models. */
async function copyModels({ data_dir }: Settings, files: DraftFiles): Promise<void> {
  const models = (await surveyFolder(data_dir, 'models')).files.filter(({ isHalfWritten }) => !isHalfWritten)
  const depthOf = ({ path }: { path: string }) => path.split('/').length
  for (const { path } of models.toSorted((a, b) => depthOf(a) - depthOf(b))) await files.copy(join(data_dir, path))
}

/** The current snapshot; the older ones are not served. */
async function copySnapshot({ data_dir }: Settings, files: DraftFiles, draft: string): Promise<void> {
  const { snapshots } = dataPaths(data_dir)
  for (let attempt = 1; attempt <= MAX_SNAPSHOT_ATTEMPTS; attempt += 1) {
    const id = await currentSnapshotId(snapshots)
    if (id === null) return
    if (!(await files.copyFolder(join(snapshots, id)))) continue
    await writeFile(join(draft, 'snapshots', 'CURRENT'), id)
    return files.enter('snapshots/CURRENT')
  }
}

async function copyCaptures({ data_dir }: Settings, files: DraftFiles, onProgress: OnProgress): Promise<void> {
  const captures = await listCaptures(data_dir)
  let done = 0
  await forEachOf(captures, CONCURRENT_FILES, async (path) => {
    await files.copy(path)
    onProgress(++done, captures.length)
  })
}

function copyStateOf(settings: Settings, target: string): { kind: Manifest['state']; position: Marker | null } {
  if (settings.database_url !== undefined) return { kind: 'postgresql', position: null }
  const paths = dataPaths(settings.data_dir)
  const marker = readMarker(paths.state_marker)
  if (!existsSync(paths.state)) {
    if (marker) throw missing(paths.state, marker)
    return { kind: 'none', position: null }
  }
  return { kind: 'sqlite', position: copyState(paths.state, target, marker) }
}
