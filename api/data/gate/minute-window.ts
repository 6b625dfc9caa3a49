const WINDOW_MS = 60_000

/** Seconds until the oldest admission leaves the window and a place comes free; 60 when none is taken. */
export function resetSeconds(oldest: number | null, now: number): number {
  if (oldest === null) return WINDOW_MS / 1000
  return Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000))
}

/** A sliding window of one minute, exact: at most `limit` admissions lie within any 60 seconds. */
export class MinuteWindow {
  readonly limit: number
  /** Instants of the admissions within the window, in a ring. */
  readonly #admitted: Float64Array
  #oldest = 0
  #count = 0

  constructor(limit: number) {
    this.limit = limit
    this.#admitted = new Float64Array(limit)
  }

  /** Takes a place if there is one. A refused call takes none, so that a client that waits is served. */
  take(now: number): boolean {
    if (this.remaining(now) === 0) return false
    this.#admitted[(this.#oldest + this.#count) % this.limit] = now
    this.#count++
    return true
  }

  /** Places free at `now`. */
  remaining(now: number): number {
    while (this.#count > 0 && this.#admitted[this.#oldest]! <= now - WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.limit
      this.#count--
    }
    return this.limit - this.#count
  }

  resetSeconds(now: number): number {
    return resetSeconds(this.idle(now) ? null : this.#admitted[this.#oldest]!, now)
  }

  /** Whether no admission lies within the last minute. */
  idle(now: number): boolean {
    return this.remaining(now) === this.limit
  }
}
