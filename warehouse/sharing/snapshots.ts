import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataPaths } from '../../config/settings.ts'
import { hasSnapshot, MANIFEST_FILE } from '../publishing/snapshot/names.ts'
import { makeCurrent, storeSnapshot, sweepSnapshots } from '../publishing/snapshot/write.ts'
import { sha256Of } from '../storage/file-identity.ts'
import { fetchContent, forEachFew, publishFiles, readPublished, type Sharing } from './published-files.ts'

const NAME = 'snapshot'

/** Makes a stored snapshot the one that every api serves; returns the bytes that went up. @throws HoldshortError WRITE_FENCED */
export async function publishSnapshot(sharing: Sharing, dataDir: string, id: string, epoch: number): Promise<number> {
  const folder = join(dataPaths(dataDir).snapshots, id)
  const files = (await readdir(folder)).map((path) => ({ path, read: () => readFile(join(folder, path)) }))
  return publishFiles(sharing, NAME, epoch, { id, files, is_compressed: true })
}

/** Looks once; returns the id of a new snapshot, or null. @throws HoldshortError STORE_UNREACHABLE, STORE_DAMAGED */
export type SnapshotFetcher = () => Promise<string | null>

/**
 * Fetches published snapshots into a data folder: only contents that the folder does not have, each compared with its digest,
 * then the snapshot becomes the current one of the folder.
 */
export function openSnapshotFetcher(
  sharing: Sharing,
  dataDir: string,
  retain: { count: number; bytes: number },
): SnapshotFetcher {
  const { snapshots } = dataPaths(dataDir)
  let known_ms: number | undefined
  /** Local paths of the last snapshot's contents, by digest. */
  let local = new Map<string, string>()

  const readLocal = async (sha256: string): Promise<Uint8Array | null> => {
    const path = local.get(sha256)
    const bytes = path === undefined ? null : await readFile(path).catch(() => null)
    return bytes && sha256Of(bytes) === sha256 ? bytes : null
  }
  /** Two leaders can have made two snapshots of one second. */
  const hasManifest = async (id: string, sha256: string | undefined): Promise<boolean> => {
    const bytes = await readFile(join(snapshots, id, MANIFEST_FILE)).catch(() => null)
    return bytes !== null && sha256Of(bytes) === sha256
  }
  return async () => {
    const found = await readPublished(sharing, NAME)
    if (found === null || found.published_ms === known_ms) return null
    const { id, files } = found
    if (!(await hasSnapshot(snapshots, id)) || !(await hasManifest(id, files[MANIFEST_FILE]?.sha256))) {
      const contents: Record<string, Uint8Array> = {}
      await forEachFew(Object.entries(files), async ([name, content]) => {
        contents[name] = (await readLocal(content.sha256)) ?? (await fetchContent(sharing, content))
      })
      await storeSnapshot(snapshots, id, contents)
    }
    await makeCurrent(snapshots, id)
    known_ms = found.published_ms
    local = new Map(Object.entries(files).map(([name, { sha256 }]) => [sha256, join(snapshots, id, name)]))
    await sweepSnapshots(dataDir, retain.count, retain.bytes)
    return id
  }
}
