import { handleWhen, type IBackoff, type IRetryBackoffContext, retry } from 'cockatiel'
import { FetchError } from '../../config/errors.ts'
import { DAY_MS } from '../../config/vocabulary.ts'

/** A failure that may pass by itself (429, 5xx), with the wait that the host requested. */
export class TransientFailure extends FetchError {
  readonly retry_after_ms: number | null
  constructor(message: string, status: number, retry_after_ms: number | null) {
    super('FETCH_FAILED', message, { retryable: true, status })
    this.retry_after_ms = retry_after_ms
  }
}

export interface RetryOptions {
  retries: number
  backoff_ms: number
  max_wait_ms: number
  random: () => number
}

/** Milliseconds before the next attempt: an exponential step with jitter (half to whole), or what the host requested if that is more. */
export function backoffMs(attempt: number, error: unknown, options: RetryOptions): number {
  const step = Math.min(options.backoff_ms * 2 ** (attempt - 1), options.max_wait_ms)
  const requested = error instanceof TransientFailure ? (error.retry_after_ms ?? 0) : 0
  return Math.max(requested, step / 2 + (step / 2) * options.random())
}

/** A retry policy for failures that may pass, except where the host requested a longer wait than `max_wait_ms`. */
export function createRetry(options: RetryOptions) {
  const isRetryable = (error: Error) =>
    error instanceof FetchError &&
    error.code === 'FETCH_FAILED' &&
    error.retryable &&
    !(error instanceof TransientFailure && (error.retry_after_ms ?? 0) > options.max_wait_ms)
  const next = (context: IRetryBackoffContext<unknown>): IBackoff<IRetryBackoffContext<unknown>> => ({
    duration: backoffMs(context.attempt, 'error' in context.result ? context.result.error : null, options),
    next,
  })
  return retry(handleWhen(isRetryable), { maxAttempts: options.retries, backoff: { next } })
}

/** A host that asks for a longer pause has made a mistake, or wants to be fetched rarely: once a day is that. */
const MAX_RETRY_AFTER_MS = DAY_MS

/** The form of dates in HTTP (RFC 9110 section 5.6.7). `Date.parse` alone also reads "5" or "later 5" as a date. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

const httpDateMs = (text: string | null) =>
  text !== null && HTTP_DATE.test(text.trim()) ? Date.parse(text) : Number.NaN

/**
 * Milliseconds that a Retry-After header asks for, at most a day: seconds, or a date by the clock of the host (its `Date` header),
 * which may differ from ours. Null when the header is absent or unreadable.
 */
export function retryAfterMs(header: string | null, date: string | null, now: number): number | null {
  if (header === null) return null
  const hostNow = httpDateMs(date)
  const milliseconds = /^\d+$/.test(header.trim())
    ? Number(header) * 1_000
    : httpDateMs(header) - (Number.isNaN(hostNow) ? now : hostNow)
  return Number.isNaN(milliseconds) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, milliseconds))
}
