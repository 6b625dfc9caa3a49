import { readFileSync } from 'node:fs'

/**
 * Open files that a process must be allowed. Loading the largest command opens 600 at once, and Node.js then reports a missing
 * package; serving needs one for each connection.
 */
const MIN_OPEN_FILES = 1_000

/** Why this process may not open enough files; null when it may, and where the system does not say. */
export function openFilesFault(): string | null {
  const limit = openFilesLimit()
  if (limit === null || limit >= MIN_OPEN_FILES) return null
  return `EMFILE: this process may have ${limit} open files and needs ${MIN_OPEN_FILES}; raise the limit (ulimit -n)`
}

/** How many of the open files of a process its connections may be; the rest is for its own files and the downloads. */
const SHARE_OF_CONNECTIONS = 0.7

/**
 * How many connections a server of this process may hold. Strangers who open more of them and send nothing would otherwise leave it
 * none for snapshots and downloads. Null if the system does not say.
 */
export function maxConnections(limit = openFilesLimit()): number | null {
  return limit === null ? null : Math.floor(limit * SHARE_OF_CONNECTIONS)
}

/** Node.js has raised its own limit as far as it may. */
function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
