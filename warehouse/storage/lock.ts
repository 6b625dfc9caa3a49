import { HoldshortError } from '../../config/errors.ts'
import { asDiskFull } from './files.ts'
import { takeLease } from './lease.ts'

/** The last waiting write of each folder of leases in this process. */
const queues = new Map<string, Promise<unknown>>()

/**
 * How long a writer waits for another one that is alive. A compaction, an import or a landing in a bucket may take minutes on a busy
 * machine; a landing or a training that gave up earlier would lose its work.
 */
const MAX_WAIT_MS = 600_000

/**
 * Runs `work` as the only writer of the warehouse, within this process and among processes. The lock of a process that
 * ended is free at once, that of a frozen process after five seconds; what a frozen writer had begun fails when it
 * continues (see `claimPartition`).
 * @throws HoldshortError WAREHOUSE_LOCKED after ten minutes of waiting, with the holder.
 */
export async function withWriteLock<T>(locksDir: string, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(locksDir) ?? Promise.resolve()
  const result = previous.then(
    () => lockAndRun(locksDir, work),
    () => lockAndRun(locksDir, work),
  )
  queues.set(
    locksDir,
    result.catch(() => undefined),
  )
  return result
}

async function lockAndRun<T>(locksDir: string, work: () => Promise<T>): Promise<T> {
  const taken = await takeLease(locksDir, 'write', { waitMs: MAX_WAIT_MS, mayReplaceFrozen: true }).catch((error) => {
    throw asDiskFull(error)
  })
  if ('holder' in taken) {
    const { command, pid, host, since } = taken.holder
    throw new HoldshortError(
      'WAREHOUSE_LOCKED',
      `${command} (process ${pid} on ${host}) has been writing to the warehouse since ${since}`,
    )
  }
  try {
    return await work()
  } finally {
    await taken.lease.release().catch(() => undefined)
  }
}
