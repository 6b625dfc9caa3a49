import type { AccountDependencies } from '../../api/accounts/dependencies.ts'
import type { State } from '../../api/state/state.ts'
import type { Settings } from '../../config/settings.ts'
import type { Log } from './environment.ts'

/** A start does not wait longer for Redis than this: calls are answered 503 until it comes. */
const READY_WITHIN_MS = 2_000

export interface OpenGate {
  /** None without Redis: the app then makes a gate of its process alone. */
  makeGate?: NonNullable<AccountDependencies['makeGate']>
  close: () => void
}

/** The gate of an installation: over Redis when it is set, so that several api processes count together. */
export async function openGate(settings: Settings, state: State, log: Log): Promise<OpenGate> {
  const { redis_url } = settings
  if (!redis_url) return { close: () => undefined }
  // The api starts without the packages of Redis where none is set.
  const { RedisLimiter } = await import('../../api/data/gate/redis-limiter.ts')
  const { DistributedGate } = await import('../../api/data/gate/distributed-gate.ts')
  const redis = new RedisLimiter(redis_url, (open, error) => {
    if (open) log.info('the gate is connected to Redis')
    else log.error({ error: error?.message }, 'Redis is away; calls are answered 503 until it is back')
  })
  await redis.ready(READY_WITHIN_MS)
  return { makeGate: (reader) => new DistributedGate(state, redis, reader), close: () => redis.close() }
}
