import type { AccountDependencies } from '../../accounts/dependencies.ts'
import type { State } from '../../api/state/state.ts'
import type { Settings } from '../../config/settings.ts'
import type { Log } from './log.ts'

/** A start waits at most this long for Redis; requests are answered 503 until it is there. */
const REDIS_READY_TIMEOUT_MS = 2_000

export interface OpenGate {
  /** Empty without Redis: the app then makes a gate for its own process. */
  dependencies: Pick<AccountDependencies, 'makeGate' | 'gateFault'>
  close: () => void
}

/** Opens the gate of an installation: over Redis if it is set, so that several api processes share their counts. */
export async function openGate(settings: Settings, state: State, log: Log): Promise<OpenGate> {
  const { redis_url } = settings
  if (!redis_url) return { dependencies: {}, close: () => undefined }
  // The api loads the packages for Redis only when it is set.
  const { RedisLimiter } = await import('../../api/gate/redis-limiter.ts')
  const { DistributedGate } = await import('../../api/gate/distributed-gate.ts')
  const redis = new RedisLimiter(redis_url, (open, error) => {
    if (open) log.info('the gate is connected to Redis')
    else log.error({ error: error?.message }, 'Redis is unavailable; requests are answered 503 until it is back')
  })
  await redis.ready(REDIS_READY_TIMEOUT_MS)
  const makeGate: AccountDependencies['makeGate'] = (reader) => new DistributedGate(state, redis, reader)
  return { dependencies: { makeGate, gateFault: () => redis.fault() }, close: () => redis.close() }
}
