import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { connectToRedis, REDIS_PREFIX, type RedisOptions } from './connection.ts'

const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
const EXTEND =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
const LOCK_MS = 15_000

/** Releases a lock. */
export type Release = () => Promise<void>

/** The Redis key of a job's lock. */
export const lockKey = (prefix: string, job: string) => `${prefix}:lock:${job}`

/**
 * Takes the lock of a job name; returns null when any machine holds it. The lock is extended until it is released; the lock
 * of a dead process expires after 15 s.
 */
export async function takeLock(redis: Redis, prefix: string, job: string): Promise<Release | null> {
  const key = lockKey(prefix, job)
  const token = randomUUID()
  if ((await redis.set(key, token, 'PX', LOCK_MS, 'NX')) === null) return null
  const extend = () => void redis.eval(EXTEND, 1, key, token, LOCK_MS).catch(() => undefined)
  const extending = setInterval(extend, LOCK_MS / 3)
  return async () => {
    clearInterval(extending)
    await redis.eval(RELEASE, 1, key, token).catch(() => undefined)
  }
}

/** The locks of collect runs, for live requests: only one machine at a time asks a source. */
export function openSourceLocks(options: RedisOptions) {
  const closing = new AbortController()
  const redis = connectToRedis(options, closing.signal)
  return {
    take: (source: string): Promise<Release | null> =>
      takeLock(redis, options.prefix ?? REDIS_PREFIX, `collect:${source}`),
    close: () => {
      closing.abort()
      redis.disconnect()
    },
  }
}
