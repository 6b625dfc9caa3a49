import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { type FileLock, holderText, isOwnLock, type LockHolder, lockHolder, takeLock } from './file-lock.ts'
import { makeDataFolder, UNWRITABLE } from './files.ts'

/**
 * The users of a data folder. Every command that opens one shares it; a command that replaces its contents needs it alone. Each
 * first takes its own lock and then looks for the other kind, so that two that start together never both go on.
 */
const ALONE = 'alone'
/** Each use beside others has the first of these locks that is free. */
const MAX_USERS = 1_000
const shared = (number: number) => `shared-${number}`

function folderInUseError(dataDir: string, holder: LockHolder): HoldshortError {
  return new HoldshortError(
    'DATA_FOLDER_IN_USE',
    `${dataDir} is used by ${holderText(holder)}; stop it or choose another folder (--data-dir)`,
  )
}

/** The locks of those that share a data folder, or did. */
async function sharedLocks(locksDir: string): Promise<string[]> {
  const files = await readdir(locksDir).catch(() => [])
  return files.flatMap((file) => /^(shared-\d+)\.lock$/.exec(file)?.[1] ?? [])
}

/** The processes that use a data folder beside others now. Changes nothing. */
export async function folderSharers(dataDir: string): Promise<LockHolder[]> {
  const { locks } = dataPaths(dataDir)
  const holders = await Promise.all((await sharedLocks(locks)).map((name) => lockHolder(locks, name)))
  return holders.filter((holder) => holder !== null)
}

/** The process that uses a data folder alone or holds a role in it; null when there is none. Changes nothing. */
export const folderHolder = (dataDir: string, role: 'alone' | 'supervisor' | 'pipeline') =>
  lockHolder(dataPaths(dataDir).locks, role)

/** The process that needs a data folder alone, or one that shares it; null when only this process uses it. Changes nothing. */
export async function otherUser(dataDir: string): Promise<LockHolder | null> {
  const { locks } = dataPaths(dataDir)
  for (const name of [ALONE, ...(await sharedLocks(locks))]) {
    const holder = isOwnLock(locks, name) ? null : await lockHolder(locks, name)
    if (holder !== null) return holder
  }
  return null
}

/**
 * Checks that no restore was interrupted in a data folder.
 * @throws HoldshortError RESTORE_UNFINISHED
 */
export function requireRestored(dataDir: string): void {
  if (!existsSync(dataPaths(dataDir).unfinished_restore)) return
  throw new HoldshortError(
    'RESTORE_UNFINISHED',
    `a backup was not restored completely into ${dataDir}; run \`holdshort restore\` again with the same folder`,
  )
}

/** Takes a lock of its own among those that share a folder; null if nothing can be written, and so nothing replaced either. */
async function takeShared(locksDir: string): Promise<FileLock | null> {
  try {
    for (let number = 0; number < MAX_USERS; number += 1) {
      const lock = await takeLock(locksDir, shared(number), 0)
      if (lock !== null) return lock
    }
    throw new HoldshortError('DATA_FOLDER_UNUSABLE', `${locksDir} cannot be used: its file system has no file locks`)
  } catch (error) {
    if (UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/**
 * Uses a data folder beside other processes.
 * @throws HoldshortError DATA_FOLDER_IN_USE while another process needs it alone, RESTORE_UNFINISHED.
 */
export async function shareDataFolder(dataDir: string): Promise<FileLock> {
  const { locks } = dataPaths(dataDir)
  await makeDataFolder(dataDir)
  const lock = await takeShared(locks)
  const release = async () => lock?.release()
  try {
    const holder = isOwnLock(locks, ALONE) ? null : await lockHolder(locks, ALONE)
    if (holder !== null) throw folderInUseError(dataDir, holder)
    requireRestored(dataDir)
    return { release, [Symbol.asyncDispose]: release }
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Uses a data folder alone.
 * @throws HoldshortError DATA_FOLDER_IN_USE while any other process uses it.
 */
export async function holdDataFolder(dataDir: string): Promise<FileLock> {
  const lock = await holdRole(dataDir, ALONE)
  const other = await otherUser(dataDir)
  if (other === null) return lock
  await lock.release()
  throw folderInUseError(dataDir, other)
}

/**
 * Runs as the only supervisor or the only pipeline of a data folder; waits a little for one that is just ending.
 * @throws HoldshortError DATA_FOLDER_IN_USE
 */
export async function holdRole(
  dataDir: string,
  role: 'alone' | 'supervisor' | 'pipeline',
  waitMs?: number,
): Promise<FileLock> {
  const { locks } = dataPaths(dataDir)
  await makeDataFolder(dataDir)
  for (;;) {
    const lock = await takeLock(locks, role, waitMs)
    if (lock !== null) return lock
    const holder = await lockHolder(locks, role)
    if (holder !== null) throw folderInUseError(dataDir, holder)
  }
}
