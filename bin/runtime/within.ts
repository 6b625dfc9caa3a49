import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** The real path of a file or folder that need not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path))
}

/** Whether a path is that of a folder, or lies in it, whatever links lead there; neither need exist. */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [realPathOf(path), realPathOf(folder)]
  return inner === outer || inner.startsWith(outer + sep)
}
