import { HOUR_MS, type QueueKind } from '../../config/domain.ts'
import { median, rowCheck, timedBefore } from './define.ts'

/**
 * Minutes above which a wait is too rare to be trusted. Security: waits over 30 min are 0.4 % of the hours of 2026, and faulty
 * values of feeds begin at 101. Passport control is really slower.
 */
const MAX_MINUTES: Record<QueueKind, number> = {
  security: 90,
  checkin: 90,
  baggage: 90,
  lounge: 90,
  immigration: 180,
  customs: 180,
  ees_kiosk: 180,
}

/** With fewer earlier readings, the usual wait is unknown. */
const MIN_EARLIER_READINGS = 6
/**
 * A jump is at least this many minutes above both the usual wait and the previous reading, and this many times the usual spread. A
 * wait that rises gradually, or that the next reading confirms, is real: without that rule the check flagged 29 real readings of
 * New York's bad days of March 2026.
 */
const MIN_JUMP_MINUTES = 40
const MIN_SPREADS = 8
/** Maximum age of the previous reading for a jump. */
const MAX_GAP_MS = 2 * HOUR_MS

/** Flags a wait above the limit of its kind of queue, or far above the readings of its series in the last hours. */
export const implausibleSpike = rowCheck('implausible_spike', (row, context) => {
  const wait = row.wait_minutes ?? row.wait_minutes_low
  if (wait === null) return null
  const limit = MAX_MINUTES[row.kind]
  if (wait > limit) return { message: `A wait over ${limit} minutes.`, value: wait }
  const earlier = timedBefore(row, context)
  const last = earlier.at(-1)
  if (!last || earlier.length < MIN_EARLIER_READINGS || wait - last.wait_minutes <= MIN_JUMP_MINUTES) return null
  if (Date.parse(row.observed_at) - Date.parse(last.observed_at) > MAX_GAP_MS) return null
  const usual = median(earlier.map(({ wait_minutes }) => wait_minutes))
  const spread = Math.max(1, median(earlier.map(({ wait_minutes }) => Math.abs(wait_minutes - usual))))
  if (wait - usual <= Math.max(MIN_JUMP_MINUTES, MIN_SPREADS * spread)) return null
  return { message: `A jump from the usual ${usual} minutes of the last hours.`, value: wait }
})
