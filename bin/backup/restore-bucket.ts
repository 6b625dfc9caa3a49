import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import { fetchAllCaptures } from '../../warehouse/replica/captures.ts'
import { type Head, readHead } from '../../warehouse/replica/head.ts'
import { openFetcher } from '../../warehouse/replica/published.ts'
import { openReplica } from '../../warehouse/replica/replica.ts'
import { syncPath } from '../../warehouse/storage/files.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { removeOwnFiles } from '../../warehouse/storage/own-files.ts'
import type { OnProgress } from './repository.ts'
import { markUnfinished, requireFree } from './restore.ts'

export interface RestoredBucket {
  head: Head
  files: number
  captures: number
}

/**
 * Makes a data folder out of a bucket: warehouse, models, the current snapshot and all raw captures, each compared with its
 * digest. While it does, every other command refuses the folder.
 * @throws HoldshortError STORE_DAMAGED when the bucket holds no installation, or lacks something
 */
export async function restoreBucket(
  store: ObjectStore,
  dataDir: string,
  { snapshots_keep, snapshots_bytes }: Pick<Settings, 'snapshots_keep' | 'snapshots_bytes'>,
  onProgress: OnProgress,
): Promise<RestoredBucket> {
  const found = await readHead(store)
  if (found === null || found === 'unchanged')
    throw new HoldshortError(
      'STORE_DAMAGED',
      `${store.address} holds no installation; correct the bucket and the prefix`,
    )
  const { head } = found
  await requireFree(dataDir)
  await markUnfinished(dataDir, { generation: head.sequence, started_at: head.written_at })
  const use = await holdDataFolder(dataDir)
  try {
    const { unfinished_restore, scratch } = dataPaths(dataDir)
    await removeOwnFiles(dataDir, '', ['locks', basename(unfinished_restore)])
    const replica = await openReplica(dataDir, store, { simulated: head.simulated })
    await replica.pull(onProgress)
    await openFetcher(store, dataDir, { count: snapshots_keep, bytes: snapshots_bytes }).look()
    const captures = await fetchAllCaptures(store, dataDir, onProgress)
    await rm(join(scratch, String(process.pid)), { recursive: true, force: true })
    await rm(unfinished_restore)
    await syncPath(dataDir)
    return { head: replica.version() ?? head, files: replica.files().size, captures }
  } finally {
    await use.release()
  }
}
