import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Looks at least this often, for file systems that report changes late or not at all. */
const LOOK_MS = 50

export interface ForeignCommits {
  /** Whether another connection may have committed since the last time this was asked. */
  mayHave: () => boolean
  close: () => void
}

/**
 * Watches a SQLite file for commits of other connections and processes. Asking SQLite itself at every call was an eighth
 * of all time under load (profile of 2026-11-21); a commit writes the write-ahead log, and the system tells of that
 * before a request sent after it arrives.
 */
export function watchForeignCommits(file: string): ForeignCommits {
  if (file === ':memory:') return { mayHave: () => false, close: () => undefined }
  let changed = true
  const mark = () => {
    changed = true
  }
  const timer = setInterval(mark, LOOK_MS).unref()
  const name = basename(file)
  const watcher = watch(dirname(file), { persistent: false }, (_event, path) => {
    if (path === null || path.startsWith(name)) mark()
  })
  watcher.on('error', mark)
  return {
    mayHave: () => {
      const answer = changed
      changed = false
      return answer
    },
    close: () => {
      clearInterval(timer)
      watcher.close()
    },
  }
}
