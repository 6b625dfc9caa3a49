import { randomBytes } from 'node:crypto'
import { appendFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { HoldshortError } from '../../config/errors.ts'
import { draftPath } from '../../warehouse/storage/draft-names.ts'
import { asDiskFull, keepOwner } from '../../warehouse/storage/files.ts'
import { StateUnwritableError } from './unreachable.ts'

/**
 * SQLite makes the index of its log anew, of 32 kB, when it opens a file in WAL, and on a full disk others may take the space of the
 * former one. Space is released in small steps, so that it lasts for many starts.
 */
const STEP_BYTES = 4_096
const RESERVED_BYTES = 64 * STEP_BYTES

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Takes space for later openings, as much as there is. */
export function keepReserve(path: string): void {
  try {
    const missing = RESERVED_BYTES - sizeOf(path)
    // Some file systems give zeros no space.
    if (missing <= 0) return
    appendFileSync(path, randomBytes(missing), { mode: 0o600 })
    keepOwner(path)
  } catch {
    // What was written is kept.
  }
}

/** Opens a state; on a disk that others have filled with space of the reserve, so that what is stored can be read. */
export async function openWithReserve<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof StateUnwritableError && release(path)) return openWithReserve(path, open)
    throw error
  }
}

/** Gives some of the space back; false where none is left, where the disk has space, and where nothing can be changed. */
function release(path: string): boolean {
  const size = sizeOf(path)
  if (size === 0 || !isFull(path)) return false
  try {
    truncateSync(path, Math.max(0, size - STEP_BYTES))
    return true
  } catch {
    return false
  }
}

/** Whether no more can be written beside the reserve: the disk is full, or the quota of this user, of which its free space says nothing. */
function isFull(path: string): boolean {
  const probe = draftPath(path)
  try {
    writeFileSync(probe, randomBytes(RESERVED_BYTES), { mode: 0o600 })
    return false
  } catch (error) {
    return asDiskFull(error) instanceof HoldshortError
  } finally {
    rmSync(probe, { force: true })
  }
}
