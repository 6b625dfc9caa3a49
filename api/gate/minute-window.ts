const WINDOW_MS = 60_000

/** Lengths of the ring buffer are powers of two, so that a position in it needs no division. */
const FIRST_LENGTH = 8

/** Seconds until the oldest admission leaves the window and one more call is possible; 60 when the window is empty. */
export function resetSeconds(oldest: number | null, now: number): number {
  if (oldest === null) return WINDOW_MS / 1000
  const seconds = Math.ceil((oldest + WINDOW_MS - now) / 1000)
  return Math.min(WINDOW_MS / 1000, Math.max(1, seconds))
}

/** An exact sliding window of one minute: at most `limit` admissions lie within any 60 seconds. */
export class MinuteWindow {
  readonly limit: number
  /** Times of the admissions within the window, a ring buffer that grows with them: few callers come near their limit. */
  #admitted = new Float64Array(FIRST_LENGTH)
  #oldest = 0
  #count = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Admits a call if the window has room. A refused call is not counted, so a client that waits is served. */
  take(now: number): boolean {
    if (this.remaining(now) === 0) return false
    if (this.#count === this.#admitted.length) this.#grow()
    this.#admitted[this.#position(this.#count)] = now
    this.#count++
    return true
  }

  /** Calls that are still possible at `now`. */
  remaining(now: number): number {
    this.#follow(now)
    while (this.#count > 0 && this.#admitted[this.#oldest]! <= now - WINDOW_MS) {
      this.#oldest = this.#position(1)
      this.#count--
    }
    return this.limit - this.#count
  }

  /** Where the admission with a number stands; 0 is the oldest. */
  #position(number: number): number {
    return (this.#oldest + number) & (this.#admitted.length - 1)
  }

  /** Makes room for twice as many admissions. */
  #grow(): void {
    const grown = new Float64Array(2 * this.#count)
    for (let i = 0; i < this.#count; i++) grown[i] = this.#admitted[this.#position(i)]!
    this.#admitted = grown
    this.#oldest = 0
  }

  /** Moves the admissions along when the clock was set back, as if no time had passed meanwhile. */
  #follow(now: number): void {
    if (this.#count === 0) return
    const ahead = this.#admitted[this.#position(this.#count - 1)]! - now
    if (ahead <= 0) return
    for (let i = 0; i < this.#count; i++) this.#admitted[this.#position(i)]! -= ahead
  }

  /** The limit, the calls that are still possible, and when one more will be. */
  quota(now: number): { limit: number; remaining: number; reset_seconds: number } {
    const remaining = this.remaining(now)
    const oldest = this.#count === 0 ? null : this.#admitted[this.#oldest]!
    return { limit: this.limit, remaining, reset_seconds: resetSeconds(oldest, now) }
  }

  /** Whether no admission lies within the last minute. */
  idle(now: number): boolean {
    return this.remaining(now) === this.limit
  }
}
