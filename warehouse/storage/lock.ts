import { mkdir } from 'node:fs/promises'
import lockfile from 'proper-lockfile'
import { HoldshortError } from '../../config/errors.ts'

const queues = new Map<string, Promise<unknown>>()

/**
 * Runs `work` as the only writer of the warehouse, in this process and among processes; a dead writer's lock goes stale.
 * @throws HoldshortError WAREHOUSE_LOCKED after about 30 s of waiting.
 */
export async function asOnlyWriter<T>(warehouseDir: string, work: () => Promise<T>): Promise<T> {
  const earlier = queues.get(warehouseDir) ?? Promise.resolve()
  const mine = earlier.then(
    () => lockAndRun(warehouseDir, work),
    () => lockAndRun(warehouseDir, work),
  )
  queues.set(
    warehouseDir,
    mine.catch(() => undefined),
  )
  return mine
}

async function lockAndRun<T>(warehouseDir: string, work: () => Promise<T>): Promise<T> {
  await mkdir(warehouseDir, { recursive: true })
  let release: () => Promise<void>
  try {
    release = await lockfile.lock(warehouseDir, {
      stale: 5_000,
      update: 1_500,
      retries: { retries: 60, minTimeout: 20, maxTimeout: 700, factor: 1.5 },
      // A process that slept may find its lock taken over; files are put in place exclusively, so nothing is overwritten.
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
