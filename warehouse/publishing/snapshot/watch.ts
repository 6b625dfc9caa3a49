import { HoldshortError } from '../../../config/errors.ts'
import { isExhausted } from '../../storage/ordinary-file.ts'
import { loadSoundSnapshot } from './load.ts'
import { currentSnapshotId, filesOf, hasSnapshot } from './names.ts'
import type { Snapshot } from './snapshot.ts'

export interface WatchEvents {
  onSwap?: (snapshot: Snapshot, milliseconds: number) => void
  /** A snapshot could not be loaded; the previous one stays in use, at the start the newest that is sound. */
  onError?: (error: unknown) => void
}

/**
 * Holds the newest published snapshot: checks for a new one every `intervalMs`, loads it beside the old one, then swaps. One that cannot be
 * loaded is tried again when its files have changed, as those of a copy do that is still being made.
 */
export async function watchSnapshots(snapshotsDir: string, events: WatchEvents = {}, intervalMs = 500) {
  let loaded: Snapshot | null = null
  let gone: HoldshortError | null = null
  let unread: HoldshortError | null = null
  /** Why a snapshot could not be loaded, and the files that it had. */
  const rejected = new Map<string, { error: Error; files: string }>()
  let isChecking = false
  let lastError: string | null = null

  /** Forgets the rejection of a snapshot whose files have changed since. */
  const reconsider = async (id: string) => {
    const before = rejected.get(id)
    if (before && (await filesOf(snapshotsDir, id)) !== before.files) rejected.delete(id)
  }
  const load = async (ids: string[] | null, current: string | null): Promise<Snapshot | null> => {
    // Before it is read, because a copy may be completed meanwhile.
    const files = current === null ? '' : await filesOf(snapshotsDir, current)
    const failed = new Map<string, unknown>()
    const next = await loadSoundSnapshot(snapshotsDir, (id, error) => failed.set(id, error), ids, rejected)
    for (const [id, error] of failed) {
      rejected.set(id, { error: error as Error, files: id === current ? files : await filesOf(snapshotsDir, id) })
      events.onError?.(error)
    }
    return next
  }
  const check = async () => {
    if (isChecking) return
    isChecking = true
    try {
      const id = await currentSnapshotId(snapshotsDir)
      lastError = null
      const isGone = loaded && (id === null || !(await hasSnapshot(snapshotsDir, id)))
      if (!isGone) gone = null
      else
        gone ??= new HoldshortError(
          'DATA_FOLDER_GONE',
          'the published snapshots were moved or deleted; the last one is still served',
        )
      if (id) await reconsider(id)
      if (!loaded || (id && id !== loaded.id && !rejected.has(id))) {
        const startedAt = performance.now()
        const next = await load(loaded && id ? [id] : null, id)
        if (next) {
          loaded = next
          events.onSwap?.(next, performance.now() - startedAt)
        }
      }
      unread = unreadFault(id, rejected, loaded)
    } catch (error) {
      unread = outOfReachFault(error, loaded) ?? unread
      const { message } = error as Error
      if (message !== lastError) events.onError?.(error)
      lastError = message
    } finally {
      isChecking = false
    }
  }
  await check()
  const timer = setInterval(() => void check(), intervalMs)
  return {
    current: () => loaded,
    /** Whether the snapshot in use cannot be found on the disk any more. */
    isGone: () => gone !== null,
    /** Why the snapshot in use is not the newest one on the disk; null while it is, and before the first. */
    fault: () => gone ?? unread,
    stop: () => clearInterval(timer),
  }
}

/** The fault that nobody knows which snapshots there are; null for a process that can open no file, which says so itself. */
function outOfReachFault(error: unknown, loaded: Snapshot | null): HoldshortError | null {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || isExhausted(error)) return null
  const served = loaded ? `${loaded.id} is still served` : 'none is served'
  const text = `the folder of the snapshots cannot be read (${code}), and ${served}; look at its permissions and its disk`
  return new HoldshortError('DATA_FOLDER_UNUSABLE', text, { cause: error })
}

/** The fault that the newest snapshot cannot be loaded: it is damaged, half copied or of a later release. */
function unreadFault(
  id: string | null,
  rejected: ReadonlyMap<string, { error: Error }>,
  loaded: Snapshot | null,
): HoldshortError | null {
  const error = id === null || id === loaded?.id ? undefined : rejected.get(id)?.error
  if (error === undefined) return null
  const served = loaded ? `${loaded.id} is still served` : 'none is served'
  return new HoldshortError('SNAPSHOT_INVALID', `the newest snapshot cannot be read, and ${served}: ${error.message}`)
}
