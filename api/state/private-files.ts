import { chmodSync, existsSync, statSync } from 'node:fs'

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
