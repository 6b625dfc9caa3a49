import { mkdir } from 'node:fs/promises'
import lockfile from 'proper-lockfile'
import { HoldshortError } from '../../config/errors.ts'

/** The last waiting write of each warehouse folder in this process. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Runs `work` as the only writer of the warehouse, within this process and among processes. The lock of a dead process
 * expires after five seconds.
 * @throws HoldshortError WAREHOUSE_LOCKED after about 30 s of waiting.
 */
export async function withWriteLock<T>(warehouseDir: string, work: () => Promise<T>): Promise<T> {
  const previous = queues.get(warehouseDir) ?? Promise.resolve()
  const result = previous.then(
    () => lockAndRun(warehouseDir, work),
    () => lockAndRun(warehouseDir, work),
  )
  queues.set(
    warehouseDir,
    result.catch(() => undefined),
  )
  return result
}

async function lockAndRun<T>(warehouseDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(warehouseDir, { recursive: true })
  let release: () => Promise<void>
  try {
    release = await lockfile.lock(warehouseDir, {
      stale: 5_000,
      update: 1_500,
      retries: { retries: 60, minTimeout: 20, maxTimeout: 700, factor: 1.5 },
      // After a long pause another process may have taken the lock over. Files are created exclusively, so nothing is overwritten.
      onCompromised: () => undefined,
    })
  } catch (error) {
    throw new HoldshortError('WAREHOUSE_LOCKED', `another process is writing to ${warehouseDir}`, { cause: error })
  }
  try {
    return await work()
  } finally {
    await release().catch(() => undefined)
  }
}
