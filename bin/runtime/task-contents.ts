import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Settings } from '../../config/settings.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { Contents } from '../../jobs/tasks/define-task.ts'
import type { ObjectStore } from '../../warehouse/objects/s3.ts'
import { forEachFew } from '../../warehouse/sharing/published-files.ts'
import { sha256Of } from '../../warehouse/storage/file-identity.ts'
import { makeFolder, writeWhole } from '../../warehouse/storage/files.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/**
 * The place of the contents of a training: in the bucket below `training/<day>/`, which upkeep deletes after two days, or in the
 * scratch folder of the run's process, which ends with it.
 */
const BUCKET_PLACE = /^training\/(\d{4}-\d\d-\d\d)$/
const FOLDER_PLACE = /^scratch\/\d+\/tasks$/
const KEPT_DAYS = 2
/** A content of a MB a second. */
const WITHIN_MS = 120_000

export const taskPlace = ({ store }: Settings, now: number): string =>
  store === 'folder' ? `scratch/${process.pid}/tasks` : `training/${utcDayOf(now)}`

/** Names bytes by their SHA-256, keeps them compressed, and verifies what is read. */
function digested(
  write: (name: string, bytes: Uint8Array) => Promise<void>,
  read: (name: string) => Promise<Uint8Array | null>,
): Contents {
  return {
    put: async (bytes) => {
      const reference = sha256Of(bytes)
      await write(reference, await compress(bytes, { level: 1 }))
      return reference
    },
    get: async (reference) => {
      const found = await read(reference)
      if (found === null) throw new Error(`the content ${reference} is gone`)
      const bytes = await expand(found)
      if (sha256Of(bytes) !== reference) throw new Error(`the content ${reference} is not what was written`)
      return bytes
    },
  }
}

/** The contents of a place, in the bucket or the data folder that the machines share. */
export async function openTaskContents(settings: Settings, place: string): Promise<Contents> {
  if (settings.store === 'folder') {
    if (!FOLDER_PLACE.test(place)) throw new Error('no place of contents in a folder')
    const folder = await makeFolder(settings.data_dir, ...place.split('/'))
    const pathOf = (name: string) => join(folder, `${name}.gz`)
    return digested(
      (name, bytes) => writeWhole(pathOf(name), bytes),
      (name) => readFile(pathOf(name)).catch(() => null),
    )
  }
  if (!BUCKET_PLACE.test(place)) throw new Error('no place of contents in a bucket')
  const { openS3 } = await import('../../warehouse/objects/s3.ts')
  const store = openS3(settings)
  const options = { within_ms: WITHIN_MS }
  const keyOf = (name: string) => `${place}/${name}.gz`
  return digested(
    (name, bytes) => store.put(keyOf(name), bytes, options),
    (name) => store.get(keyOf(name), options),
  )
}

/** Deletes the contents of trainings of earlier days; returns how many. */
export async function sweepTaskContents(store: ObjectStore, now: number): Promise<number> {
  const oldest = utcDayOf(now - KEPT_DAYS * DAY_MS)
  const dayOf = (key: string) => BUCKET_PLACE.exec(key.slice(0, key.lastIndexOf('/')))?.[1]
  const old = (await store.list('training/')).map(({ key }) => key).filter((key) => (dayOf(key) ?? oldest) < oldest)
  await forEachFew(old, (key) => store.delete(key))
  return old.length
}
