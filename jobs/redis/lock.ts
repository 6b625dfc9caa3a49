import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { openRedis, type RedisOptions } from './connection.ts'

const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
const EXTEND =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
const LOCK_MS = 15_000
/** A request that is sent just before the lock expires still reaches the source within it. */
const SAFETY_MS = 1_000

/** Releases a lock. */
export type Release = () => Promise<void>

/** A lock that is held. */
export type HeldLock = Release & {
  /** Whether the lock is certainly still held, by this process's monotonic clock: after a freeze it may have expired. */
  isHeld: () => boolean
}

/** The Redis key of a job's lock. */
export const lockKey = (prefix: string, job: string) => `${prefix}:lock:${job}`

/**
 * Takes the lock of a job name; returns null when any machine holds it. The lock is extended until it is released; the lock
 * of a dead process expires after 15 s.
 */
export async function takeLock(redis: Redis, prefix: string, job: string): Promise<HeldLock | null> {
  const key = lockKey(prefix, job)
  const token = randomUUID()
  const requested = performance.now()
  if ((await redis.set(key, token, 'PX', LOCK_MS, 'NX')) === null) return null
  let heldUntil = requested + LOCK_MS - SAFETY_MS
  let isLost = false
  const extend = async () => {
    const extendedAt = performance.now()
    const extended = await redis.eval(EXTEND, 1, key, token, LOCK_MS)
    if (extended === 1) heldUntil = extendedAt + LOCK_MS - SAFETY_MS
    else isLost = true
  }
  // A process that has ended its work does not stay for the lock.
  const extending = setInterval(() => void extend().catch(() => undefined), LOCK_MS / 3).unref()
  const release = async () => {
    clearInterval(extending)
    await redis.eval(RELEASE, 1, key, token).catch(() => undefined)
  }
  return Object.assign(release, { isHeld: () => !isLost && performance.now() < heldUntil })
}

/** The locks of collect runs, for live requests: only one machine at a time requests a source. */
export function openSourceLocks(options: RedisOptions) {
  const { prefix, connect, close } = openRedis(options)
  const redis = connect()
  return {
    take: (source: string): Promise<Release | null> => takeLock(redis, prefix, `collect:${source}`),
    close: () => void close(),
  }
}
