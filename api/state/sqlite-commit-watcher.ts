import { closeSync, constants, openSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Without waiting for a reader, should a pipe lie in the place of the file. */
const WRITE_AT_ONCE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK

/** Polling interval, for commits that are not announced (usage) and for file systems that report changes late or never. */
const POLL_MS = 50

export interface CommitWatcher {
  /** Whether another process may have committed, or this one announced a change, since the last call of this function. */
  mayHaveCommitted: () => boolean
  /** Announces a change of access, also to the other processes; call it after the commit. */
  announce: () => Promise<void> | void
  close: () => void
}

/**
 * Detects commits of other processes on a SQLite file. Querying SQLite for it on every call took an eighth of all time
 * under load (profile of 2026-11-21). Instead, a process that has committed a change of access writes a marker file beside
 * the database; the operating system reports that before a later request can be read.
 */
export function watchCommitsOfOtherProcesses(file: string): CommitWatcher {
  const markerFile = `${file}-keys-changed`
  let changed = true
  const mark = () => {
    changed = true
  }
  const mayHaveCommitted = () => {
    const answer = changed
    changed = false
    return answer
  }
  if (file === ':memory:') return { mayHaveCommitted, announce: mark, close: () => undefined }
  const timer = setInterval(mark, POLL_MS).unref()
  const watcher = watch(dirname(file), { persistent: false }, (_event, path) => {
    if (path === null || path === basename(markerFile)) mark()
  })
  watcher.on('error', mark)
  return {
    mayHaveCommitted,
    announce: () => {
      mark()
      try {
        closeSync(openSync(markerFile, WRITE_AT_ONCE, 0o600))
        return undefined
      } catch {
        // The commit is on the disk although the marker is not: each process looks by itself within this time.
        return wait(2 * POLL_MS)
      }
    },
    close: () => {
      clearInterval(timer)
      watcher.close()
    },
  }
}
