import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

/**
 * The files of a data folder are ordinary ones. Anything else in their place is met before it is opened: opening a pipe waits
 * for its writer forever, a device may have no end, and what the system says about a folder does not name it.
 */
function requireOrdinary(path: string, stats: Stats): void {
  if (stats.isFile()) return
  const code = stats.isDirectory() ? 'EISDIR' : 'EFTYPE'
  const text = stats.isDirectory() ? 'is a folder' : 'is a pipe, a socket or a device'
  throw Object.assign(new Error(`${path} ${text} instead of a file`), { code, path, syscall: 'open' })
}

const EXHAUSTED = ['EMFILE', 'ENFILE', 'ENOMEM']

/** Whether this process or machine can open no file at the moment. Such an error says nothing about the file: it is neither damaged nor gone. */
export const isExhausted = (error: unknown): boolean => EXHAUSTED.includes((error as NodeJS.ErrnoException).code ?? '')

/** Whether this user may not read a file: nothing is known of what is in it. */
export const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Whether what is at a path is out of reach, and may be there unharmed: too many files are open, its rights were taken, or its disk fails. */
export const isOutOfReach = (error: unknown): boolean =>
  isExhausted(error) || isForbidden(error) || (error as NodeJS.ErrnoException).code === 'EIO'

/** @throws Error EISDIR or EFTYPE for what is no ordinary file, ENOENT where there is nothing */
export async function requireOrdinaryFile(path: string): Promise<Stats> {
  const stats = await stat(path)
  requireOrdinary(path, stats)
  return stats
}

/** The same without a pause, for what is opened at once. */
export function requireOrdinaryFileSync(path: string): void {
  requireOrdinary(path, statSync(path))
}

/** The bytes of an ordinary file. */
export async function readOrdinaryFile(path: string): Promise<Buffer> {
  await requireOrdinaryFile(path)
  return readFile(path)
}

/** The text of an ordinary file. */
export const readOrdinaryText = async (path: string): Promise<string> => (await readOrdinaryFile(path)).toString('utf8')

/** The same without a pause. */
export function readOrdinaryTextSync(path: string): string {
  requireOrdinaryFileSync(path)
  return readFileSync(path, 'utf8')
}
