import { DAY_MS } from '../../config/domain.ts'
import { schengenState } from '../../config/reference/schengen-airports.ts'
import { SMALL_STATES } from '../../config/reference/schengen-territories.ts'

/** The rule of the Schengen Borders Code, Art. 6(1): at most 90 days in any 180, entry and exit days both counted. */
export const ALLOWED_DAYS = 90
export const WINDOW_DAYS = 180

/** The number of a date: whole days since 1970-01-01, independent of time zones. */
export const dayNumber = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Days from `first` to `last`, both included. */
export interface DaySpan {
  first: number
  last: number
}

/**
 * The first day on which a stay in a country counts; -Infinity when every day counts, null when none does. A state that joined
 * later counts from the day on which the rules applied there: the day on which checks at its land borders ended.
 */
export function firstCountedDay(country: string): number | null {
  if (SMALL_STATES.some(({ code, counts }) => code === country && counts)) return Number.NEGATIVE_INFINITY
  const state = schengenState(country)
  if (!state?.member) return null
  const from = countsFrom(state)
  return from === null ? Number.NEGATIVE_INFINITY : dayNumber(from)
}

/** The date from which days in a member state count; null when it joined before that can matter. */
export function countsFrom(state: {
  days_count_from: string | null
  land_border_checks_ended: string | null
}): string | null {
  if (state.days_count_from !== null) return state.days_count_from
  const ended = state.land_border_checks_ended
  return ended !== null && ended.length === 'YYYY-MM-DD'.length ? ended : null
}

/** The days on which a traveller is in the area, over past and future; a day of several stays counts once. */
export class Timeline {
  readonly #first: number
  /** `#until[n]` counts the days of presence from `#first` on, before day `#first + n`. */
  readonly #until: Int32Array

  constructor(spans: readonly DaySpan[]) {
    const first = Math.min(...spans.map((span) => span.first))
    const last = Math.max(...spans.map((span) => span.last))
    const length = spans.length === 0 ? 0 : last - first + 1
    this.#first = spans.length === 0 ? 0 : first
    const present = new Uint8Array(length)
    for (const span of spans) present.fill(1, span.first - first, span.last - first + 1)
    this.#until = new Int32Array(length + 1)
    for (let day = 0; day < length; day++) this.#until[day + 1] = this.#until[day]! + present[day]!
  }

  /** The last day of presence; -Infinity without one. */
  get lastDay(): number {
    return this.#until.length === 1 ? Number.NEGATIVE_INFINITY : this.#first + this.#until.length - 2
  }

  /** Days of presence from `first` to `last`, both included. */
  count(first: number, last: number): number {
    if (last < first) return 0
    return this.#before(last + 1) - this.#before(first)
  }

  has(day: number): boolean {
    return this.count(day, day) === 1
  }

  /** Days of presence within the 180 days that end with `day`. */
  used(day: number): number {
    return this.count(day - WINDOW_DAYS + 1, day)
  }

  /** Whether `day` is a day of presence with more than 90 days used. */
  isOver(day: number): boolean {
    return this.has(day) && this.used(day) > ALLOWED_DAYS
  }

  /** Every day of presence with more than 90 days used, in order. */
  overDays(): number[] {
    const days: number[] = []
    for (let day = this.#first; day <= this.lastDay; day++) if (this.isOver(day)) days.push(day)
    return days
  }

  /** Whether a stay adds no day over 90: neither its own days nor a later day of presence that is within the rule without it. */
  allows(stay: DaySpan): boolean {
    return this.#daysToSkip(stay) === 0
  }

  /**
   * The longest stay without a break that may begin on `entry`, in days, with all other days of presence kept. It is counted
   * day by day, because old days leave the window while the stay uses new ones.
   */
  longestStay(entry: number): number {
    let allowed = 0
    let tooLong = ALLOWED_DAYS + 1
    while (tooLong - allowed > 1) {
      const middle = (allowed + tooLong) >> 1
      if (this.allows({ first: entry, last: entry + middle - 1 })) allowed = middle
      else tooLong = middle
    }
    return allowed
  }

  /**
   * The first day from `from` on on which a stay of `days` may begin that overlaps no other day of presence and keeps all of
   * them; null when no day ever allows it, because it is longer than 90 days.
   */
  firstEntry(from: number, days: number): number | null {
    if (days > ALLOWED_DAYS) return null
    for (let entry = from; ; ) {
      const stay = { first: entry, last: entry + days - 1 }
      const skip = this.count(stay.first, stay.last) > 0 ? 1 : this.#daysToSkip(stay)
      if (skip === 0) return entry
      entry += skip
    }
  }

  /**
   * By how many days at least the entry of a stay must be later, so that no day is over 90; 0 when the stay is allowed. A later
   * entry takes at most one day a day out of any window.
   */
  #daysToSkip({ first, last }: DaySpan): number {
    let skip = 0
    const added = (from: number, to: number) => (to < from ? 0 : to - from + 1 - this.count(from, to))
    const usedWith = (day: number) =>
      this.used(day) + added(Math.max(first, day - WINDOW_DAYS + 1), Math.min(last, day))
    for (let day = first; day <= last; day++)
      skip = Math.max(skip, Math.min(usedWith(day) - ALLOWED_DAYS, day - first + 1))
    for (let day = last + 1; day < last + WINDOW_DAYS; day++)
      if (this.has(day) && this.used(day) <= ALLOWED_DAYS) skip = Math.max(skip, usedWith(day) - ALLOWED_DAYS)
    return skip
  }

  #before(day: number): number {
    return this.#until[Math.min(Math.max(day - this.#first, 0), this.#until.length - 1)]!
  }
}
