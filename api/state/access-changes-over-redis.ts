import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { HoldshortError } from '../../config/errors.ts'
import { ACCESS_VERSION_KEY, withTimeout } from './access-version-in-redis.ts'
import type { State } from './state.ts'

/** Longest that a change waits for Redis to be told. */
const TELL_WITHIN_MS = 5_000

/**
 * A state whose changes of access are told to the gates on a Redis before they are acknowledged.
 * `changeAccess` throws GATE_UNAVAILABLE when Redis cannot be told: mostly before anything was changed. When Redis went
 * away just then, the change stands, and doing it again tells of it.
 */
export function announceAccessChangesOverRedis(state: State, redis_url: string): State {
  const redis = new Redis(redis_url, {
    lazyConnect: true,
    connectTimeout: TELL_WITHIN_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  })
  // Asking says so, where it matters.
  redis.on('error', () => undefined)
  const tell = async (message: string) => {
    try {
      await withTimeout(TELL_WITHIN_MS, redis.set(ACCESS_VERSION_KEY, randomUUID()))
    } catch (cause) {
      throw new HoldshortError('GATE_UNAVAILABLE', message, { cause })
    }
  }
  return {
    ...state,
    async changeAccess(work) {
      await tell('nothing was changed: Redis, which tells all processes of it, cannot be reached; try again shortly')
      const done = await state.changeAccess(work)
      await tell('the change is stored, but not all processes could be told of it; do it again')
      return done
    },
    async close() {
      redis.disconnect()
      await state.close()
    },
  }
}
