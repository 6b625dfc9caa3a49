import { CLOCK_AHEAD_MS, DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'

/** Whole hours by which the clock of a source is known to go wrong: a zone without its summer time, or with it twice. */
const MAX_STEP_HOURS = 2
/** A source that publishes the present is not later than this, so that what is missing to a whole hour is its usual delay. */
const MAX_DELAY_MS = 15 * MINUTE_MS

type TimedRow = Pick<ParsedReading, 'observed_at' | 'observed_at_basis'>

/** Whole hours by which a time is ahead of the fetch, if a delay is added; 0 for a time that is not ahead. */
function hoursAhead(ahead_ms: number): number {
  return ahead_ms <= CLOCK_AHEAD_MS ? 0 : Math.ceil((ahead_ms - CLOCK_AHEAD_MS) / HOUR_MS)
}

/**
 * Whether all rows of one answer and one time zone are ahead of the fetch by the same one or two whole hours, as when a source counts
 * with wrong time zone rules. Null if any row has a sound time, where the newest is ahead by no whole hour, and without
 * a row that has a time of its own; rows that were forgotten for a day say nothing.
 */
export function clockFault(rows: readonly TimedRow[], fetched_at: string) {
  const fetched = Date.parse(fetched_at)
  const ahead = rows
    .filter(({ observed_at_basis }) => observed_at_basis === 'source')
    .map(({ observed_at }) => Date.parse(observed_at) - fetched)
    .filter((ms) => ms > -DAY_MS)
  if (ahead.length === 0) return null
  const newest = Math.max(...ahead)
  const step_hours = hoursAhead(newest)
  if (step_hours < 1 || step_hours > MAX_STEP_HOURS) return null
  const isSame = ahead.every((ms) => hoursAhead(ms) === step_hours)
  const delay = step_hours * HOUR_MS - newest
  if (!isSame || delay >= MAX_DELAY_MS) return null
  return { step_hours, ahead_minutes: Math.round(newest / MINUTE_MS) }
}
