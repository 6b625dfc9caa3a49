import type { Logger } from 'pino'
import { HoldshortError } from '../../config/errors.ts'
import { getOrCreate, memoizeByObject } from '../../config/once.ts'
import { steadyNow } from '../../config/steady-clock.ts'

/** How often the log repeats that something still fails. */
const REPEAT_MS = 10 * 60_000
/** Kinds of failures that are remembered. */
const MAX_KINDS = 100

interface Failure {
  logged_ms: number
  /** Failures since the last line. */
  unlogged: number
  /** The repeated work that failed so and has not succeeded since. */
  failing: Set<string>
  /** Whether the last line of it says that it works again. */
  is_over: boolean
}

/**
 * Logs the failures of work that is repeated or that every request needs. What is wrong outside of this program (a full disk, an
 * unreachable database) has a code and is one line, whatever fails because of it; after that there is a line every ten minutes, and
 * one when it works again. Any other error keeps its stack.
 */
export class FailureLog {
  readonly #logger: Logger | undefined
  readonly #now: () => number
  readonly #failures = new Map<string, Failure>()

  constructor(logger: Logger | undefined, now: () => number = steadyNow) {
    this.#logger = logger
    this.#now = now
  }

  /** Work that is repeated failed; `text` says what happens next. */
  taskFailed(task: string, error: unknown, text: string): void {
    this.#failed(error, { task }, text).failing.add(task)
  }

  taskSucceeded(task: string): void {
    for (const [kind, failure] of this.#failures) {
      if (!failure.failing.delete(task) || failure.failing.size > 0 || failure.is_over) continue
      failure.is_over = true
      this.#logger?.info({ failure: kind }, 'what failed works again')
    }
  }

  /** A request failed because of something that other requests need too. */
  requestFailed(request_id: string, error: HoldshortError): void {
    const { cause } = error
    const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : undefined
    this.#failed(error, reason ? { request_id, reason } : { request_id }, 'a request failed')
  }

  #failed(error: unknown, fields: object, text: string): Failure {
    const isOutside = error instanceof HoldshortError && error.code !== 'INTERNAL'
    const kind = isOutside ? error.code : String(error)
    if (this.#failures.size > MAX_KINDS) this.#failures.clear()
    const failure = getOrCreate(this.#failures, kind, () => ({
      logged_ms: Number.NEGATIVE_INFINITY,
      unlogged: 0,
      failing: new Set<string>(),
      is_over: false,
    }))
    if (this.#now() - failure.logged_ms < REPEAT_MS) {
      failure.unlogged += 1
      return failure
    }
    const since = failure.unlogged > 0 ? { failures_since: failure.unlogged } : {}
    Object.assign(failure, { logged_ms: this.#now(), unlogged: 0, is_over: false })
    const about = isOutside ? { code: error.code, error: error.message } : { err: error }
    this.#logger?.error({ ...about, ...fields, ...since }, text)
    return failure
  }
}

const logOf = memoizeByObject((logger: Logger) => new FailureLog(logger))

/** The failures of everything that writes to a log. */
export const failuresOf = (logger: Logger | undefined) => (logger ? logOf(logger) : new FailureLog(undefined))
