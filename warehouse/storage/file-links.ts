import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { replacedPath } from './layout.ts'

/** A path of a part file in a statement. */
const QUOTED_PATH = /\/[^']+\/[pc]-\d{8}(?:-d\d\d|-m[0-9a-f]{8})?(?:-[0-9a-f]{16})?\.parquet(?=')/g

/**
 * Hard links to part files. Whoever replaces a file renames it; its link stays, so that a long read finds every file that it
 * began with.
 */
export interface FileLinks {
  /** Paths of links to files; null when one of them is gone. On a disk without links, the files themselves. */
  linksTo: (files: readonly string[]) => Promise<string[] | null>
  /** A statement that names links where it named files; files that are gone stay named. */
  inStatement: (sql: string) => Promise<string>
  /** Removes all links. */
  clear: () => Promise<void>
}

/** Keeps links to files of `warehouseDir` below the folder `linkDir`, which is nobody else's. */
export function keepLinks(warehouseDir: string, linkDir: string): FileLinks {
  const linksTo = async (files: readonly string[]): Promise<string[] | null> => {
    const links: string[] = []
    for (const file of files) {
      const linked = join(linkDir, relative(warehouseDir, file))
      await mkdir(dirname(linked), { recursive: true })
      const failure = await linkFile(file, linked)
      if (failure === 'ENOENT' && (await linkFile(replacedPath(file), linked)) !== null) return null
      if (failure !== null && failure !== 'ENOENT') return [...files]
      links.push(linked)
    }
    return links
  }
  return {
    linksTo,
    inStatement: async (sql) => {
      const links = new Map<string, string>()
      for (const path of new Set<string>(sql.match(QUOTED_PATH))) links.set(path, (await linksTo([path]))?.[0] ?? path)
      return sql.replace(QUOTED_PATH, (path) => links.get(path) ?? path)
    },
    clear: () => rm(linkDir, { recursive: true, force: true }),
  }
}

/** Links a file, unless there is a link already; returns the code of the failure, or null. */
const linkFile = (file: string, linked: string): Promise<string | null> =>
  link(file, linked).then(
    () => null,
    ({ code = '' }: NodeJS.ErrnoException) => (code === 'EEXIST' ? null : code),
  )
