import { setTimeout as sleep } from 'node:timers/promises'
import { openRedis, type RedisOptions } from './connection.ts'
import { type Release, takeLock } from './lock.ts'

/** How often the lock of a host is tried again while another machine holds it. */
const POLL_MS = 150
/** A Redis that has not answered for this long is unavailable: this machine then keeps the pace on its own. */
const ANSWER_MS = 2_000

/** The queue of requests to each host, shared by all machines. */
export interface SharedHostQueues {
  /**
   * Waits until no other machine sends a request to the host and its pace allows the next one; returns the function that
   * releases the host, or null when that takes longer than `within_ms`.
   */
  acquire: (host: string, pace_ms: number, within_ms: number) => Promise<Release | null>
  close: () => void
}

/** Opens the shared queues: one request at a time to each host, with its pace between two, whichever machine sends them. */
export function openSharedHostQueues(options: RedisOptions): SharedHostQueues {
  const { prefix, connect, close } = openRedis(options)
  const redis = connect()
  const alone: Release = async () => undefined

  /** A lock that Redis grants too late is released at once. */
  const lockOrAlone = (host: string) => {
    let isLate = false
    const taken = takeLock(redis, prefix, `host:${host}`).then(
      (lock) => {
        if (isLate) void lock?.()
        return lock
      },
      () => alone,
    )
    const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
      isLate = true
      return alone
    })
    return Promise.race([taken, late])
  }
  return {
    acquire: async (host, pace_ms, within_ms) => {
      const paceKey = `${prefix}:pace:${host}`
      for (const until = performance.now() + within_ms; ; ) {
        const lock = await lockOrAlone(host)
        if (lock === alone) return alone
        const paused = lock === null ? POLL_MS : await redis.pttl(paceKey).catch(() => 0)
        if (lock !== null && paused <= 0)
          return async () => {
            if (pace_ms > 0) await redis.set(paceKey, '1', 'PX', pace_ms).catch(() => undefined)
            await lock()
          }
        await lock?.()
        if (performance.now() + paused > until) return null
        await sleep(lock === null ? POLL_MS * (0.5 + Math.random()) : paused)
      }
    },
    close: () => void close(),
  }
}
