import { setTimeout as sleep } from 'node:timers/promises'
import { watchIdentity } from '../../warehouse/storage/identity.ts'
import type { Log } from './log.ts'

/** The exit code of a process whose data folder is gone. Its supervisor must not start it again: it would begin anew. */
export const EXIT_FOLDER_GONE = 4

/** Says that a path is gone, and ends this process: it must not go on with what nobody will find again. */
export function stopBecauseGone(path: string, log: Log): void {
  const error = `${path} was moved, deleted or replaced while this process used it`
  log.fatal({ code: 'DATA_FOLDER_GONE', error }, 'stopping; put it back, or restore a backup, and start again')
  process.exit(EXIT_FOLDER_GONE)
}

/** Ends this process within two seconds after one of the files or folders that it lives on is gone. */
export function stopWhenGone(paths: readonly string[], log: Log): Promise<{ stop: () => void }> {
  return watchIdentity(paths, (path) => stopBecauseGone(path, log))
}

/** Ends this process when its snapshots are gone and no new one has been published for a while. */
export async function stopWithoutSnapshots(
  { isGone, path, limitMs }: { isGone: () => boolean; path: string; limitMs: number },
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let goneMs = 0
  for (
    const pauseMs = 500;
    !signal.aborted;
    await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => undefined)
  ) {
    goneMs = isGone() ? goneMs + pauseMs : 0
    if (goneMs > limitMs) return stopBecauseGone(path, log)
  }
}
