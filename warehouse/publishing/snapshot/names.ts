import { access, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isOutOfReach, readOrdinaryText } from '../../storage/ordinary-file.ts'

export const SNAPSHOT_FORMAT = 1
/** The digests of all other files. */
export const MANIFEST_FILE = 'manifest.json'
/** The content that has no file of its own. */
export const CONTENT_FILE = 'facts.json'
/** A file beside the snapshots: the id of the current one. */
export const POINTER_FILE = 'CURRENT'

const SNAPSHOT_ID = /^\d{8}T\d{6}Z$/

/** Id of a snapshot from its instant; ids sort by time. */
export function snapshotId(generatedAt: string): string {
  return generatedAt.replace(/[-:]/g, '').replace(/\.\d+/, '')
}

/** Id of the current snapshot; null when none has been published. @throws Error of the system where that is out of reach */
export async function currentSnapshotId(snapshotsDir: string): Promise<string | null> {
  const id = await readOrdinaryText(join(snapshotsDir, POINTER_FILE)).catch((error) => {
    if (isOutOfReach(error)) throw error
    return null
  })
  return id?.trim() || null
}

/** Whether a finished snapshot exists. @throws Error of the system where that is out of reach */
export const hasSnapshot = (snapshotsDir: string, id: string): Promise<boolean> =>
  access(join(snapshotsDir, id, MANIFEST_FILE)).then(
    () => true,
    (error) => {
      if (isOutOfReach(error)) throw error
      return false
    },
  )

/** The files of a snapshot with their sizes and times of change, as one text; empty while it has none. */
export async function filesOf(snapshotsDir: string, id: string): Promise<string> {
  const folder = join(snapshotsDir, id)
  const names = (await readdir(folder).catch(() => [])).sort()
  const files = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => null)
    return `${name} ${found?.size} ${found?.mtimeMs} ${found?.ctimeMs}`
  })
  return (await Promise.all(files)).join('\n')
}

/** Ids of the finished snapshots of a folder, newest first, without those that cannot be reached. */
export async function listSnapshotIds(snapshotsDir: string): Promise<string[]> {
  const names = (await readdir(snapshotsDir).catch(() => [])).filter((name) => SNAPSHOT_ID.test(name))
  const finished = await Promise.all(names.map((name) => hasSnapshot(snapshotsDir, name).catch(() => false)))
  return names
    .filter((_, index) => finished[index])
    .sort()
    .reverse()
}
