import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`no package.json above ${from}`)
  }
}

/** The project's root folder, both when run from source and from `dist`. */
export const PROJECT_ROOT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Absolute path of a file that ships with the project. */
export function projectFile(...segments: string[]): string {
  return join(PROJECT_ROOT, ...segments)
}
