const WINDOW_MS = 60_000

/** A sliding window of one minute, exact: at most `limit` admissions lie within any 60 seconds. */
export class MinuteWindow {
  /** Instants of the last `limit` admissions; `#next` is the oldest of them. */
  readonly #admitted: Float64Array
  #next = 0

  constructor(limit: number) {
    this.#admitted = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY)
  }

  get limit(): number {
    return this.#admitted.length
  }

  /** Takes a place if there is one. A refused call takes none, so that a client that waits is served. */
  take(now: number): boolean {
    if (this.#admitted[this.#next]! > now - WINDOW_MS) return false
    this.#admitted[this.#next] = now
    this.#next = (this.#next + 1) % this.limit
    return true
  }

  /** Places free at `now`: found by halving, since the ring is in order of time. */
  remaining(now: number): number {
    let low = 0
    let high = this.limit
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#at(middle) <= now - WINDOW_MS) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Seconds until the oldest admission leaves the window and a place comes free; 60 when none is taken. */
  resetSeconds(now: number): number {
    const free = this.remaining(now)
    if (free === this.limit) return WINDOW_MS / 1000
    return Math.max(1, Math.ceil((this.#at(free) + WINDOW_MS - now) / 1000))
  }

  /** Whether no admission lies within the last minute. */
  idle(now: number): boolean {
    return this.remaining(now) === this.limit
  }

  /** The admission at a place counted from the oldest. */
  #at(place: number): number {
    return this.#admitted[(this.#next + place) % this.limit]!
  }
}
