import { DAY_MS } from '../../../config/domain.ts'

/** The rule of the Schengen Borders Code, Art. 6(1): at most 90 days in any 180, entry and exit days both counted. */
export const ALLOWED_DAYS = 90
export const WINDOW_DAYS = 180

/** Days as whole numbers since 1970-01-01, so that no time zone has a say. */
export const dayNumber = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Days of presence, each once, however trips overlap. */
export class Presence {
  readonly #days: Set<number>

  constructor(days: Iterable<number>) {
    this.#days = new Set(days)
  }

  has(day: number): boolean {
    return this.#days.has(day)
  }

  /** Days of presence within the 180 that end with `day`. */
  used(day: number): number {
    let used = 0
    for (let back = 0; back < WINDOW_DAYS; back++) if (this.#days.has(day - back)) used++
    return used
  }

  /** Days of presence on which more than 90 of the last 180 were used, in order. */
  overstays(): number[] {
    const days = [...this.#days].sort((a, b) => a - b)
    let oldest = 0
    return days.filter((day, place) => {
      while (days[oldest]! <= day - WINDOW_DAYS) oldest++
      return place - oldest + 1 > ALLOWED_DAYS
    })
  }

  /**
   * Longest stay without a break that may begin on `entry`, in days: walked day by day, because old days fall out of the
   * window while new ones are spent. Days of presence later than `entry` are left out of account.
   */
  longestStay(entry: number): number {
    const before = [...this.#days].filter((day) => day < entry && day > entry - WINDOW_DAYS)
    for (let stay = 0; ; stay++) {
      const last = entry + stay
      const old = before.filter((day) => day > last - WINDOW_DAYS).length
      if (old + stay + 1 > ALLOWED_DAYS) return stay
    }
  }

  /** First day from `from` on that a stay of `days` may begin; there always is one within 180 days. */
  firstEntry(from: number, days: number): number {
    for (let entry = from; ; entry++) if (this.longestStay(entry) >= Math.min(days, ALLOWED_DAYS)) return entry
  }
}

/** The whole days from `first` to `last`, both included. */
export function* daysBetween(first: number, last: number): Generator<number> {
  for (let day = first; day <= last; day++) yield day
}
