import { FetchError } from '../../config/errors.ts'

export interface Refusals {
  /** Throws while an earlier refusal of this address with these headers still holds. @throws FetchError FETCH_REFUSED */
  check: (url: string, headers: Record<string, string>) => void
  /** Records a refusal, and returns the error to throw. */
  record: (url: string, headers: Record<string, string>, status: number) => FetchError
}

/**
 * After a 401 or 403 the same request is not sent again for `hold_ms`. A request with a newly learned key, in a header or in the
 * address, is a different request: a replaced key costs one refusal and no wait.
 */
export function createRefusals(hold_ms: number, now: () => number): Refusals {
  const held = new Map<string, { until_ms: number; status: number }>()
  const keyOf = (url: string, headers: Record<string, string>) => JSON.stringify([url, Object.entries(headers).sort()])
  const refusal = (url: string, status: number) =>
    new FetchError('FETCH_REFUSED', `${url} answered ${status}; no further request for ${hold_ms / 60_000} min`, {
      retryable: false,
      status,
    })
  return {
    check: (url, headers) => {
      const earlier = held.get(keyOf(url, headers))
      if (earlier !== undefined && earlier.until_ms > now()) throw refusal(url, earlier.status)
    },
    record: (url, headers, status) => {
      held.set(keyOf(url, headers), { until_ms: now() + hold_ms, status })
      return refusal(url, status)
    },
  }
}
