import { FetchError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'

interface Host {
  /** Settles when the last request in the queue has ended. */
  tail: Promise<unknown>
  /** When the last request ended, epoch milliseconds. */
  last_ms: number
  /** The earliest instant at which the host allows the next request (Retry-After of a 429 or 503). */
  not_before_ms: number
}

/**
 * Waits until no other machine sends a request to a host and its pace allows the next one; returns the function that releases
 * the host, or null when that takes longer than `within_ms`.
 */
export type AcquireHost = (host: string, pace_ms: number, within_ms: number) => Promise<(() => Promise<void>) | null>

/**
 * Creates a request queue per host, so that a site never gets two requests at once, however many sources share it; with
 * `acquireHost`, however many machines.
 */
export function createHostQueues(
  clock: {
    now: () => number
    sleep: (ms: number) => Promise<void>
    max_wait_ms: number
  },
  acquireHost: AcquireHost = async () => async () => undefined,
) {
  const hosts = new Map<string, Host>()
  const hostOf = (url: string): Host =>
    getOrCreate(hosts, new URL(url).host, () => ({
      tail: Promise.resolve(),
      last_ms: Number.NEGATIVE_INFINITY,
      not_before_ms: Number.NEGATIVE_INFINITY,
    }))

  async function waitFor(host: Host, pace_ms: number, url: string): Promise<void> {
    const paused_ms = host.not_before_ms - clock.now()
    if (paused_ms > clock.max_wait_ms) {
      const seconds = Math.ceil(paused_ms / 1_000)
      const message = `${new URL(url).host} asked us to send no request for another ${seconds} s (its Retry-After)`
      throw new FetchError('FETCH_FAILED', message, { retryable: true, status: 429 })
    }
    const wait = Math.max(paused_ms, host.last_ms + pace_ms - clock.now())
    if (wait > 0) await clock.sleep(wait)
  }

  return {
    /** Runs `work` when the host is free and its pace allows: one request at a time, `pace_ms` between two. */
    run: <T>(url: string, pace_ms: number, work: () => Promise<T>): Promise<T> => {
      const host = hostOf(url)
      const result = host.tail.then(async () => {
        await waitFor(host, pace_ms, url)
        const { host: name } = new URL(url)
        const release = await acquireHost(name, pace_ms, clock.max_wait_ms)
        if (release === null)
          throw new FetchError('FETCH_FAILED', `${name} is in constant use by other machines`, { retryable: true })
        try {
          return await work()
        } finally {
          host.last_ms = clock.now()
          await release()
        }
      })
      host.tail = result.catch(() => undefined)
      return result
    },
    /** Sends no request to the host for `ms`, as its Retry-After says. */
    pause: (url: string, ms: number) => {
      const host = hostOf(url)
      host.not_before_ms = Math.max(host.not_before_ms, clock.now() + ms)
    },
  }
}
