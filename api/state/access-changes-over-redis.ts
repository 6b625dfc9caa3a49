import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { HoldshortError } from '../../config/errors.ts'
import type { State } from './state.ts'

/**
 * The Redis key that holds the access version (see `State`): a new random value with every change of access. A gate does
 * not use what it cached under another version. The text is older than the term, and stays so that processes of different
 * releases agree during an upgrade.
 */
export const ACCESS_VERSION_KEY = 'holdshort:gate:epoch'

/**
 * Rejects if `answer` is not settled within `ms`. When the timer fires, the event loop may only have been busy, so answers
 * that have already arrived are read first; the command timeout of ioredis does not do that.
 */
export function withTimeout<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectLate = () => setImmediate(() => setImmediate(() => reject(new Error(`no answer in ${ms} ms`))))
    const timer = setTimeout(rejectLate, ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const ANNOUNCE_TIMEOUT_MS = 5_000

/**
 * A state that announces each change of access to the distributed gates through Redis before it acknowledges the change.
 * `changeAccess` throws GATE_UNAVAILABLE when Redis cannot be reached: usually before anything was changed. If Redis fails
 * after the commit, the change is stored, and repeating it announces it.
 */
export function announceAccessChangesOverRedis(state: State, redis_url: string): State {
  const redis = new Redis(redis_url, {
    lazyConnect: true,
    connectTimeout: ANNOUNCE_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 50, 1_000),
  })
  // Each command reports the error itself.
  redis.on('error', () => undefined)
  const announce = async (message: string) => {
    try {
      await withTimeout(ANNOUNCE_TIMEOUT_MS, redis.set(ACCESS_VERSION_KEY, randomUUID()))
    } catch (cause) {
      throw new HoldshortError('GATE_UNAVAILABLE', message, { cause })
    }
  }
  const { changeAccess, close } = state
  const announced: Pick<State, 'changeAccess' | 'close'> = {
    async changeAccess(work) {
      await announce(
        'nothing was changed, because Redis, which announces changes to all processes, cannot be reached; try again shortly',
      )
      const result = await changeAccess(work)
      await announce('the change is stored, but could not be announced to all processes; repeat it')
      return result
    },
    async close() {
      redis.disconnect()
      await close()
    },
  }
  return Object.assign(state, announced)
}
