import type { StatusFields } from '../../config/answer-schemas.ts'
import { DAY_MS, HOUR_MS, isoUtc, startOfHour } from '../../config/vocabulary.ts'
import { SLOT_MS } from '../../forecasting/nowcast/series.ts'
import { lowerBound } from '../../forecasting/statistics/statistics.ts'
import { type LearnedHours, learnHours, type ObservedOpenHour } from '../../warehouse/publishing/waits/learned-hours.ts'
import { openProbability } from '../../warehouse/publishing/waits/open-probability.ts'
import { observedStatus } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { ObservedStatus } from './readings.ts'

/** Days that opening hours are learned from, as in a snapshot. */
const LEARNED_DAYS = 28

/**
 * The probability that an airport's queue is closed at an instant, by the opening hours that were learned before the day of
 * the issue and by the newest status at the issue. Null if nothing is known.
 */
export class Closures {
  private readonly statuses: readonly ObservedStatus[]
  private readonly observed_ms: Float64Array
  private readonly timezone: string
  private learned = { day: Number.NaN, hours: null as LearnedHours | null }

  constructor(statuses: readonly ObservedStatus[], timezone: string) {
    this.statuses = statuses
    this.observed_ms = Float64Array.from(statuses, ({ observed_ms }) => observed_ms)
    this.timezone = timezone
  }

  closedProbabilityAt(issued_ms: number, valid_ms: number): number | null {
    const start = startOfHour(valid_ms)
    const open = openProbability(this.hoursAt(issued_ms), this.statusAt(issued_ms), start, issued_ms)
    return open === null ? null : 1 - open
  }

  private hoursAt(issued_ms: number): LearnedHours | null {
    const day = Math.floor(issued_ms / DAY_MS)
    if (day !== this.learned.day) {
      const known_ms = day * DAY_MS
      const known = this.statuses.filter(
        ({ observed_ms, available_ms }) =>
          observed_ms < known_ms && observed_ms >= known_ms - LEARNED_DAYS * DAY_MS && available_ms <= known_ms,
      )
      this.learned = { day, hours: learnHours(hoursOf(known), this.timezone) }
    }
    return this.learned.hours
  }

  private statusAt(issued_ms: number): StatusFields | null {
    let index = lowerBound(this.observed_ms, issued_ms + 1) - 1
    while (index >= 0 && this.statuses[index]!.available_ms > issued_ms) index--
    const newest = this.statuses[index]
    if (!newest) return null
    return observedStatus(newest.is_open ? 'open' : 'closed', {
      basis: 'measured',
      observed_at: isoUtc(newest.observed_ms),
      age_seconds: Math.floor((issued_ms - newest.observed_ms) / 1_000),
      source: null,
    })
  }
}

/** Statuses summed up by hour, in periods of ten minutes so that a source that is read more often weighs no more. */
function hoursOf(statuses: readonly ObservedStatus[]): ObservedOpenHour[] {
  const hours: ObservedOpenHour[] = []
  let slot = { start: Number.NaN, is_open: false }
  for (const { observed_ms, is_open } of statuses) {
    const hour = startOfHour(observed_ms)
    const before = hours.at(-1)
    if (before?.hour !== hour) {
      const follows_closure = before?.hour === hour - HOUR_MS && before.open_slots === 0
      hours.push({ hour, slots: 0, open_slots: 0, first_open_at: null, follows_closure })
    }
    const own = hours.at(-1)!
    const start = Math.floor(observed_ms / SLOT_MS)
    if (start !== slot.start) {
      slot = { start, is_open: false }
      own.slots += 1
    }
    if (!is_open) continue
    own.first_open_at ??= observed_ms
    if (!slot.is_open) own.open_slots += 1
    slot.is_open = true
  }
  return hours
}
