import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether users other than the owner may read or change a file. */
export const isOpenToOthers = (path: string): boolean => existsSync(path) && (statSync(path).mode & 0o077) !== 0

/** Takes the rights of others away from an existing file. */
export function makePrivate(path: string): void {
  if (!isOpenToOthers(path)) return
  try {
    chmodSync(path, 0o600)
  } catch {
    // The file of another user: the doctor says so.
  }
}

/** The files in which SQLite keeps a state: itself, its log and the index of that. */
export const databaseFiles = (file: string): string[] => ['', '-wal', '-shm'].map((suffix) => file + suffix)

/** The same with ours beside them; their owner alone may read all of them. */
export const stateFiles = (file: string): string[] => [...databaseFiles(file), `${file}-keys-changed`, `${file}-marker`]

/** The first of the folder and files in which SQLite writes that this user may not read and write; null where there is none. */
export function forbiddenFile(file: string): string | null {
  const isForbidden = (path: string) => {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
      return false
    } catch (error) {
      return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
    }
  }
  return [dirname(file), ...databaseFiles(file)].find(isForbidden) ?? null
}
