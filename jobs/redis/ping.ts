import { Redis } from 'ioredis'

const TIMEOUT_MS = 2_500

/** Asks Redis once whether it answers. @throws the reason why it does not */
export async function pingRedis(redis_url: string): Promise<void> {
  const redis = new Redis(redis_url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let reason: Error | null = null
  redis.on('error', (error: Error) => {
    reason = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
