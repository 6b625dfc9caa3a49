import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'

/** Forces a file or folder to the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Writes a file atomically: under a temporary name beside it, synced, then renamed. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'w', mode)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncPath(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw asDiskFull(error)
  }
}

/** Turns the error of a full disk, from whichever layer, into DISK_FULL; other errors pass unchanged. */
export function asDiskFull(error: unknown): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  const full = code === 'ENOSPC' || code === 'EDQUOT' || /no space left|disk quota/i.test(message ?? '')
  return full ? new HoldshortError('DISK_FULL', 'the data folder has no space left', { cause: error }) : error
}

/** Bytes of all files below a folder; 0 when it does not exist. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return bytesIn(path)
      return (await stat(path).catch(() => ({ size: 0 }))).size
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
