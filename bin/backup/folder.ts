import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../../config/errors.ts'
import { type FileLock, takeOnlyLock } from '../../warehouse/storage/file-lock.ts'
import { asUnusable, makePrivateFolder, OF_THE_DISK, syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { freePath, stampOf } from '../../warehouse/storage/kept-copies.ts'
import { type Backup, invalid, MANIFEST, Manifest, NewerBackupError, readManifest } from './manifest.ts'
import { OLD_HEADER, openOldBackup } from './release-0-1.ts'

/** The backup in its folder. */
const HELD = 'holdshort-backup'
/** The next one while it is made, and the one before until the next one has its place. */
const DRAFT = `${HELD}.draft`
const EARLIER = `${HELD}.earlier`
/** How the name of one begins that was kept because the next one lacks rows of it. */
const KEPT = `${HELD}.kept`
const LOCKS = 'locks'

/**
 * The places of backups in a folder that have a manifest, the one that counts first. Another than `holdshort-backup` counts only
 * between the two renames that install a new backup, or if its manifest is damaged.
 */
async function placesIn(folder: string, places: readonly string[] = [HELD, DRAFT, EARLIER]): Promise<string[]> {
  const found: string[] = []
  for (const place of places.map((name) => join(folder, name)))
    if ((await lstat(join(place, MANIFEST)).catch(() => null)) !== null) found.push(place)
  return found
}

/** A backup whose manifest can be read, where it lies, and what is wrong with the manifests of those that would count before it. */
interface FoundBackup {
  place: string
  manifest: Manifest
  damaged: string | null
}

/** The first of some places whose manifest can be read. @throws HoldshortError BACKUP_INVALID where none can, or one is of a newer release */
async function firstSound(places: readonly string[]): Promise<FoundBackup> {
  const faults: Error[] = []
  for (const place of places) {
    try {
      const manifest = await readManifest(place)
      return { place, manifest, damaged: faults[0]?.message ?? null }
    } catch (error) {
      if (error instanceof NewerBackupError) throw error
      faults.push(error as Error)
    }
  }
  throw faults[0]
}

/** The owner of a backup. */
type Owner = Pick<Manifest, 'installation' | 'data_dir'>

/** Whether two backups are of one installation; where one of them does not know its installation, the data folder decides. */
const isOfSame = (owner: Owner, other: Owner): boolean =>
  owner.installation === null || other.installation === null
    ? owner.data_dir === other.data_dir
    : owner.installation === other.installation

/** A folder into which a backup is written. */
export interface BackupFolder extends AsyncDisposable {
  /** The place of the next backup: an empty folder. */
  draft: string
  /** The backup that is there, and its place; null if there is none, or none that can be read. */
  earlier: { place: string; manifest: Manifest } | null
  /**
   * Ends the draft with its manifest and puts it into the place of the earlier backup, which is deleted, or gets another name: that is
   * returned then. @throws UsageError for that of another installation
   */
  commit: (manifest: Manifest, keepsEarlier: boolean) => Promise<string | null>
}

/**
 * Uses a folder for a backup: an empty or missing one, or one that holds a backup of the same installation. What a backup that was killed left is removed;
 * the files of others are left.
 * @throws UsageError for a folder of somebody else or of another installation; HoldshortError CONFLICT while another backup is written to it, DATA_FOLDER_UNUSABLE
 * where nothing can be written, BACKUP_INVALID for the backup of a newer release.
 */
export async function openBackupFolder(folder: string, owner: Owner): Promise<BackupFolder> {
  const [held, draft, before] = [join(folder, HELD), join(folder, DRAFT), join(folder, EARLIER)]
  await makePrivateFolder(folder)
  const names = await readdir(folder)
  if (names.includes(OLD_HEADER))
    throw new UsageError(
      `folder: ${folder} holds backups of release 0.1.0, which can still be restored; name another folder`,
    )
  const found = await placesIn(folder)
  // Without a backup the folder must be empty otherwise; a file in its place without a manifest is foreign.
  const foreign = names.find((name) =>
    found.length === 0 ? ![LOCKS, DRAFT, EARLIER, OF_THE_DISK].includes(name) : name === HELD && !found.includes(held),
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
    const sound = await firstSound(await placesIn(folder)).catch((error) => {
      if (error instanceof NewerBackupError) throw error
      return null
    })
    const requireSame = (next: Owner) => {
      if (sound !== null && !isOfSame(sound.manifest, next))
        throw new UsageError(
          `folder: ${folder} holds the backup of another installation (or of an earlier state); name another folder`,
        )
    }
    requireSame(owner)
    if (sound !== null && sound.place !== held) {
      await remove(held)
      await rename(sound.place, held)
    }
    await remove(draft)
    await remove(before)
    await mkdir(draft, { mode: 0o700 })
    return {
      draft,
      earlier: sound && { place: held, manifest: sound.manifest },
      commit: async (next, keepsEarlier) => {
        // The copied state itself says whose it is; its marker may be missing.
        requireSame(next)
        await writeWhole(join(draft, MANIFEST), JSON.stringify(Manifest.parse(next)), 0o600)
        const kept =
          keepsEarlier && sound !== null
            ? freePath(folder, KEPT, stampOf(Date.parse(sound.manifest.started_at)), '')
            : null
        await rename(held, kept ?? before).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error
        })
        await rename(draft, held)
        await syncPath(folder)
        await remove(before)
        return kept
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
  const placesFound = await placesIn(folder)
  const places = placesFound.length > 0 ? placesFound : await placesIn(folder, [''])
  if (places.length === 0) {
    if ((await readdir(folder)).includes(OLD_HEADER)) return openOldBackup(folder, generation)
    throw invalid(`${folder} holds no complete backup of this program`)
  }
  if (generation !== null)
    throw new UsageError(`--generation: ${folder} holds one backup; restic keeps the earlier ones`)
  const { place, manifest, damaged } = await firstSound(places)
  return { manifest, place, damaged, contentOf: ({ path }) => join(place, path) }
}
