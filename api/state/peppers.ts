import { randomBytes } from 'node:crypto'
import { linkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { readOrdinaryTextSync } from '../../warehouse/storage/ordinary-file.ts'
import { keyedHash } from './key-format.ts'
import { makePrivate } from './private-files.ts'

/** The file after a rotation. Before one it is the secret itself. */
const Rotated = z.strictObject({ current: z.string().min(16), former: z.array(z.string().min(16)) })

/**
 * The installation's secrets for hashing keys, created on first use and readable by its owner only. The first one is written
 * to a draft file and linked into place, so that two processes that start at the same time read the same secret.
 * @throws HoldshortError STATE_INCOMPLETE for an empty file
 */
export function readOrCreatePeppers(path: string): string[] {
  const existing = readPepperFile(path)
  if (existing) return existing
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  const peppers = readPepperFile(path)
  if (peppers) return peppers
  throw new HoldshortError(
    'STATE_INCOMPLETE',
    `${path} is empty; restore it from a backup, or delete it if no key was ever issued`,
  )
}

/**
 * The installation's secrets, the current one first; null if there is no file, or an empty one.
 * @throws HoldshortError STATE_INCOMPLETE when it is damaged
 */
export function readPepperFile(path: string): string[] | null {
  try {
    makePrivate(path)
    const text = readOrdinaryTextSync(path)
    if (text === '') return null
    if (!text.startsWith('{')) return [text]
    const { current, former } = Rotated.parse(JSON.parse(text))
    return [current, ...former]
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (['EACCES', 'EPERM'].includes(code)) throw error
    throw new HoldshortError('STATE_INCOMPLETE', `${path} is damaged; restore it from a backup`, { cause: error })
  }
}

/** Puts a new secret in front of the former ones, which stay valid. */
export async function rotatePepperFile(path: string): Promise<void> {
  const former = readOrCreatePeppers(path)
  const current = randomBytes(32).toString('base64url')
  await writeWhole(path, JSON.stringify({ current, former }), 0o600)
}

/**
 * The secrets that credentials are hashed with: what is stored is hashed with the current one, and what is presented is
 * looked up under all. A former one so goes on being valid after a rotation, until what it hashed has been used again.
 */
export interface Peppers {
  readonly current: string
  /** The current one first. */
  readonly all: readonly string[]
  /** Reads them again; whether they have changed. It never throws. */
  refresh: () => boolean
  /** Why the file is not used any more; null while what is loaded is what the file has. */
  fault: () => HoldshortError | null
}

export const fixedPeppers = (current: string, former: readonly string[] = []): Peppers => ({
  current,
  all: [current, ...former],
  refresh: () => false,
  fault: () => null,
})

/**
 * The peppers of a file, which a rotation replaces while this process runs. A file without the current one was not rotated but edited,
 * exchanged, damaged or removed: what is loaded stays, because with another secret no issued key would be valid.
 */
export function peppersOfFile(path: string): Peppers {
  const fingerprint = () => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? `${found.ino}/${found.mtimeMs}/${found.size}` : null
  }
  let seen = fingerprint()
  let all = readPepperFile(path) ?? []
  let fault: HoldshortError | null = null
  const readAgain = () => {
    const now = fingerprint()
    if (now === seen) return false
    const read = readPepperFile(path)
    if (read === null) throw new Error('is missing or empty')
    if (!read.includes(all[0] ?? '')) throw new Error('differs from what is loaded and is no rotation of it')
    const isChanged = read.join() !== all.join()
    seen = now
    all = read
    return isChanged
  }
  return {
    get current() {
      return all[0] ?? ''
    },
    get all() {
      return all
    },
    fault: () => fault,
    refresh: () => {
      try {
        const isChanged = readAgain()
        fault = null
        return isChanged
      } catch (cause) {
        const text = `${path}: ${(cause as Error).message}; this process goes on with the secret that it loaded. Put the file back before the next start, or no key will be valid`
        fault ??= new HoldshortError('STATE_INCOMPLETE', text, { cause })
        return false
      }
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
