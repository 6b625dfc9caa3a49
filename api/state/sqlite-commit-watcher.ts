import { closeSync, constants, type FSWatcher, openSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Does not wait for a reader, in case a pipe replaces the file. */
const WRITE_AT_ONCE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK

const UNWATCHED: Record<string, string> = {
  EMFILE: 'no inotify instance is left (fs.inotify.max_user_instances)',
  ENOSPC: 'no inotify watch is left (fs.inotify.max_user_watches)',
}

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
 * Detects commits of other processes on a SQLite file. Querying SQLite for it on every call took an eighth of all time under
 * load (profile of 2026-11-21). Instead, a process that has committed a change of access writes a marker file beside the
 * database; the operating system reports that before a later request can be read. If it cannot report them, each call queries
 * SQLite again, and `onUnwatched` is called once.
 */
export function watchCommitsOfOtherProcesses(
  file: string,
  onUnwatched: (message: string) => void = () => undefined,
): CommitWatcher {
  const markerFile = `${file}-keys-changed`
  let changed = true
  let isWatched = true
  const mark = () => {
    changed = true
  }
  const mayHaveCommitted = () => {
    const answer = changed || !isWatched
    changed = false
    return answer
  }
  if (file === ':memory:') return { mayHaveCommitted, announce: mark, close: () => undefined }
  const timer = setInterval(mark, POLL_MS).unref()
  const unwatched = (error: NodeJS.ErrnoException) => {
    if (!isWatched) return
    isWatched = false
    const reason = UNWATCHED[error.code ?? ''] ?? error.message
    onUnwatched(
      `changes of keys by other processes are not reported by the system: ${reason}; the database is read at each request`,
    )
  }
  const watcher = watchFolder(dirname(file), unwatched, (path) => {
    if (path === null || path === basename(markerFile)) mark()
  })
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
      watcher?.close()
    },
  }
}

/** A watcher of the files of a folder; null if the system has none left. */
function watchFolder(
  folder: string,
  onError: (error: NodeJS.ErrnoException) => void,
  onChange: (path: string | null) => void,
): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, path) => onChange(path))
    return watcher.on('error', onError)
  } catch (error) {
    onError(error as NodeJS.ErrnoException)
    return null
  }
}
