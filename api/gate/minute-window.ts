const WINDOW_MS = 60_000

/** Lengths of the ring buffer are powers of two, so that a position in it needs no division. */
const FIRST_LENGTH = 8

/** Seconds until the oldest admission leaves the window and one more call is possible; 60 when the window is empty. */
export function resetSeconds(oldest: number | null, now: number): number {
  if (oldest === null) return WINDOW_MS / 1000
  const seconds = Math.ceil((oldest + WINDOW_MS - now) / 1000)
  return Math.min(WINDOW_MS / 1000, Math.max(1, seconds))
}

/** A sliding window of one minute, exact to the millisecond: at most `limit` admissions lie within any 60 seconds. */
export class MinuteWindow {
  readonly limit: number
  /**
   * Milliseconds from each admission within the window to the next, a ring buffer that grows with them: few callers come near their
   * limit. None is longer than the window, so that two bytes hold it.
   */
  #gaps = new Uint16Array(FIRST_LENGTH)
  #first = 0
  #count = 0
  /** Times of the first and the last admission within the window. */
  #oldest = 0
  #newest = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Admits a call if the window has room. A refused call is not counted, so a client that waits is served. */
  take(now: number): boolean {
    if (this.remaining(now) === 0) return false
    const time = Math.floor(now)
    if (this.#count === 0) this.#oldest = time
    else {
      if (this.#count === this.#gaps.length) this.#grow()
      this.#gaps[this.#position(this.#count - 1)] = time - this.#newest
    }
    this.#newest = time
    this.#count++
    return true
  }

  /** Calls that are still possible at `now`. */
  remaining(now: number): number {
    const time = Math.floor(now)
    // When the clock was set back the admissions move along, as if no time had passed meanwhile.
    if (this.#newest > time) {
      this.#oldest -= this.#newest - time
      this.#newest = time
    }
    while (this.#count > 0 && this.#oldest <= time - WINDOW_MS) {
      this.#oldest += this.#gaps[this.#first]!
      this.#first = this.#position(1)
      this.#count--
    }
    return this.limit - this.#count
  }

  /** Where the gap with a number stands; 0 is that after the oldest admission. */
  #position(number: number): number {
    return (this.#first + number) & (this.#gaps.length - 1)
  }

  /** Makes room for twice as many admissions. */
  #grow(): void {
    const grown = new Uint16Array(2 * this.#count)
    for (let i = 0; i < this.#count; i++) grown[i] = this.#gaps[this.#position(i)]!
    this.#gaps = grown
    this.#first = 0
  }

  /** The limit, the calls that are still possible, and when one more will be. */
  quota(now: number): { limit: number; remaining: number; reset_seconds: number } {
    const remaining = this.remaining(now)
    return { limit: this.limit, remaining, reset_seconds: resetSeconds(this.#count === 0 ? null : this.#oldest, now) }
  }

  /** Whether no admission lies within the last minute. */
  idle(now: number): boolean {
    return this.remaining(now) === this.limit
  }
}
