import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IRetryBackoffContext,
  retry,
} from 'cockatiel'
import { FetchError } from '../../config/errors.ts'

/** A failure that may pass by itself; the host may have said when to come back. */
export class PassingFailure extends FetchError {
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

/** The wait before another attempt: what the host asked for, else an exponential step with jitter (half to whole). */
export function backoffMs(attempt: number, error: unknown, options: RetryOptions): number {
  if (error instanceof PassingFailure && error.retry_after_ms !== null) return error.retry_after_ms
  const step = Math.min(options.backoff_ms * 2 ** (attempt - 1), options.max_wait_ms)
  return step / 2 + (step / 2) * options.random()
}

/** Retries what may pass, unless the host asked for more patience than a run has. */
export function createRetry(options: RetryOptions) {
  const worthwhile = (error: Error) =>
    error instanceof FetchError &&
    error.code === 'FETCH_FAILED' &&
    error.retryable &&
    !(error instanceof PassingFailure && (error.retry_after_ms ?? 0) > options.max_wait_ms)
  const step = (context: IRetryBackoffContext<unknown>): IBackoff<IRetryBackoffContext<unknown>> => ({
    duration: backoffMs(context.attempt, 'error' in context.result ? context.result.error : null, options),
    next: step,
  })
  return retry(handleWhen(worthwhile), { maxAttempts: options.retries, backoff: { next: step } })
}

/** None says anything about the health of the source. */
const NOT_ITS_FAULT = new Set(['ROBOTS_DISALLOWED', 'SITE_UNREACHABLE', 'BROWSER_UNAVAILABLE'])

/** A page that is not there (404 and its kin) is one address of a source, not the source. */
function countsAgainst(error: Error): boolean {
  if (!(error instanceof FetchError)) return true
  const missing = error.code === 'FETCH_FAILED' && !error.retryable && error.status !== null && error.status < 500
  return !missing && !NOT_ITS_FAULT.has(error.code)
}

export type Circuits = <T>(source: string, work: () => Promise<T>) => Promise<T>

/** One circuit breaker a source: opens after so many failures in a row, then lets one probe through at a time. */
export function createCircuits(options: { failures: number; rest_ms: number }): Circuits {
  const make = () =>
    circuitBreaker(handleWhen(countsAgainst), {
      breaker: new ConsecutiveBreaker(options.failures),
      halfOpenAfter: options.rest_ms,
    })
  const breakers = new Map<string, ReturnType<typeof make>>()
  return async (source, work) => {
    const breaker = breakers.get(source) ?? make()
    breakers.set(source, breaker)
    try {
      return await breaker.execute(work)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      const state = CircuitState[breaker.state]?.toLowerCase()
      const message = `${source}: ${options.failures} failures in a row; its circuit is ${state}, the next probe is due within ${options.rest_ms / 1_000} s`
      throw new FetchError('CIRCUIT_OPEN', message, { cause: error, retryable: true })
    }
  }
}

/** Milliseconds a Retry-After header asks for (seconds, or an HTTP date); null when it is absent or unreadable. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
