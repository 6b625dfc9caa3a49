import { randomBytes } from 'node:crypto'
import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { StateUnwritableError } from './unreachable.ts'

/**
 * SQLite makes the index of its log anew, of 32 kB, when it opens a file in WAL, and on a full disk others may take the space of the
 * former one. Space is let go in small steps, so that it lasts for many starts.
 */
const STEP_BYTES = 4_096
const RESERVED_BYTES = 64 * STEP_BYTES

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Takes space for later openings, as much as there is. */
export function keepReserve(path: string): void {
  try {
    const missing = RESERVED_BYTES - sizeOf(path)
    // Some file systems give zeros no space.
    if (missing > 0) appendFileSync(path, randomBytes(missing), { mode: 0o600 })
  } catch {
    // What was written is kept.
  }
}

/** Opens a state; on a disk that others have filled with space of the reserve, so that what is stored can be read. */
export async function openWithReserve<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof StateUnwritableError && letGo(path)) return openWithReserve(path, open)
    throw error
  }
}

/** Gives some of the space back; false where none is left, or where nothing can be changed. */
function letGo(path: string): boolean {
  const size = sizeOf(path)
  if (size === 0) return false
  try {
    truncateSync(path, Math.max(0, size - STEP_BYTES))
    return true
  } catch {
    return false
  }
}
