import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../config/errors.ts'
import { type FileLock, takeOnlyLock } from '../../warehouse/storage/file-lock.ts'
import { asUnusable, makePrivateFolder, syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { type Backup, invalid, MANIFEST, Manifest, NewerBackupError, readManifest } from './manifest.ts'
import { OLD_HEADER, openOldBackup } from './release-0-1.ts'

/** The backup in its folder. */
const HELD = 'holdshort-backup'
/** The next one while it is made, and the one before until the next one has its place. */
const DRAFT = `${HELD}.draft`
const EARLIER = `${HELD}.earlier`
const LOCKS = 'locks'

/**
 * The place of the backup of a folder: the first one with a manifest; null where none has. Only between the two renames that put a
 * new one into its place is it another than `holdshort-backup`.
 */
async function placeIn(folder: string, places: readonly string[] = [HELD, DRAFT, EARLIER]): Promise<string | null> {
  for (const place of places)
    if ((await lstat(join(folder, place, MANIFEST)).catch(() => null)) !== null) return join(folder, place)
  return null
}

/** The manifest of the backup that the next one replaces; null where it is damaged. @throws HoldshortError BACKUP_INVALID for one of a newer release */
const readManifestToReplace = (place: string): Promise<Manifest | null> =>
  readManifest(place).catch((error) => {
    if (error instanceof NewerBackupError) throw error
    return null
  })

/** Whether two backups are of one installation; where one of them does not know its installation, the data folder decides. */
const isOfSame = (one: Manifest, other: Manifest): boolean =>
  one.installation === null || other.installation === null
    ? one.data_dir === other.data_dir
    : one.installation === other.installation

/** A folder into which a backup is written. */
export interface BackupFolder extends AsyncDisposable {
  /** Where the next backup is made: an empty folder. */
  draft: string
  /** The backup that is there, and its place; null where there is none, or none that can be read. */
  earlier: { place: string; manifest: Manifest } | null
  /** Ends the draft with its manifest and puts it into the place of the earlier backup. @throws UsageError for that of another installation */
  commit: (manifest: Manifest) => Promise<void>
}

/**
 * Uses a folder for a backup: an empty or missing one, or one that holds a backup. What a backup that was killed left is removed;
 * the files of others are left.
 * @throws UsageError for a folder of somebody else; HoldshortError CONFLICT while another backup is written to it, DATA_FOLDER_UNUSABLE
 * where nothing can be written, BACKUP_INVALID for the backup of a newer release.
 */
export async function openBackupFolder(folder: string): Promise<BackupFolder> {
  const [held, draft, before] = [join(folder, HELD), join(folder, DRAFT), join(folder, EARLIER)]
  await makePrivateFolder(folder)
  const names = await readdir(folder)
  if (names.includes(OLD_HEADER))
    throw new UsageError(
      `folder: ${folder} holds backups of release 0.1.0, which can still be restored; name another folder`,
    )
  const found = await placeIn(folder)
  // Without a backup nothing else may be there, and what has its place without a manifest is none of ours.
  const foreign = names.find((name) =>
    found === null ? ![LOCKS, DRAFT, EARLIER].includes(name) : name === HELD && found !== held,
  )
  if (foreign !== undefined)
    throw new UsageError(
      `folder: ${folder} is not empty and holds no backup (${foreign}); name an empty or a new folder`,
    )
  const lock: FileLock = await takeOnlyLock(folder, join(folder, LOCKS), 'backup').catch((error) => {
    throw asUnusable(folder, error)
  })
  const remove = (path: string) => rm(path, { recursive: true, force: true })
  try {
    const place = await placeIn(folder)
    if (place !== null && place !== held) await rename(place, held)
    const manifest = place === null ? null : await readManifestToReplace(held)
    await remove(draft)
    await remove(before)
    await mkdir(draft, { mode: 0o700 })
    return {
      draft,
      earlier: manifest && { place: held, manifest },
      commit: async (next) => {
        if (manifest !== null && !isOfSame(manifest, next))
          throw new UsageError(
            `folder: ${folder} holds the backup of another installation (or of an earlier state); name another folder`,
          )
        await writeWhole(join(draft, MANIFEST), JSON.stringify(Manifest.parse(next)), 0o600)
        await rename(held, before).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
        })
        await rename(draft, held)
        await syncPath(folder)
        await remove(before)
      },
      [Symbol.asyncDispose]: async () => {
        await remove(draft).finally(lock.release)
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Finds the backup of a folder, or the one that the folder is; `generation` chooses one of those of release 0.1.0. @throws UsageError; HoldshortError BACKUP_INVALID */
export async function openBackup(folder: string, generation: number | null): Promise<Backup> {
  const found = await stat(folder).catch(() => null)
  if (found === null) throw new UsageError(`backup: ${folder} does not exist`)
  if (!found.isDirectory()) throw new UsageError(`backup: ${folder} is not a folder`)
  const place = (await placeIn(folder)) ?? (await placeIn(folder, ['']))
  if (place === null) {
    if ((await readdir(folder)).includes(OLD_HEADER)) return openOldBackup(folder, generation)
    throw invalid(`${folder} holds no complete backup of this program`)
  }
  if (generation !== null)
    throw new UsageError(`--generation: ${folder} holds one backup; restic keeps the earlier ones`)
  return { manifest: await readManifest(place), contentOf: ({ path }) => join(place, path) }
}
