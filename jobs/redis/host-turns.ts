import { setTimeout as sleep } from 'node:timers/promises'
import { connectToRedis, REDIS_PREFIX, type RedisOptions } from './connection.ts'
import { type Release, takeLock } from './lock.ts'

/** How often a host that another machine asks is looked at. */
const POLL_MS = 150
/** A Redis that has not answered for this long is away: the pace is then kept by this machine alone. */
const ANSWER_MS = 2_000

/** The turns of a host of sources, for all machines together. */
export interface HostTurns {
  /**
   * Waits until no machine asks the host and its pace is over; returns what ends the turn, or null when that takes longer
   * than `within_ms`.
   */
  take: (host: string, pace_ms: number, within_ms: number) => Promise<Release | null>
  close: () => void
}

/** Opens the turns of hosts: one request at a time to each, and its pace between two, whichever machine sends them. */
export function openHostTurns(options: RedisOptions): HostTurns {
  const closing = new AbortController()
  const redis = connectToRedis(options, closing.signal)
  const prefix = options.prefix ?? REDIS_PREFIX
  const alone: Release = async () => undefined

  /** A lock of a Redis that answers too late is given back. */
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
    take: async (host, pace_ms, within_ms) => {
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
    close: () => {
      closing.abort()
      redis.disconnect()
    },
  }
}
