import { FetchError } from '../../config/errors.ts'

export interface Refusals {
  /** Throws when this address has lately refused these headers. @throws FetchError FETCH_REFUSED */
  check: (url: string, headers: Record<string, string>) => void
  /** Remembers a refusal and gives the error to throw. */
  note: (url: string, headers: Record<string, string>, status: number) => FetchError
}

/**
 * A 401 or 403 is an answer, not a hiccup: the same question is not put again for `hold_ms`. Asking with a newly learnt
 * key, in a header or in the address, is another question, so a rotated key costs one refusal and no wait.
 */
export function createRefusals(hold_ms: number, now: () => number): Refusals {
  const until = new Map<string, { at: number; status: number }>()
  const keyOf = (url: string, headers: Record<string, string>) => JSON.stringify([url, Object.entries(headers).sort()])
  const refused = (url: string, status: number) =>
    new FetchError(
      'FETCH_REFUSED',
      `${url} answered ${status}; we ask it again in ${hold_ms / 60_000} min at the earliest`,
      {
        retryable: false,
        status,
      },
    )
  return {
    check: (url, headers) => {
      const held = until.get(keyOf(url, headers))
      if (held !== undefined && held.at > now()) throw refused(url, held.status)
    },
    note: (url, headers, status) => {
      until.set(keyOf(url, headers), { at: now() + hold_ms, status })
      return refused(url, status)
    },
  }
}
