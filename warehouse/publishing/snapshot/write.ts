import { createHash } from 'node:crypto'
import { access, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { dataPaths } from '../../../config/settings.ts'
import { asDiskFull, makeFolder, syncPath, writeWhole } from '../../storage/files.ts'
import { isExhausted, readOrdinaryText } from '../../storage/ordinary-file.ts'
import { ownBytes, removeOwnFiles } from '../../storage/own-files.ts'
import { allGathered } from '../gather/index.ts'
import type { SnapshotContent } from '../read/index.ts'

export const SNAPSHOT_FORMAT = 1
/** The digests of all other files. */
export const MANIFEST_FILE = 'manifest.json'
/** The content that has no file of its own. */
export const CONTENT_FILE = 'facts.json'
/** Beside the snapshots: the id of the current one. */
const POINTER_FILE = 'CURRENT'

const SNAPSHOT_ID = /^\d{8}T\d{6}Z$/

/** Id of a snapshot from its instant; ids sort by time. */
export function snapshotId(generatedAt: string): string {
  return generatedAt.replace(/[-:]/g, '').replace(/\.\d+/, '')
}

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
    files[name] = { bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') }
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
  const temporary = join(snapshotsDir, `${id}.${process.pid}.tmp`)
  try {
    await makeFolder(dirname(snapshotsDir), basename(snapshotsDir), basename(temporary))
    for (const [name, bytes] of Object.entries(files)) await writeSynced(join(temporary, name), bytes)
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

async function writeSynced(path: string, bytes: Uint8Array) {
  const file = await open(path, 'w')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Id of the current snapshot; null when none has been published. */
export async function currentSnapshotId(snapshotsDir: string): Promise<string | null> {
  const id = await readOrdinaryText(join(snapshotsDir, POINTER_FILE)).catch((error) => {
    if (isExhausted(error)) throw error
    return null
  })
  return id?.trim() || null
}

/** Whether a finished snapshot exists. */
export const hasSnapshot = (snapshotsDir: string, id: string): Promise<boolean> =>
  access(join(snapshotsDir, id, MANIFEST_FILE)).then(
    () => true,
    () => false,
  )

/** Ids of the finished snapshots of a folder, newest first. */
export async function listSnapshotIds(snapshotsDir: string): Promise<string[]> {
  const names = (await readdir(snapshotsDir).catch(() => [])).filter((name) => SNAPSHOT_ID.test(name))
  const finished = await Promise.all(names.map((name) => hasSnapshot(snapshotsDir, name)))
  return names
    .filter((_, index) => finished[index])
    .sort()
    .reverse()
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
  // A snapshot with a later id than the current one was made while the clock was ahead.
  const isBefore = (id: string) => current === null || id < current
  for (const id of others) {
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
