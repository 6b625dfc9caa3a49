import type { QueueKind } from '../../config/domain.ts'
import { rowCheck, seriesKey } from './check.ts'

/**
 * Above this a wait is rare enough to need a second look. Security: waits over 30 min are 0.4 % of the hours of 2026, the
 * feeds' faults begin at 101. Passport control really is slower.
 */
const CEILING: Record<QueueKind, number> = { security: 90, checkin: 90, immigration: 180, customs: 180 }

/** With fewer earlier readings there is no telling what is usual. */
const ENOUGH = 6
/** A jump must be this large in minutes, and this many times the usual spread, to be called one. */
const JUMP_MINUTES = 40
const SPREADS = 8

/** Above the ceiling, or far above what the same series said in the last hours. */
export const implausibleSpike = rowCheck('implausible_spike', (row, context) => {
  const wait = row.wait_minutes ?? row.wait_minutes_low
  if (wait === null) return null
  const ceiling = CEILING[row.kind]
  if (wait > ceiling) return { message: `A wait over ${ceiling} minutes.`, value: wait }
  const earlier = (context.recent.get(seriesKey(row)) ?? [])
    .filter((reading) => reading.observed_at < row.observed_at)
    .flatMap((reading) => (reading.wait_minutes === null ? [] : [reading.wait_minutes]))
  if (earlier.length < ENOUGH) return null
  const usual = median(earlier)
  const spread = Math.max(1, median(earlier.map((minutes) => Math.abs(minutes - usual))))
  if (wait - usual <= Math.max(JUMP_MINUTES, SPREADS * spread)) return null
  return { message: `A jump from the usual ${usual} minutes of the last hours.`, value: wait }
})

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
