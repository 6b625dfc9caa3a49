import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { dataPaths } from '../../../config/settings.ts'
import { MINUTE_MS } from '../../../config/vocabulary.ts'
import { draftPath } from '../../storage/draft-names.ts'
import { sha256Of } from '../../storage/file-identity.ts'
import { asDiskFull, makeFolder, syncPath, writeWhole } from '../../storage/files.ts'
import { ownBytes, removeOwnFiles } from '../../storage/own-files.ts'
import { allGathered } from '../gather/index.ts'
import type { SnapshotContent } from '../read/index.ts'
import {
  CONTENT_FILE,
  currentSnapshotId,
  listSnapshotIds,
  MANIFEST_FILE,
  POINTER_FILE,
  SNAPSHOT_FORMAT,
  snapshotId,
} from './names.ts'

/** Called with a written snapshot before it becomes the current one; when it fails, the one before stays current. */
export type BeforeCurrent = (id: string) => Promise<void>

/**
 * Writes a snapshot beside the others and makes it the current one by a rename; returns its id.
 * A crash at any instant leaves the earlier snapshot current.
 */
export async function writeSnapshot(
  snapshotsDir: string,
  content: SnapshotContent,
  beforeCurrent?: BeforeCurrent,
): Promise<string> {
  const id = snapshotId(content.generated_at)
  const contents = snapshotFiles(content)
  const files: Record<string, { bytes: number; sha256: string }> = {}
  for (const [name, bytes] of Object.entries(contents))
    files[name] = { bytes: bytes.byteLength, sha256: sha256Of(bytes) }
  const { generated_at, simulated } = content
  const manifest = { id, format: SNAPSHOT_FORMAT, generated_at, simulated, files }
  contents[MANIFEST_FILE] = Buffer.from(JSON.stringify(manifest, null, 2))
  await storeSnapshot(snapshotsDir, id, contents)
  await beforeCurrent?.(id)
  await makeCurrent(snapshotsDir, id)
  return id
}

/** Writes the files of a snapshot beside the others; all of it is seen or nothing. */
export async function storeSnapshot(
  snapshotsDir: string,
  id: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const temporary = draftPath(join(snapshotsDir, id))
  try {
    await makeFolder(dirname(snapshotsDir), basename(snapshotsDir), basename(temporary))
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(temporary, name), bytes, { flush: true })
    const folder = join(snapshotsDir, id)
    await rm(folder, { recursive: true, force: true })
    await rename(temporary, folder)
    await syncPath(snapshotsDir)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw asDiskFull(error)
  }
}

/** Makes a stored snapshot the one that is served. */
export const makeCurrent = (snapshotsDir: string, id: string): Promise<void> =>
  writeWhole(join(snapshotsDir, POINTER_FILE), id)

/** The content as files: those of the published things that have their own, and one JSON file of all other content. */
function snapshotFiles(content: SnapshotContent): Record<string, Uint8Array> {
  const ownFiles = allGathered.flatMap(({ files = [] }) => files)
  const ownKeys = new Set<string>(ownFiles.flatMap(({ keys }) => keys))
  const other = Object.fromEntries(Object.entries(content).filter(([key]) => !ownKeys.has(key)))
  const contentFile = { [CONTENT_FILE]: Buffer.from(JSON.stringify(other)) }
  return Object.assign(contentFile, ...ownFiles.map(({ encode }) => encode(content)))
}

/** A snapshot that was written within this time may not be the current one yet: between both it is copied to where machines share it. */
const BECOMES_CURRENT_WITHIN_MS = 10 * MINUTE_MS

async function isBeingPublished(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (!found) return false
  // One that was written while the clock was ahead is from the future.
  const age_ms = Date.now() - found.mtimeMs
  return age_ms >= 0 && age_ms < BECOMES_CURRENT_WITHIN_MS
}

/**
 * Deletes old snapshots: those beyond the newest `maxCount`, and more while all together exceed `maxBytes`. The current
 * one stays. Returns how many it deleted.
 */
export async function sweepSnapshots(dataDir: string, maxCount: number, maxBytes: number): Promise<number> {
  const { snapshots } = dataPaths(dataDir)
  const current = await currentSnapshotId(snapshots)
  const others = (await listSnapshotIds(snapshots)).filter((id) => id !== current)
  const bytesOf = (id: string) => ownBytes(dataDir, `snapshots/${id}`)
  let retainedBytes = current ? await bytesOf(current) : 0
  let retained = 1
  let deleted = 0
  // A snapshot with a later id than the current one was made while the clock was ahead, or is about to become the current one.
  const isBefore = (id: string) => current === null || id < current
  for (const id of others) {
    if (!isBefore(id) && (await isBeingPublished(join(snapshots, id)))) continue
    const bytes = await bytesOf(id)
    if (isBefore(id) && retained < maxCount && retainedBytes + bytes <= maxBytes) {
      retained += 1
      retainedBytes += bytes
      continue
    }
    await removeOwnFiles(dataDir, `snapshots/${id}`)
    deleted += 1
  }
  return deleted
}
