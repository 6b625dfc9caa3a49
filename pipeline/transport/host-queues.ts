import { FetchError } from '../../config/errors.ts'

interface Host {
  /** Settles when the last of those waiting is done. */
  tail: Promise<unknown>
  /** When the last request to the host ended, epoch milliseconds. */
  last_ms: number
  /** The host asked us (429, 503) to stay away until then. */
  not_before_ms: number
}

export interface HostQueues {
  /** Runs `work` when the host is free and its pace allows: never two at once, `pace_ms` between them. */
  run: <T>(url: string, pace_ms: number, work: () => Promise<T>) => Promise<T>
  /** Keeps everybody away from the host for a while, as its Retry-After said. */
  pause: (url: string, ms: number) => void
}

/** Turns per host, so that one slow or touchy site is never crowded, whatever number of sources share it. */
export function createHostQueues(clock: {
  now: () => number
  sleep: (ms: number) => Promise<void>
  max_wait_ms: number
}): HostQueues {
  const hosts = new Map<string, Host>()
  const hostOf = (url: string): Host => {
    const name = new URL(url).host
    const known = hosts.get(name) ?? {
      tail: Promise.resolve(),
      last_ms: Number.NEGATIVE_INFINITY,
      not_before_ms: Number.NEGATIVE_INFINITY,
    }
    hosts.set(name, known)
    return known
  }

  async function waitFor(host: Host, pace_ms: number, url: string): Promise<void> {
    const asked = host.not_before_ms - clock.now()
    if (asked > clock.max_wait_ms) {
      const seconds = Math.ceil(asked / 1_000)
      throw new FetchError('FETCH_FAILED', `${new URL(url).host} asked us to stay away for another ${seconds} s`, {
        retryable: true,
        status: 429,
      })
    }
    const wait = Math.max(asked, host.last_ms + pace_ms - clock.now())
    if (wait > 0) await clock.sleep(wait)
  }

  return {
    run: (url, pace_ms, work) => {
      const host = hostOf(url)
      const turn = host.tail.then(async () => {
        await waitFor(host, pace_ms, url)
        try {
          return await work()
        } finally {
          host.last_ms = clock.now()
        }
      })
      host.tail = turn.catch(() => undefined)
      return turn
    },
    pause: (url, ms) => {
      const host = hostOf(url)
      host.not_before_ms = Math.max(host.not_before_ms, clock.now() + ms)
    },
  }
}
