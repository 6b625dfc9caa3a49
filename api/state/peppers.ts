import { statSync } from 'node:fs'
import { keyedHash } from './key-format.ts'
import { readPepperFile } from './pepper.ts'

/**
 * The secrets that credentials are hashed with: what is stored is hashed with the current one, and what is presented is
 * looked up under all. A former one so goes on being valid after a rotation, until what it hashed has been used again.
 */
export interface Peppers {
  readonly current: string
  /** The current one first. */
  readonly all: readonly string[]
  /** Reads them again; whether they have changed. */
  refresh: () => boolean
}

export const fixedPeppers = (current: string, former: readonly string[] = []): Peppers => ({
  current,
  all: [current, ...former],
  refresh: () => false,
})

/** The peppers of a file, which a rotation replaces while this process runs. */
export function peppersOfFile(path: string): Peppers {
  const fingerprint = () => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? `${found.ino}/${found.mtimeMs}/${found.size}` : null
  }
  let seen = fingerprint()
  let all = readPepperFile(path) ?? []
  return {
    get current() {
      return all[0] ?? ''
    },
    get all() {
      return all
    },
    refresh: () => {
      const now = fingerprint()
      if (now === seen) return false
      const read = readPepperFile(path)
      // A file that is missing for a moment changes nothing.
      if (read === null) return false
      seen = now
      all = read
      return true
    },
  }
}

/** The hashes under which a text may be stored, the current one first. */
export const hashesOf = (text: string, { all }: Peppers): string[] => all.map((pepper) => keyedHash(text, pepper))

/** Looks a text up by its hashes, and again when another process has rotated the pepper since they were read. */
export async function findByHash<T>(
  text: string,
  peppers: Peppers,
  find: (hashes: string[]) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find(hashesOf(text, peppers))
  if (found !== undefined || !peppers.refresh()) return found
  return find(hashesOf(text, peppers))
}
