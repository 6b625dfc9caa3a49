import { DAY_MS } from '../../../config/domain.ts'
import { schengenState } from '../../../config/reference/schengen-airports.ts'

/** The rule of the Schengen Borders Code, Art. 6(1): at most 90 days in any 180, entry and exit days both counted. */
export const ALLOWED_DAYS = 90
export const WINDOW_DAYS = 180

/** The number of a date: whole days since 1970-01-01, independent of time zones. */
export const dayNumber = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The whole days from `first` to `last`, both included. */
export function* daysBetween(first: number, last: number): Generator<number> {
  for (let day = first; day <= last; day++) yield day
}

/**
 * Whether a day in a country counts as a day of stay. A member without a known first day joined before any window that
 * can still matter.
 */
export function countsAsStay(country: string, day: number): boolean {
  const state = schengenState(country)
  if (!state?.member) return false
  return state.days_count_from === null || day >= dayNumber(state.days_count_from)
}

/** The days on which a traveller was in the area; a day of several trips counts once. */
export class Presence {
  readonly #days: Set<number>

  constructor(days: Iterable<number>) {
    this.#days = new Set(days)
  }

  has(day: number): boolean {
    return this.#days.has(day)
  }

  /** Days of presence within the 180 days that end with `day`. */
  used(day: number): number {
    let used = 0
    for (let back = 0; back < WINDOW_DAYS; back++) if (this.#days.has(day - back)) used++
    return used
  }

  /** Days of presence on which more than 90 of the last 180 days were used, in order. */
  overstays(): number[] {
    const days = [...this.#days].sort((a, b) => a - b)
    let oldest = 0
    return days.filter((day, index) => {
      while (days[oldest]! <= day - WINDOW_DAYS) oldest++
      return index - oldest + 1 > ALLOWED_DAYS
    })
  }

  /**
   * The longest stay without a break that may begin on `entry`, in days. It is counted day by day, because old days leave
   * the window while the stay uses new ones. Days of presence after `entry` are not counted.
   */
  longestStay(entry: number): number {
    const before = [...this.#days].filter((day) => day < entry && day > entry - WINDOW_DAYS)
    for (let stay = 0; ; stay++) {
      const last = entry + stay
      const old = before.filter((day) => day > last - WINDOW_DAYS).length
      if (old + stay + 1 > ALLOWED_DAYS) return stay
    }
  }

  /** The first day from `from` on on which a stay of `days` may begin; it is always within 180 days. */
  firstEntry(from: number, days: number): number {
    for (let entry = from; ; entry++) if (this.longestStay(entry) >= Math.min(days, ALLOWED_DAYS)) return entry
  }
}
