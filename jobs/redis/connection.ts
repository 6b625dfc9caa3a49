import { Redis } from 'ioredis'

/** Keys of an installation in Redis begin with this. */
export const REDIS_PREFIX = 'holdshort'

export interface RedisOptions {
  redis_url: string
  /** Prefix of the keys of one installation; tests use their own. */
  prefix?: string
}

const MAX_RETRY_PAUSE_MS = 1_000

/**
 * Connects to Redis and reconnects until `closing` fires. Commands wait while Redis is away; its errors are ignored here
 * because callers set their own timeouts.
 */
export function connectToRedis({ redis_url }: Pick<RedisOptions, 'redis_url'>, closing: AbortSignal): Redis {
  return new Redis(redis_url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (closing.aborted ? null : Math.min(times * 50, MAX_RETRY_PAUSE_MS)),
  }).on('error', () => undefined)
}
