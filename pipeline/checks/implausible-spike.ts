import { HOUR_MS, type QueueKind } from '../../config/domain.ts'
import { median, rowCheck, timedBefore } from './define.ts'

/**
 * Above this a wait is rare enough to need a second look. Security: waits over 30 min are 0.4 % of the hours of 2026, the
 * feeds' faults begin at 101. Passport control really is slower.
 */
const CEILING: Record<QueueKind, number> = {
  security: 90,
  checkin: 90,
  baggage: 90,
  lounge: 90,
  immigration: 180,
  customs: 180,
  ees_kiosk: 180,
}

/** With fewer earlier readings there is no telling what is usual. */
const ENOUGH = 6
/**
 * A jump must be this large in minutes from the usual and from the reading just before, and this many times the usual
 * spread, to be called one. A queue that climbs there, or is still there at the next reading, is a queue: without that rule
 * the check took 29 readings of New York's bad days of March 2026.
 */
const JUMP_MINUTES = 40
const SPREADS = 8
/** How young the reading just before must be to say so. */
const ABRUPT_MS = 2 * HOUR_MS

/** Above the ceiling, or far above what the same series said in the last hours. */
export const implausibleSpike = rowCheck('implausible_spike', (row, context) => {
  const wait = row.wait_minutes ?? row.wait_minutes_low
  if (wait === null) return null
  const ceiling = CEILING[row.kind]
  if (wait > ceiling) return { message: `A wait over ${ceiling} minutes.`, value: wait }
  const earlier = timedBefore(row, context)
  const last = earlier.at(-1)
  if (!last || earlier.length < ENOUGH || wait - last.wait_minutes <= JUMP_MINUTES) return null
  if (Date.parse(row.observed_at) - Date.parse(last.observed_at) > ABRUPT_MS) return null
  const usual = median(earlier.map(({ wait_minutes }) => wait_minutes))
  const spread = Math.max(1, median(earlier.map(({ wait_minutes }) => Math.abs(wait_minutes - usual))))
  if (wait - usual <= Math.max(JUMP_MINUTES, SPREADS * spread)) return null
  return { message: `A jump from the usual ${usual} minutes of the last hours.`, value: wait }
})
