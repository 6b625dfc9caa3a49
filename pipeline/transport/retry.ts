import { handleWhen, type IBackoff, type IRetryBackoffContext, retry } from 'cockatiel'
import { FetchError } from '../../config/errors.ts'

/** A failure that may pass by itself (429, 5xx), with the wait that the host asked for. */
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

/** Milliseconds before the next attempt: what the host asked for, else an exponential step with jitter (half to whole). */
export function backoffMs(attempt: number, error: unknown, options: RetryOptions): number {
  if (error instanceof TransientFailure && error.retry_after_ms !== null) return error.retry_after_ms
  const step = Math.min(options.backoff_ms * 2 ** (attempt - 1), options.max_wait_ms)
  return step / 2 + (step / 2) * options.random()
}

/** A retry policy for failures that may pass, except where the host asked for a longer wait than `max_wait_ms`. */
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

/** Milliseconds that a Retry-After header asks for (seconds, or an HTTP date); null when it is absent or unreadable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
