import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

const RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
const EXTEND =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"
const LOCK_MS = 15_000

/** Gives a lock back. */
export type Release = () => Promise<void>

/** The key of a job's lock. */
export const lockKey = (prefix: string, job: string) => `${prefix}:lock:${job}`

/**
 * Takes the lock of a job name if it is free, on whatever machine it may be held; null when it is held. It is extended
 * until it is given back; a dead holder's ends by itself.
 */
export async function takeLock(redis: Redis, prefix: string, job: string): Promise<Release | null> {
  const [key, token] = [lockKey(prefix, job), randomUUID()]
  if ((await redis.set(key, token, 'PX', LOCK_MS, 'NX')) === null) return null
  const extend = () => void redis.eval(EXTEND, 1, key, token, LOCK_MS).catch(() => undefined)
  const extending = setInterval(extend, LOCK_MS / 3)
  return async () => {
    clearInterval(extending)
    await redis.eval(RELEASE, 1, key, token).catch(() => undefined)
  }
}
