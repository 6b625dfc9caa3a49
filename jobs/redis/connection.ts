import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** Keys of an installation in Redis begin with this. */
const REDIS_PREFIX = 'holdshort'

export interface RedisOptions {
  redis_url: string
  /** Prefix of the keys of one installation; tests use their own. */
  prefix?: string
}

const MAX_RETRY_PAUSE_MS = 1_000
const CLOSE_GRACE_MS = 1_000

/**
 * The connections of one user of Redis, which end together. They reconnect, and commands wait while Redis is away; its errors are
 * ignored here because callers set their own timeouts.
 */
export function openRedis({ redis_url, prefix = REDIS_PREFIX }: RedisOptions) {
  const opened: Redis[] = []
  let isClosing = false
  return {
    prefix,
    connect(): Redis {
      const redis = new Redis(redis_url, {
        maxRetriesPerRequest: null,
        retryStrategy: (times) => (isClosing ? null : Math.min(times * 50, MAX_RETRY_PAUSE_MS)),
      })
      opened.push(redis)
      return redis.on('error', () => undefined)
    },
    /** Ends the connections after what uses them; a Redis that is away holds that up for a second. */
    async close(users: readonly Promise<unknown>[] = []): Promise<void> {
      isClosing = true
      if (users.length > 0)
        await Promise.race([Promise.allSettled(users), sleep(CLOSE_GRACE_MS, undefined, { ref: false })])
      for (const redis of opened) redis.disconnect()
    },
  }
}
