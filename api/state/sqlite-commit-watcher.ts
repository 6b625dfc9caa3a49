import { watch, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Looks at least this often: for what is not announced (usage), and for file systems that tell of changes late or never. */
const LOOK_MS = 50

export interface CommitWatcher {
  /** Whether another connection may have committed since the last time this was asked. */
  mayHaveCommitted: () => boolean
  /** Tells the other processes of a change of keys; to be called once it is committed. */
  announce: () => void
  close: () => void
}

/**
 * Notices commits of other processes on a SQLite file. Asking SQLite itself at every call was an eighth of all time under
 * load (profile of 2026-11-21). So whoever has committed a change of keys touches a file beside it, and the system tells
 * of that before a request sent afterwards can be read.
 */
export function watchCommitsOfOtherProcesses(file: string): CommitWatcher {
  if (file === ':memory:') return { mayHaveCommitted: () => false, announce: () => undefined, close: () => undefined }
  const bell = `${file}-keys-changed`
  let changed = true
  const mark = () => {
    changed = true
  }
  const timer = setInterval(mark, LOOK_MS).unref()
  const watcher = watch(dirname(file), { persistent: false }, (_event, path) => {
    if (path === null || path === basename(bell)) mark()
  })
  watcher.on('error', mark)
  return {
    mayHaveCommitted: () => {
      const answer = changed
      changed = false
      return answer
    },
    announce: () => writeFileSync(bell, ''),
    close: () => {
      clearInterval(timer)
      watcher.close()
    },
  }
}
